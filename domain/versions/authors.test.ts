// The versions of one author, and who the authors are: of all versions, at the cost of a page.
import { afterAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createSetupWithProject } from "../test/context.ts";
import { authorsStatement, versionRows } from "./list.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const actor = (n: number) => ({ type: "agent", id: `agt_${n}`, label: `agent ${n}` });

/** Of the first two authors by turns; the first versions are of a third one. */
async function published(count: number, early = 3): Promise<string> {
  const { artifactId } = await setup.publish(owner.token, project);
  await setup.db.run(
    `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
     SELECT artifact_id, n, sha256, size_bytes,
       CASE WHEN n <= $3 THEN $6::text::jsonb WHEN n % 2 = 0 THEN $4::text::jsonb ELSE $5::text::jsonb END
     FROM version, generate_series(2, $2::int) AS n WHERE artifact_id = $1`,
    [uuidOf("art", artifactId), count, early, ...[1, 2, 3].map((n) => JSON.stringify(actor(n)))],
  );
  await setup.db.run("UPDATE artifact SET latest_version = $2 WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
    count,
  ]);
  return artifactId;
}

test("an author's versions are found behind those of others, page by page, and every author is listed", async () => {
  const artifactId = await published(60);
  const seen: number[] = [];
  for (let cursor: string | undefined, ends = false; !ends;) {
    const asked = { artifactId, author: "agt_1", limit: 20, ...(cursor !== undefined && { cursor }) };
    const { versions, nextCursor } = await setup.call("version.list", asked);
    seen.push(...versions.map(({ versionNumber }) => versionNumber));
    cursor = nextCursor ?? undefined;
    ends = nextCursor === null;
  }
  expect(seen).toEqual(Array.from({ length: 29 }, (_, n) => 60 - 2 * n));
  const early = await setup.call("version.list", { artifactId, author: "agt_3", limit: 20, withAuthors: true });
  expect(early.versions.map(({ versionNumber }) => versionNumber)).toEqual([3, 2]);
  const ids = (early.authors ?? []).map(({ id }) => id);
  expect([ids.length, ids.slice(-3).toSorted()]).toEqual([4, expect.arrayContaining(["agt_1", "agt_2", "agt_3"])]);
  const upTo = await setup.call("version.list", { artifactId, author: "agt_1", upTo: 9, limit: 20 });
  expect(upTo.versions.map(({ versionNumber }) => versionNumber)).toEqual([8, 6, 4]);
  expect((await setup.call("version.list", { artifactId, author: "agt_4", limit: 20 })).versions).toEqual([]);
  expect((await setup.call("version.list", { artifactId, limit: 20 })).authors).toBeUndefined();
});

test("neither reads the versions of others", async () => {
  const artifactId = await published(20_000);
  await setup.db.run("ANALYZE version");
  const wanted = { author: "agt_3", before: null, count: 101 };
  const query = versionRows(setup.db, wanted, { artifactId, latestVersion: 20_000 }).toSQL();
  const asked: readonly (readonly [string, unknown[]])[] = [
    [query.sql, query.params],
    [authorsStatement, [uuidOf("art", artifactId)]],
  ];
  for (const [statement, parameters] of asked) {
    const [row] = await setup.db.run<Record<string, [{ Plan: Plan }]>>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
      parameters,
    );
    expect(mostRows(Object.values(row ?? {})[0]?.[0].Plan), statement).toBeLessThanOrEqual(101);
  }
});

interface Plan {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** The most rows that any step of a plan has read. */
const mostRows = (plan: Plan | undefined): number =>
  plan === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(
        (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"],
        ...(plan.Plans ?? []).map(mostRows),
      );
