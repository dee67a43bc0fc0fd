// Inserts many artifacts with their search documents directly into the tables, for tests. Fifteen of each hundred are
// public, the rest private in workspaces without members from the test.
import type { Database } from "@plinth/db/connection";

/** Newer ones are greater. */
const idOf = "('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";
const isPublic = "abs(hashint4(n)) % 100 < 15";

const words = `ARRAY['everywhere', 'rare' || n % 1000 || 'x', 'part' || to_hex(n % 997) || 'x']
  || ARRAY(SELECT 'filler' || abs(hashint4(n * 40 + i)) % 50000 FROM generate_series(1, 30) AS i)
  || CASE WHEN abs(hashint4(n + 7)) % 10 < 3 THEN ARRAY['common'] ELSE '{}' END
  || CASE WHEN NOT (${isPublic}) THEN ARRAY['secret'] ELSE '{}' END
  || ARRAY['seeded', n::text, '=seeded', '=' || n, '#' || n / 2048, '##' || n / 32768, '@tmd']`;

const indexes = {
  search_document_public: "CREATE INDEX search_document_public ON search_document USING gin (words) WHERE public_view",
  search_document_private:
    "CREATE INDEX search_document_private ON search_document USING gin (words) WHERE NOT public_view",
};

/**
 * Each has a word `rare…x` that one in a thousand has, three of ten have `common`, and `secret` those that are private.
 * Expects a user, whose act they all are.
 */
export async function seedArtifacts(db: Database, userId: string, count: number): Promise<void> {
  await db.run(`
    WITH place AS (
      INSERT INTO workspace (workspace_id, slug, name, kind, plan, plan_granted)
      SELECT gen_random_uuid(), 'seeded-' || w, 'Seeded', 'team', 'team', 'team' FROM generate_series(1, 20) w
      RETURNING workspace_id, slug
    )
    INSERT INTO project (project_id, workspace_id, slug, title, icon)
    SELECT gen_random_uuid(), workspace_id, slug, 'Seeded', 'S' FROM place`);
  await db.run(
    `
    INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
      public_edit, viewer_emails, created_by, creator_id)
    SELECT ${idOf}, p.project_id, p.workspace_id, 'seeded-' || n, 'md', 'Seeded ' || n, 1, ${isPublic}, false, '{}',
      '{"type": "user", "id": "x", "label": "x"}', $1
    FROM generate_series(1, $2::int) n
    JOIN project p ON p.slug = 'seeded-' || (1 + n % 20)`,
    [userId, count],
  );
  await db.run(`
    INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
    SELECT artifact_id, 1, '', 0, created_by FROM artifact`);
  // An index is made sooner than it grows.
  for (const name of Object.keys(indexes)) await db.run(`DROP INDEX ${name}`);
  await db.run(
    `
    INSERT INTO search_document (artifact_id, version_number, name, words, public_view, quoted, form)
    SELECT ${idOf}, 1, 'seeded ' || n || E'\\nseeded-' || n,
      array_to_tsvector(${words} || ('@w' || replace(a.workspace_id::text, '-', ''))), a.public_view, ('Text ' || n)::bytea, 2
    FROM generate_series(1, $1::int) n JOIN artifact a ON a.artifact_id = ${idOf} ORDER BY n`,
    [count],
  );
  for (const definition of Object.values(indexes)) await db.run(definition);
  await db.run(`
    INSERT INTO artifact_order (artifact_id, project_id, workspace_id, public_view, updated_at, title_key)
    SELECT artifact_id, project_id, workspace_id, public_view, now() - make_interval(secs => abs(hashtext(slug)) % 1000000),
      'seeded ' || abs(hashtext(slug)) FROM artifact`);
  for (const table of ["artifact", "version", "artifact_order", "search_document", "project", "workspace"]) {
    // Tests count the pages read, which autovacuum must not change.
    await db.run(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    await db.run(`VACUUM ANALYZE ${table}`);
  }
}
