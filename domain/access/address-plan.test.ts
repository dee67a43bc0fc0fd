// The rows that a look-up at an address reads after a flood of publishes: the plan must not depend on statistics.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { SQL } from "bun";

import { createSetup, type Setup } from "../test/context.ts";
import { loadStatements } from "./load-statement.ts";

const flood = 5000;
let setup: Setup;
let artifact: Artifact;
let userId: string;
let sql: SQL;

beforeAll(async () => {
  setup = await createSetup();
  const owner = await setup.person();
  userId = uuidOf("usr", owner.userId);
  artifact = await setup.publish(owner.token, (await setup.project(owner.token)).slug, { content: "Named" });
  sql = new SQL(setup.db.url, { max: 1 });
});
afterAll(async () => {
  await sql.close();
  await setup.close();
});

const asked = (): string => {
  const { ownerUsername, projectSlug, slug } = artifact;
  return JSON.stringify([{ n: 0, owner: ownerUsername, project_slug: projectSlug, slug }]);
};

/** Executes the statement until PostgreSQL keeps its generic plan. */
async function prepare(): Promise<void> {
  await sql.unsafe("DEALLOCATE ALL");
  await sql.unsafe(`PREPARE at_address(text) AS ${loadStatements.anonymous.alone.files}`);
  for (let n = 0; n < 7; n++) await sql.unsafe(`EXECUTE at_address('${asked()}')`);
}

interface Node {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Node[];
}

/** The rows of `artifact` that the statement reads, those that a filter removes included. */
async function rowsRead(): Promise<number> {
  const [row] = (await sql.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE at_address('${asked()}')`)) as [
    { "QUERY PLAN": [{ Plan: Node }] },
  ];
  const read = (node: Node): number => {
    const own = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
    const inside = (node.Plans ?? []).reduce((sum, each) => sum + read(each), 0);
    return inside + (node["Relation Name"] === "artifact" ? own : 0);
  };
  return read(row["QUERY PLAN"][0].Plan);
}

async function publishMany(): Promise<void> {
  const [project, workspace] = [uuidOf("prj", artifact.projectId), uuidOf("wsp", artifact.workspaceId)];
  await sql.unsafe(
    `WITH made AS (
       INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
         public_edit, viewer_emails, created_by, creator_id)
       SELECT uuidv7(), $1::uuid, $2::uuid, 'flood-' || n, 'md', 'Flood', 1, true, false, '{}', created_by, $3::uuid
       FROM generate_series(1, ${flood}) n, artifact WHERE slug = $4 RETURNING artifact_id, created_by)
     INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
     SELECT m.artifact_id, 1, v.sha256, v.size_bytes, m.created_by FROM made m, version v
     WHERE v.artifact_id = $5::uuid`,
    [project, workspace, userId, artifact.slug, uuidOf("art", artifact.artifactId)],
  );
}

const few = 5;

test("a page reads the rows of its artifact alone, whenever its statement was planned and the tables were analyzed", async () => {
  await sql.unsafe("ALTER TABLE artifact SET (autovacuum_enabled = off)");
  await sql.unsafe("ALTER TABLE version SET (autovacuum_enabled = off)");
  await prepare();
  await publishMany();
  expect(await rowsRead()).toBeLessThan(few);
  await prepare();
  expect(await rowsRead()).toBeLessThan(few);

  await sql.unsafe("DELETE FROM artifact WHERE slug LIKE 'flood-%'");
  await sql.unsafe("VACUUM ANALYZE artifact, version, project, workspace");
  await prepare();
  await publishMany();
  expect(await rowsRead()).toBeLessThan(few);
  await prepare();
  expect(await rowsRead()).toBeLessThan(few);

  await sql.unsafe("ANALYZE artifact, version, project, workspace");
  await prepare();
  expect(await rowsRead()).toBeLessThan(few);
});
