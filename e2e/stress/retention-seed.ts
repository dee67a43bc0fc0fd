// Seeds artifacts with versions of every age and plan straight into the tables of an instance, hidden from retention
// until they are released. A version's text and whether it is overdue follow from its numbers, here as in the
// statements.
import { decodeId, encodeId } from "@plinth/contract/ids";
import { entitlementsOf, planIds, type PlanId } from "@plinth/contract/plans";
import type { SQL } from "bun";

import type { Person } from "../harness/people.ts";

const perArtifact = 20;
/** The age of an artifact's first version in days beyond the minimum, by the artifact's remainder. */
const ages = [400, 20, 45, 120, 800] as const;
/** Old enough that the doctor does not look for an audit event. */
const leastDays = 9;
/** The ID of the n-th artifact in SQL. */
const uuidOf = "('01900000-0000-7000-8000-' || lpad(to_hex(a), 12, '0'))::uuid";

export interface Seeded {
  readonly artifacts: number;
  readonly versions: number;
  readonly texts: number;
  /** Versions of the first artifact, which has the most. */
  readonly many: number;
}

export const seededBy = (count: number): Seeded => {
  const many = Math.max(perArtifact, Math.floor(count / 20));
  const artifacts = 1 + Math.ceil((count - many) / perArtifact);
  return {
    many,
    artifacts,
    versions: many + (artifacts - 1) * perArtifact,
    texts: Math.max(100, Math.floor(count / 4)),
  };
};

export const versionsOf = ({ many }: Seeded, artifact: number): number => (artifact === 0 ? many : perArtifact);
export const planOf = (artifact: number): PlanId => planIds[artifact % planIds.length] ?? "free";
export const slugOf = (artifact: number): string => `seeded-${artifact}`;
export const artifactIdOf = (artifact: number): string =>
  encodeId("art", `01900000-0000-7000-8000-${artifact.toString(16).padStart(12, "0")}`);

export const textNumber = ({ texts }: Seeded, artifact: number, version: number): number =>
  (artifact * 7919 + version * 104_729) % texts;
export const textOf = (number: number): string => `# Text ${number}\n\nword${number} ${"and more ".repeat(20)}\n`;

/** Whether retention deletes it: the age of the next version against the plan's days. */
export function isDue(seeded: Seeded, artifact: number, version: number): boolean {
  const versions = versionsOf(seeded, artifact);
  const age = ages[artifact % ages.length] ?? 0;
  const superseded = leastDays + (age * (versions - version - 1)) / versions;
  return version < versions && superseded >= entitlementsOf(planOf(artifact)).versionRetentionDays;
}

export async function seed(
  sql: SQL,
  seeded: Seeded,
  owners: Readonly<Record<PlanId, Person>>,
  projects: Readonly<Record<PlanId, string>>,
) {
  const run = (statement: string, parameters: unknown[] = []) => sql.unsafe(statement, parameters);
  for (let from = 0; from < seeded.texts; from += 2000) {
    const rows = Array.from({ length: Math.min(2000, seeded.texts - from) }, (_, index) => {
      const bytes = Buffer.from(textOf(from + index));
      const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      return {
        n: from + index,
        sha256: `\\x${sha256}`,
        data: `\\x${Bun.zstdCompressSync(bytes).toString("hex")}`,
        size: bytes.length,
      };
    });
    if (from === 0) await run("CREATE TABLE seed_text (n int PRIMARY KEY, sha256 bytea, size int)");
    await run(
      `WITH text AS (SELECT * FROM json_to_recordset($1::text::json) AS t(n int, sha256 bytea, data bytea, size int)),
         stored AS (INSERT INTO content (sha256, data, size_bytes) SELECT sha256, data, size FROM text ON CONFLICT DO NOTHING)
       INSERT INTO seed_text SELECT n, sha256, size FROM text`,
      [JSON.stringify(rows)],
    );
  }
  const places = planIds.map((plan, index) => ({
    index,
    project: decodeId("prj", projects[plan]),
    workspace: decodeId("wsp", owners[plan].workspaceId),
    creator: decodeId("usr", owners[plan].userId),
  }));
  const { artifacts, many, texts } = seeded;
  await run(
    `CREATE TABLE seed_version AS
     SELECT a, v, m, (a::bigint * 7919 + v::bigint * 104729) % ${texts} AS n,
       now() - make_interval(secs => 86400 * (${leastDays} + (ARRAY[${ages.join()}])[1 + a % ${ages.length}]::float8 * (m - v) / m)) AS at
     FROM generate_series(0, ${artifacts - 1}) a
     CROSS JOIN LATERAL (SELECT CASE a WHEN 0 THEN ${many} ELSE ${perArtifact} END AS m) m
     CROSS JOIN LATERAL generate_series(1, m) v`,
  );
  await run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view, public_edit,
       viewer_emails, created_by, creator_id, created_at, updated_at)
     SELECT ${uuidOf}, p.project, p.workspace, 'seeded-' || a, 'md', 'Seeded ' || a, m, true, false, '{}',
       '{"type": "user", "id": "x", "label": "x"}', p.creator, s.at, s.at
     FROM seed_version s
     JOIN json_to_recordset($1::text::json) AS p(index int, project uuid, workspace uuid, creator uuid) ON p.index = a % ${planIds.length}
     WHERE s.v = 1`,
    [JSON.stringify(places)],
  );
  await run(
    `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by, created_at)
     SELECT ${uuidOf}, v, t.sha256, t.size, '{"type": "user", "id": "x", "label": "x"}', at
     FROM seed_version s JOIN seed_text t ON t.n = s.n`,
  );
  // The doctor would report contents without a version.
  await run("DELETE FROM content c WHERE NOT EXISTS (SELECT 1 FROM version v WHERE v.sha256 = c.sha256)");
  await run(
    `INSERT INTO audit_event (event_id, occurred_at, kind, actor, surface, workspace_id, artifact_id, target_type, target_id, after, request_id)
     SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(a || ' ' || v), 1, 3) || '8'
         || substr(md5(v || ' ' || a), 1, 15))::uuid, at, 'artifact.updated', '{"type": "user", "id": "x", "label": "x"}', 'api',
       p.workspace, ${uuidOf}, 'artifact', 'seeded', jsonb_build_object('latestVersion', v), 'seeded'
     FROM seed_version s
     JOIN json_to_recordset($1::text::json) AS p(index int, workspace uuid) ON p.index = a % ${planIds.length}
     WHERE v > 1`,
    [JSON.stringify(places)],
  );
  await run("DROP TABLE seed_text, seed_version");
  await run("VACUUM ANALYZE");
}

/** Releases one part to retention. Until then none of it is deleted, however fast the machine. */
export const release = (sql: SQL, part: number, parts: number): Promise<unknown> =>
  sql.unsafe(
    `UPDATE artifact a SET oldest_superseded_at = v.created_at
     FROM version v
     WHERE a.slug LIKE 'seeded-%' AND substr(a.slug, 8)::int % $2 = $1
       AND v.artifact_id = a.artifact_id AND v.version_number = 2`,
    [part, parts],
  );
