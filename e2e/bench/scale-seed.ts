// Workspaces of very different sizes with their artifacts, versions and events straight into the tables of an instance,
// made by the database itself. What the callers own is the same however much there is beside it.
import { decodeId, encodeId, type IdPrefix } from "@plinth/contract/ids";
import { SQL } from "bun";

export interface ScaleSize {
  readonly artifacts: number;
  readonly versionsEach: number;
  readonly workspaces: number;
}

/** Owns the first `owned` artifacts, and is a member of the largest workspace. */
export interface ScaleOwner {
  readonly userId: string;
  readonly workspaceId: string;
  readonly projectId: string;
}

export const owned = 100;
/** Contents there are; versions share them. */
const contentsAtMost = 100_000;
/** Artifacts whose oldest version that is kept is past any plan's days, and events that are, whatever the size. */
const overdue = 200;
/** Artifacts that have one of the words `group…x` in common. */
const together = 20;
/** Artifacts in one statement. */
const step = 20_000;

/** The largest workspace, one project of it, and what is called how. */
export const largest = { slug: "seeded-0", projectSlug: "p1" } as const;

const uuid = (space: number, n: string) => `('01900000-0000-7000-800${space}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const artifactOf = (n: string) => uuid(0, n);
const workspaceOf = (w: string) => uuid(1, w);
const projectOf = (w: string, p: string) => uuid(2, `(${w}) * 4 + ${p}`);
const userOf = (w: string) => uuid(3, w);

const idOf = (prefix: IdPrefix, space: number, n: number): string =>
  encodeId(prefix, `01900000-0000-7000-800${space}-${n.toString(16).padStart(12, "0")}`);
export const artifactId = (n: number): string => idOf("art", 0, n);
export const workspaceId = (w: number): string => idOf("wsp", 1, w);

const actor = `'{"type": "user", "id": "usr_seeded", "label": "seeded"}'::jsonb`;
/** One in ten artifacts is in the largest of a thousand workspaces. */
const placeOf = (n: string, workspaces: number) =>
  `floor(${workspaces} * power((hashint4(${n})::bigint + 2147483648) / 4294967296.0, 3))::int`;
/** Three of ten are private, all of them of workspaces whose plan allows it, or were when they were made. */
const isPublic = (n: string) => `abs(hashint4(${n} + 1)) % 10 >= 3`;
const isOverdue = (n: string) => `${n} BETWEEN ${owned + 1} AND ${owned + overdue}`;
/** When the n-th was made and changed: in their order, within the days of every plan but for those that are past any's. */
const timeOf = (n: string, { artifacts }: ScaleSize) =>
  `now() - CASE WHEN ${isOverdue(n)} THEN interval '500 days' ELSE make_interval(secs => 480000 * (1 - ${n} / ${artifacts}.0)) END`;
/** Of a time, as identifiers of version 7 are, so that they are in its order. */
const eventOf = (time: string, n: string) =>
  `(overlay(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') PLACING '-' FROM 9 FOR 0)
    || '-7000-8005-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

const tables = [
  "workspace",
  "user",
  "membership",
  "project",
  "artifact",
  "content",
  "version",
  "audit_event",
  "search_document",
  "share_link",
  "thumbnail",
];

/** Expects the tables of an instance that has made nothing but the owner. */
export async function seedScale(url: string, size: ScaleSize, owner: ScaleOwner): Promise<void> {
  const first = new SQL(url, { max: 1 });
  const second = new SQL(url, { max: 1 });
  for (const database of [first, second])
    await run(database, "SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '64MB'");
  const restore = await withoutIndexes(first);
  await seedPlaces(first, size, owner);
  await seedContents(first, size);
  await seedArtifacts(first, size, owner);
  await Promise.all([
    inSteps(size.artifacts, (from, to) => seedVersions(first, size, from, to)),
    inSteps(size.artifacts, async (from, to) => {
      await seedEvents(second, size, from, to);
      await seedDocuments(second, size, from, to);
    }),
  ]);
  await restore([first, second]);
  await run(first, "VACUUM ANALYZE");
  await first.close();
  await second.close();
}

const run = (database: SQL, statement: string): Promise<unknown> => database.unsafe(statement).then((rows) => rows);

async function inSteps(count: number, take: (from: number, to: number) => Promise<void>): Promise<void> {
  for (let from = 1; from <= count; from += step) await take(from, Math.min(count, from + step - 1));
}

/** Takes away what is made sooner than it grows; what it returns makes it again, over as many connections as are given. */
async function withoutIndexes(database: SQL): Promise<(over: readonly SQL[]) => Promise<void>> {
  const named = tables.map((table) => `'public."${table}"'::regclass`).join(", ");
  const foreign = (await database.unsafe(
    `SELECT conrelid::regclass::text AS on_table, conname, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND conrelid IN (${named})`,
  )) as { on_table: string; conname: string; definition: string }[];
  const indexes = (await database.unsafe(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid IN (${named}) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
  )) as { name: string; definition: string }[];
  for (const { on_table, conname } of foreign)
    await run(database, `ALTER TABLE ${on_table} DROP CONSTRAINT "${conname}"`);
  for (const { name } of indexes) await run(database, `DROP INDEX ${name}`);
  return async (over) => {
    const left = [...indexes];
    await Promise.all(
      over.map(async (connection) => {
        for (let index = left.pop(); index !== undefined; index = left.pop()) await run(connection, index.definition);
      }),
    );
    for (const { on_table, conname, definition } of foreign)
      await run(database, `ALTER TABLE ${on_table} ADD CONSTRAINT "${conname}" ${definition} NOT VALID`);
  };
}

async function seedPlaces(database: SQL, { workspaces }: ScaleSize, owner: ScaleOwner): Promise<void> {
  const all = `generate_series(0, ${workspaces - 1}) w`;
  await run(
    database,
    `INSERT INTO "user" (user_id, email, email_verified)
     SELECT ${userOf("w")}, 'seeded-' || w || '@example.com', true FROM ${all}`,
  );
  await run(
    database,
    `INSERT INTO workspace (workspace_id, slug, name, kind, plan)
     SELECT ${workspaceOf("w")}, 'seeded-' || w, 'Seeded ' || w, 'team', (ARRAY['team', 'team', 'pro', 'free'])[1 + w % 4] FROM ${all}`,
  );
  await run(
    database,
    `INSERT INTO membership (workspace_id, user_id, role)
     SELECT ${workspaceOf("w")}, ${userOf("w")}, 'admin' FROM ${all}
     UNION ALL SELECT ${workspaceOf("w")}, ${userOf(`(w + m) % ${workspaces}`)}, 'member' FROM ${all}, generate_series(1, 3) m
     UNION ALL SELECT ${workspaceOf("0")}, '${decodeId("usr", owner.userId)}'::uuid, 'admin'`,
  );
  await run(
    database,
    `INSERT INTO project (project_id, workspace_id, slug, title, icon)
     SELECT ${projectOf("w", "p")}, ${workspaceOf("w")}, 'p' || p, 'Project ' || p, 'S' FROM ${all}, generate_series(0, 3) p`,
  );
}

/** Of 1 KB each; a frame of zstd with one raw block, which the database can make. */
async function seedContents(database: SQL, size: ScaleSize): Promise<void> {
  await run(
    database,
    `CREATE TEMPORARY TABLE seeded_content AS
     SELECT k, sha256(t) AS sha256, t FROM (
       SELECT k, convert_to(rpad('# Seeded ' || k || E'\\n\\n', 1024, md5(k::text) || ' words of a text '), 'UTF8') AS t
       FROM generate_series(0, ${contents(size) - 1}) k) AS texts`,
  );
  await run(
    database,
    `INSERT INTO content (sha256, data, size_bytes)
     SELECT sha256, '\\x28b52ffd600003012000'::bytea || t, 1024 FROM seeded_content`,
  );
  await run(database, "ANALYZE seeded_content");
}

const contents = ({ artifacts }: ScaleSize): number => Math.min(contentsAtMost, artifacts);

async function seedArtifacts(database: SQL, size: ScaleSize, owner: ScaleOwner): Promise<void> {
  const own = (id: string, prefix: IdPrefix, other: string) =>
    `CASE WHEN n <= ${owned} THEN '${decodeId(prefix, id)}'::uuid ELSE ${other} END`;
  await run(
    database,
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view, public_edit,
       viewer_emails, created_at, updated_at, created_by, creator_id, oldest_superseded_at)
     SELECT ${artifactOf("n")}, ${own(owner.projectId, "prj", projectOf("w", "n % 4"))},
       ${own(owner.workspaceId, "wsp", workspaceOf("w"))}, 'seeded-' || n, 'md', 'Seeded ' || n, ${size.versionsEach},
       ${isPublic("n")}, false, CASE WHEN n % 500 = 0 THEN ARRAY['listed@example.com'] ELSE '{}' END,
       ${timeOf("n", size)}, ${timeOf("n", size)}, ${actor}, ${own(owner.userId, "usr", userOf("w"))},
       ${timeOf("n", size)}
     FROM (SELECT n, ${placeOf("n", size.workspaces)} AS w FROM generate_series(1, ${size.artifacts}) n) AS placed`,
  );
  await run(
    database,
    `INSERT INTO share_link (share_link_id, artifact_id, hash, role, created_by)
     SELECT ${uuid(4, "n")}, ${artifactOf("n")}, sha256(n::text::bytea), 'viewer', ${actor}
     FROM generate_series(1, ${size.artifacts}, 50) n`,
  );
}

async function seedVersions(database: SQL, size: ScaleSize, from: number, to: number): Promise<void> {
  await run(
    database,
    `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_at, created_by)
     SELECT ${artifactOf("n")}, v, c.sha256, 1024, ${timeOf("n", size)}, ${actor}
     FROM generate_series(${from}, ${to}) n CROSS JOIN generate_series(1, ${size.versionsEach}) v
     JOIN seeded_content c ON c.k = (n * 7 + v * 13) % ${contents(size)}`,
  );
}

async function seedEvents(database: SQL, size: ScaleSize, from: number, to: number): Promise<void> {
  const { versionsEach, workspaces } = size;
  await run(
    database,
    `INSERT INTO audit_event (event_id, occurred_at, kind, actor, surface, workspace_id, artifact_id, target_type, target_id,
       after, request_id)
     SELECT ${eventOf("t", `n * ${versionsEach} + v`)}, t, CASE v WHEN 1 THEN 'artifact.created' ELSE 'artifact.updated' END,
       ${actor}, 'api', ${workspaceOf(placeOf("n", workspaces))}, ${artifactOf("n")}, 'artifact', 'art_' || n,
       jsonb_build_object('latestVersion', v), 'req-seeded'
     FROM (SELECT n, ${timeOf("n", size)} AS t FROM generate_series(${from}, ${to}) n) AS timed
     CROSS JOIN generate_series(1, ${versionsEach}) v`,
  );
}

async function seedDocuments(database: SQL, size: ScaleSize, from: number, to: number): Promise<void> {
  await run(
    database,
    `INSERT INTO thumbnail (artifact_id, version_number, painter, large, small)
     SELECT ${artifactOf("n")}, ${size.versionsEach}, 1, '\\x00', '\\x00' FROM generate_series(${from}, ${to}) n`,
  );
  const groups = Math.max(1, size.artifacts / together);
  await run(
    database,
    `INSERT INTO search_document (artifact_id, version_number, name, words)
     SELECT ${artifactOf("n")}, ${size.versionsEach}, 'seeded ' || n || ' seeded-' || n,
       array_to_tsvector(ARRAY['everywhere', 'group' || n % ${groups} || 'x']
         || ARRAY(SELECT 'word' || abs(hashint4(n * 10 + i)) % 100000 FROM generate_series(1, 10) i))
     FROM generate_series(${from}, ${to}) n`,
  );
}
