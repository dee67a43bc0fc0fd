// Inserts artifacts and their search documents into the tables of an instance: 15 of 100 are public, the others private
// and mostly in workspaces that the benchmark's callers do not belong to.
import { decodeId } from "@plinth/contract/ids";
import type { SQL } from "bun";

export interface SeedFor {
  /** Belongs to every workspace. */
  readonly insider: { readonly userId: string };
  /** Belongs to one workspace, which has 40 artifacts at any size. */
  readonly member: { readonly workspaceId: string };
  /** Is on the allowlists of 40 artifacts. */
  readonly listedAddress: string;
}

/** Artifacts that share a word, a part of a title or a word prefix, at any size. */
export const together = 20;
/** Artifacts that share a word which one in a thousand of the larger set has. */
const inThousandth = 200;
const team = "seeded-team";
const isPublic = "abs(hashint4(n)) % 100 < 15";
const idOf = "('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";

/**
 * The words of the n-th artifact: `group…x` is in `together` artifacts and `flock…x` in two hundred, `mille…x` in one
 * of a thousand, `frequent` in three of ten, `hidden` in all private ones; `part…z` is the prefix of a different word
 * in each of `together` artifacts. And forty words of a vocabulary.
 */
const wordsOf = (groups: number, flocks: number) => `
  ARRAY['everywhere', 'group' || n % ${groups} || 'x', 'mille' || n % 1000 || 'x', 'flock' || n % ${flocks} || 'x', 'part' || n % ${groups} || 'z' || md5(n::text)]
  || ARRAY(SELECT 'word' || abs(hashint4(n * 40 + i)) % 100000 FROM generate_series(1, 40) AS i)
  || CASE WHEN abs(hashint4(n + 7)) % 10 < 3 THEN ARRAY['frequent'] ELSE '{}' END
  || CASE WHEN ${isPublic} THEN '{}' ELSE ARRAY['hidden'] END
  || ARRAY['mytitle' || n % ${groups} || 'q', 'seeded', n::text, '=mytitle' || n % ${groups} || 'q', '=seeded', '=' || n, '#' || n / 2048, '##' || n / 32768, '@tmd']`;

export async function seedSearch(database: SQL, count: number, seedFor: SeedFor): Promise<void> {
  const groups = count / together;
  const insider = decodeId("usr", seedFor.insider.userId) ?? "";
  const small = decodeId("wsp", seedFor.member.workspaceId) ?? "";
  const run = (statement: string, parameters: unknown[] = []) => database.unsafe(statement, parameters);
  await run("SET maintenance_work_mem = '256MB'");
  await run(
    `WITH team AS (
       INSERT INTO workspace (workspace_id, slug, name, kind, plan, plan_granted)
       SELECT gen_random_uuid(), '${team}-' || w, 'Team', 'team', 'team', 'team' FROM generate_series(0, 49) w
       RETURNING workspace_id
     )
     INSERT INTO membership (workspace_id, user_id, role) SELECT workspace_id, $1::uuid, 'member' FROM team`,
    [insider],
  );
  await run(
    `INSERT INTO project (project_id, workspace_id, slug, title, icon)
     SELECT gen_random_uuid(), workspace_id, slug, 'Seeded', 'S' FROM workspace WHERE slug LIKE '${team}-%'
     UNION ALL SELECT gen_random_uuid(), $1::uuid, '${team}-small', 'Seeded', 'S'`,
    [small],
  );
  await run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
       public_edit, viewer_emails, created_by, creator_id)
     SELECT ${idOf}, p.project_id, p.workspace_id, 'seeded-' || n, 'md', 'Mytitle' || n % ${groups} || 'q', 1,
       ${isPublic}, false, CASE WHEN n % ${count / 40} = 3 THEN ARRAY[$1] ELSE '{}' END,
       '{"type": "user", "id": "x", "label": "x"}', $2::uuid
     FROM generate_series(1, $3::int) n
     JOIN project p ON p.slug = '${team}-' || CASE WHEN n % ${count / 40} = 5 THEN 'small' ELSE (n % 50)::text END`,
    [seedFor.listedAddress, insider, count],
  );
  await run(
    `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
     SELECT artifact_id, 1, '', 0, created_by FROM artifact ON CONFLICT DO NOTHING`,
  );
  // Building an index is faster than growing it.
  const indexes = (await run(
    "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'search_document' AND indexdef LIKE '% gin %'",
  )) as { indexname: string; indexdef: string }[];
  for (const { indexname } of indexes) await run(`DROP INDEX ${indexname}`);
  await run(
    `INSERT INTO search_document (artifact_id, version_number, name, words, public_view, quoted, form)
     SELECT ${idOf}, 1, 'mytitle' || n % ${groups} || E'q\\nseeded-' || n,
       array_to_tsvector(${wordsOf(groups, count / inThousandth)} || ('@w' || replace(a.workspace_id::text, '-', ''))),
       a.public_view, 'A text of everywhere and more.'::bytea, 2
     FROM generate_series(1, $1::int) n JOIN artifact a ON a.artifact_id = ${idOf} ORDER BY n`,
    [count],
  );
  for (const { indexdef } of indexes) await run(indexdef);
  await run(
    `INSERT INTO artifact_order (artifact_id, project_id, workspace_id, public_view, updated_at, title_key)
     SELECT artifact_id, project_id, workspace_id, public_view, updated_at, lower(title) FROM artifact
     ON CONFLICT DO NOTHING`,
  );
  await run("VACUUM ANALYZE");
}
