// Seeds a workspace with much content: thousands of artifacts in twenty projects and a thousand versions of one, some
// with very long titles and foreign scripts. It writes straight into the tables; the contents are copied from a
// published artifact.
import { decodeId } from "@plinth/contract/ids";
import { SQL } from "bun";

import { databaseUrlOf } from "./embedded-database.ts";
import type { Instance } from "./instance.ts";
import { createArtifact, createProject, type Person } from "./people.ts";

export interface LargeWorkspace {
  /** Path of the artifact that has `versions` versions. */
  readonly historyPath: string;
  readonly artifacts: number;
  readonly versions: number;
}

const projects = 20;

/** Each as long as a title can be. */
export const hardTitles = [
  "界面设计评审报告".repeat(25),
  "👩🏽‍🚀🎛️".repeat(25),
  "תקציר מנהלים תוצאות הרבעון ".repeat(7),
  `\u202Egnp.exe ${"مرحبا ".repeat(30)}\u2066`,
  "e\u0301\u0323\u0308".repeat(50),
  "Unbroken".repeat(25),
  "<b>Not bold</b> & \"quoted\" 'twice'",
] as const;

/**
 * Expects a user with only a personal workspace; call it once per instance. One artifact in fifty has one of the hard
 * titles; the newest of the project `large-11` have them all.
 */
export async function seedLargeWorkspace(
  instance: Instance,
  owner: Person,
  { artifacts = 5000, versions = 1000 } = {},
): Promise<LargeWorkspace> {
  const { slug } = await createProject(owner);
  const made = await createArtifact(owner, slug, {
    type: "md",
    title: "A long history",
    content: textOf(0),
    access: { publicView: true, publicEdit: false },
  });
  const really = 4;
  for (let n = 1; n < really; n++)
    await owner.client.call("version.create", {
      artifactId: made.artifactId,
      content: textOf(n),
      changelog: `Draft ${n}`,
    });
  const artifact = decodeId("art", made.artifactId) ?? "";
  const sql = new SQL(databaseUrlOf(instance.dataDir), { max: 1 });
  try {
    await sql.begin(async (transaction) => {
      const run = (statement: string, parameters: unknown[]) => transaction.unsafe(statement, parameters);
      await run(
        `INSERT INTO project (project_id, workspace_id, slug, title, icon)
         SELECT gen_random_uuid(), (SELECT workspace_id FROM artifact WHERE artifact_id = $1::uuid),
           'large-' || n, 'Project ' || n, 'L' FROM generate_series(1, ${projects}) n`,
        [artifact],
      );
      await run(
        `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, changelog, created_at, created_by)
         SELECT artifact_id, n, sha256, size_bytes,
           CASE WHEN n % 3 = 0 THEN NULL ELSE 'What the review of day ' || n || ' asked for' END,
           created_at + n * interval '1 millisecond', created_by
         FROM generate_series(${really + 1}, $2::int) n
         JOIN version ON artifact_id = $1::uuid AND version_number = 1 + n % ${really}`,
        [artifact, versions],
      );
      await run("UPDATE artifact SET latest_version = $2::int WHERE artifact_id = $1::uuid", [artifact, versions]);
      await run(
        `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
           public_edit, viewer_emails, created_at, updated_at, created_by, creator_id)
         SELECT ('01900000-0000-7000-8000-' || lpad(to_hex($2::int - n), 12, '0'))::uuid,
           p.project_id, a.workspace_id, 'large-' || n,
           (ARRAY['md', 'html', 'jsx'])[1 + n % 3],
           CASE WHEN n % 50 = 0 THEN ($3::text::json) ->> (n / 50 % ${hardTitles.length})
             ELSE 'Report ' || n || ' of ' || (ARRAY['revenue', 'latency', 'hiring', 'churn'])[1 + n % 4] END,
           1, n % 10 < 7, false, '{}', a.created_at - n * interval '1 minute', a.created_at - n * interval '1 minute',
           a.created_by, a.creator_id
         FROM generate_series(1, $2::int) n
         JOIN project p ON p.slug = 'large-' || (1 + n % ${projects})
         JOIN artifact a ON a.artifact_id = $1::uuid AND a.workspace_id = p.workspace_id`,
        [artifact, artifacts - 1, JSON.stringify(hardTitles)],
      );
      const others = "FROM artifact a JOIN project p USING (project_id) WHERE p.slug LIKE 'large-%'";
      await run(
        `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_at, created_by)
         SELECT a.artifact_id, 1, v.sha256, v.size_bytes, a.created_at, a.created_by
         FROM artifact a JOIN project p USING (project_id)
         JOIN version v ON v.artifact_id = $1::uuid AND v.version_number = 1
         WHERE p.slug LIKE 'large-%'`,
        [artifact],
      );
      await run(
        `INSERT INTO artifact_order (artifact_id, project_id, workspace_id, public_view, updated_at, title_key)
         SELECT a.artifact_id, a.project_id, a.workspace_id, a.public_view, a.updated_at, lower(a.title) ${others}
         ON CONFLICT DO NOTHING`,
        [],
      );
      await run(
        `INSERT INTO search_document (artifact_id, version_number, name, words, public_view, quoted, form)
         SELECT a.artifact_id, 1, lower(a.title) || E'\\n' || a.slug,
           to_tsvector('simple', a.title || ' everywhere')
             || array_to_tsvector(ARRAY(SELECT '=' || word FROM unnest(tsvector_to_array(to_tsvector('simple', a.title))) word)
               || ARRAY['@t' || a.type, '@w' || replace(a.workspace_id::text, '-', ''),
                 '@p' || replace(a.project_id::text, '-', ''), '@u' || replace(a.creator_id::text, '-', '')]),
           a.public_view, convert_to(a.title || ' everywhere', 'UTF8'), 2 ${others}`,
        [],
      );
    });
    await sql.unsafe("ANALYZE");
  } finally {
    await sql.close();
  }
  return { historyPath: new URL(made.url).pathname, artifacts, versions };
}

/** About 5 KB, of which one line changes with each number. */
const textOf = (n: number): string =>
  [
    "# A long history",
    ...Array.from({ length: 40 }, (_, line) =>
      line === 20
        ? `Figure of day ${n}.`
        : `Line ${line} says what it always said, at some length, for whoever reads it.`,
    ),
  ].join("\n\n");
