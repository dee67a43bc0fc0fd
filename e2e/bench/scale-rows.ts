// The table rows of a seeded instance as COPY reads them: workspaces of very different sizes with their artifacts,
// versions and events. The same size gives the same rows, apart from times. It knows no database.
import { decodeId, encodeId, type IdPrefix } from "@plinth/contract/ids";

export interface ScaleSize {
  readonly artifacts: number;
  readonly versionsEach: number;
  readonly workspaces: number;
}

/**
 * Owns the first `owned` artifacts and is a member of the largest workspace; a guest can see `shown` artifacts of
 * others.
 */
export interface ScaleOwner {
  readonly userId: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly guestEmail: string;
}

/** The rows of one table: the column values, separated by tabs. */
export interface Rows {
  readonly table: string;
  readonly columns: readonly string[];
  /** Whether the table has no other rows. */
  readonly isWhole: boolean;
  readonly rows: () => Iterable<string>;
}

export const owned = 100;
/** The highest number of contents; versions share them. */
const contentsAtMost = 100_000;
/** Artifacts whose oldest version is past every plan's retention, and events that are; the same at every size. */
const overdue = 200;
/** Artifacts whose allowlist names the guest. */
const shown = 20;
/** Artifacts that share one of the words `group…x`. */
const together = 20;
/** Further words of each text, out of this vocabulary. */
const words = { each: 10, of: 100_000 } as const;
const projectsEach = 4;
/** The time span in ms of the rows that are not overdue: within every plan's retention. */
const madeWithin = 480_000_000;
const overdueBy = 500 * 86_400_000;

/** The slugs of the largest workspace and of one of its projects. */
export const largest = { slug: "seeded-0", projectSlug: "p1" } as const;

const hex12 = (n: number): string => n.toString(16).padStart(12, "0");
const uuid = (space: number, n: number): string => `01900000-0000-7000-800${space}-${hex12(n)}`;
const artifactOf = (n: number): string => uuid(0, n);
const workspaceOf = (w: number): string => uuid(1, w);
const projectOf = (w: number, p: number): string => uuid(2, w * projectsEach + p);
const userOf = (w: number): string => uuid(3, w);
export const artifactId = (n: number): string => encodeId("art", artifactOf(n));
export const workspaceId = (w: number): string => encodeId("wsp", workspaceOf(w));

const bytes = (hex: string): string => String.raw`\\x${hex}`;
const bare = (id: string): string => id.replaceAll("-", "");
const actor = `{"type": "user", "id": "usr_seeded", "label": "seeded"}`;

/** A number from 0 to 1: the same for the same argument, and unrelated to that of its neighbour. */
function spread(n: number): number {
  let mixed = Math.imul(n ^ (n >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** The rows of every table; each can be iterated once. */
export function rowsOf(size: ScaleSize, owner: ScaleOwner): Rows[] {
  const { artifacts, versionsEach, workspaces } = size;
  const now = Date.now();
  const own = (prefix: IdPrefix, id: string) => decodeId(prefix, id) ?? "";
  const mine = {
    user: own("usr", owner.userId),
    workspace: own("wsp", owner.workspaceId),
    project: own("prj", owner.projectId),
  };
  /** One in ten artifacts is in the largest of a thousand workspaces. */
  const placeOf = (n: number) => Math.floor(workspaces * spread(n) ** 3);
  /** In order, except for those past every plan's retention. */
  const timeOf = (n: number) =>
    Math.floor(now - (n > owned && n <= owned + overdue ? overdueBy : madeWithin * (1 - n / artifacts)));
  /** Three of ten are private. */
  const isPublic = (n: number) => (spread(n + artifacts) >= 0.3 ? "t" : "f");
  /** A different order than that of creation. */
  const titleOf = (n: number) => Math.floor(spread(n + 2 * artifacts) * 1_000_000);
  const contents = Math.min(contentsAtMost, artifacts);
  const hashes = Array.from({ length: contents }, (_, k) =>
    bytes(new Bun.CryptoHasher("sha256").update(textOf(k)).digest("hex")),
  );
  const groups = Math.max(1, artifacts / together);

  function* everyWorkspace(rowsOfOne: (w: number) => string[]) {
    for (let w = 0; w < workspaces; w++) yield* rowsOfOne(w);
  }
  function* everyArtifact(rowsOfOne: (n: number) => string[]) {
    for (let n = 1; n <= artifacts; n++) yield* rowsOfOne(n);
  }
  /** Each is a zstd frame with one raw block, so that it takes as much space as a text of a kilobyte. */
  function* everyContent() {
    for (const [k, hash] of hashes.entries())
      yield row(hash, bytes(`28b52ffd600003012000${Buffer.from(textOf(k)).toString("hex")}`), 1024);
  }
  const row = (...values: readonly (string | number)[]) => values.join("\t");
  const whole = (table: string, columns: string, rowsOfOne: (n: number) => string[]): Rows => ({
    table,
    columns: columns.split(" "),
    isWhole: true,
    rows: () => everyArtifact(rowsOfOne),
  });
  const more = (table: string, columns: string, rowsOfOne: (w: number) => string[]): Rows => ({
    table,
    columns: columns.split(" "),
    isWhole: false,
    rows: () => everyWorkspace(rowsOfOne),
  });

  return [
    more("user", "user_id email email_verified", (w) => [row(userOf(w), `seeded-${w}@example.com`, "t")]),
    more("workspace", "workspace_id slug name kind plan plan_granted", (w) => {
      const plan = ["team", "team", "pro", "free"][w % 4] ?? "";
      return [row(workspaceOf(w), `seeded-${w}`, `Seeded ${w}`, "team", plan, plan)];
    }),
    more("membership", "workspace_id user_id role", (w) => [
      row(workspaceOf(w), userOf(w), "admin"),
      ...[1, 2, 3].map((m) => row(workspaceOf(w), userOf((w + m) % workspaces), "member")),
      ...(w === 0 ? [row(workspaceOf(0), mine.user, "admin")] : []),
    ]),
    more("project", "project_id workspace_id slug title icon", (w) =>
      Array.from({ length: projectsEach }, (_, p) =>
        row(projectOf(w, p), workspaceOf(w), `p${p}`, `Project ${p}`, "S"),
      ),
    ),
    whole(
      "artifact",
      "artifact_id project_id workspace_id slug type title latest_version public_view public_edit viewer_emails created_at updated_at created_by creator_id oldest_superseded_at",
      (n) => {
        const w = placeOf(n);
        const [user, workspace, project] =
          n <= owned
            ? [mine.user, mine.workspace, mine.project]
            : [userOf(w), workspaceOf(w), projectOf(w, n % projectsEach)];
        const time = new Date(timeOf(n)).toISOString();
        const isShown = n > owned + overdue && n <= owned + overdue + shown;
        const viewers = isShown ? `{${owner.guestEmail}}` : n % 500 === 0 ? "{listed@example.com}" : "{}";
        return [
          row(
            ...[
              artifactOf(n),
              project,
              workspace,
              `seeded-${n}`,
              "md",
              `Seeded ${titleOf(n)}`,
              versionsEach,
              isPublic(n),
            ],
            "f",
            ...[viewers, time, time, actor, user, time],
          ),
        ];
      },
    ),
    whole("artifact_order", "artifact_id project_id workspace_id public_view updated_at title_key", (n) => {
      const w = placeOf(n);
      const place = n <= owned ? [mine.project, mine.workspace] : [projectOf(w, n % projectsEach), workspaceOf(w)];
      return [row(artifactOf(n), ...place, isPublic(n), new Date(timeOf(n)).toISOString(), `seeded ${titleOf(n)}`)];
    }),
    whole("version", "artifact_id version_number sha256 size_bytes created_at created_by", (n) => {
      const [id, time] = [artifactOf(n), new Date(timeOf(n)).toISOString()];
      return Array.from({ length: versionsEach }, (_, v) =>
        row(id, v + 1, hashes[(n * 7 + v * 13) % contents] ?? "", 1024, time, actor),
      );
    }),
    whole(
      "audit_event",
      "event_id occurred_at kind actor surface workspace_id artifact_id target_type target_id after request_id",
      (n) => {
        const [id, at, workspace] = [artifactOf(n), timeOf(n), n <= owned ? mine.workspace : workspaceOf(placeOf(n))];
        const [time, text] = [hex12(at), new Date(at).toISOString()];
        return Array.from({ length: versionsEach }, (_, v) =>
          row(
            // Ordered by time, like identifiers of version 7.
            `${time.slice(0, 8)}-${time.slice(8)}-7000-8005-${hex12(n * versionsEach + v)}`,
            ...[text, v === 0 ? "artifact.created" : "artifact.updated", actor, "api", workspace, id],
            ...["artifact", `art_${n}`, `{"latestVersion": ${v + 1}}`, "req-seeded"],
          ),
        );
      },
    ),
    {
      table: "content",
      columns: ["sha256", "data", "size_bytes"],
      isWhole: true,
      rows: everyContent,
    },
    whole("search_document", "artifact_id version_number name words public_view quoted form", (n) => {
      const rare = Array.from(
        { length: words.each },
        (_, i) => `word${Math.floor(spread(n * words.each + i) * words.of)}`,
      );
      const [workspace, project, user] =
        n <= owned
          ? [mine.workspace, mine.project, mine.user]
          : [workspaceOf(placeOf(n)), projectOf(placeOf(n), n % projectsEach), userOf(placeOf(n))];
      const marks = [
        ...["=seeded", `=${n}`, `@w${bare(workspace)}`, `@p${bare(project)}`, `@u${bare(user)}`, "@tmd"],
        ...[`#${Math.floor(n / 2048)}`, `##${Math.floor(n / 32_768)}`],
      ];
      return [
        row(
          ...[artifactOf(n), versionsEach, String.raw`seeded ${titleOf(n)}\nseeded-${n}`],
          ["everywhere", `group${n % groups}x`, ...rare, ...marks].join(" "),
          ...[isPublic(n), `A text of everywhere, the ${n}th.`, 2],
        ),
      ];
    }),
    whole("thumbnail", "artifact_id version_number painter large small", (n) => [
      row(artifactOf(n), versionsEach, "1", bytes("00"), bytes("00")),
    ]),
    whole("share_link", "share_link_id artifact_id hash role created_by", (n) =>
      n % 50 !== 1
        ? []
        : [
            row(
              uuid(4, n),
              artifactOf(n),
              bytes(new Bun.CryptoHasher("sha256").update(`${n}`).digest("hex")),
              "viewer",
              actor,
            ),
          ],
    ),
  ];
}

const textOf = (k: number): string => `# Seeded ${k}\n\n`.padEnd(1024, `${Bun.hash.crc32(`${k}`)} words of a text `);
