// The number of database pages that lists and searches read among twenty thousand artifacts of which the caller sees
// few; times are not measured. Both the custom and the generic plan are tested, because PostgreSQL switches to the
// generic one after a while.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { connect } from "@plinth/db/connection";
import { limits } from "@plinth/db/limits";

import { createSetup, type Manner, type TestPerson, type Setup } from "../test/context.ts";
import { seedArtifacts } from "./test/seed-artifacts.ts";

const seeded = 20_000;
const listedToThem = 3;
/** Pages for a search that finds a page or two: some forty for each find that is ranked, shown and quoted. */
const bound = 1100;
/** Pages for a search that ranks as much as any may, six for each match. */
const rankedBound = 14_000;
/** Pages for a list: three for each artifact that it shows, and one for each of the newest that could lack a place, 32 of them beyond a page. */
const pageBound = 860;
let setup: Setup;
let owner: TestPerson;
let member: TestPerson;
let listed: TestPerson;
/** A key of a member of one of the workspaces. */
let seededMember: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  member = await setup.person();
  listed = await setup.person({ email: "listed@example.org" });
  // Its statements take as long as the data is large.
  const seeding = connect({ url: setup.db.url, limits: limits.tools, max: 1 });
  await seedArtifacts(seeding, uuidOf("usr", owner.userId), seeded);
  await seeding.close();
  await setup.db.run(`UPDATE artifact SET viewer_emails = ARRAY['listed@example.org']
    WHERE artifact_id IN (SELECT artifact_id FROM artifact WHERE NOT public_view ORDER BY artifact_id LIMIT ${listedToThem})`);
  const insider = await setup.person();
  seededMember = insider.token;
  await setup.db.run(
    `INSERT INTO membership (workspace_id, user_id, role) SELECT workspace_id, $1, 'viewer' FROM workspace WHERE slug = 'seeded-3'`,
    [uuidOf("usr", insider.userId)],
  );
  const { slug } = await setup.project(member.token);
  for (let n = 0; n < 5; n++) {
    await setup.publish(member.token, slug, { title: "Own", access: { publicView: false, publicEdit: false } });
  }
});
afterAll(() => setup.close());

interface Plan {
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
}

interface Statement {
  readonly query: string;
  readonly params: readonly unknown[];
}

/** The list's statement, how many statements the request took, and how many artifacts came. */
async function ask(input: object, manner: Manner) {
  const { statements } = setup.db;
  const before = statements.total;
  const count = statements.logQuery.bind(statements);
  const asked: Statement[] = [];
  statements.logQuery = (...[query, params]: unknown[]) => {
    if (typeof query === "string" && Array.isArray(params)) asked.push({ query, params });
    count(String(query), []);
  };
  const { artifacts } = await setup.call("artifact.list", input, manner);
  statements.logQuery = count;
  return { statement: asked.at(-1), total: statements.total - before, found: artifacts.length };
}

/** Pages read with a custom plan for these parameters, or with the generic plan. */
async function pagesOf({ query, params }: Statement, mode: "force_custom_plan" | "force_generic_plan") {
  const literals = params.map((value) => `'${String(value).replaceAll("'", "''")}'`);
  return setup.db.transaction(async (tx) => {
    await tx.run(`SET LOCAL plan_cache_mode = ${mode}`);
    await tx.run(`PREPARE asked AS ${query}`);
    const given = literals.length === 0 ? "" : `(${literals.join(", ")})`;
    const [row] = await tx.run<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked${given}`,
    );
    await tx.run("DEALLOCATE asked");
    const plan = row?.["QUERY PLAN"][0].Plan;
    return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
  });
}

/** The most that any plan reads. */
const pages = async (statement: Statement | undefined) =>
  statement === undefined
    ? 0
    : Math.max(await pagesOf(statement, "force_custom_plan"), await pagesOf(statement, "force_generic_plan"));

const callers = () => [{}, { as: member.token }, { as: listed.token }, { as: owner.token }];

test("a search asks one statement beside the load, and reads what it finds and little more", async () => {
  // Words of 20 artifacts and of none, a beginning that 21 have, a part of one name, and words of which one is rare.
  for (const q of [
    "rare17x",
    "everywhere rare18x",
    "part1a",
    "nothing",
    "common nothing",
    "eeded nothing",
    "eeded 1999",
  ]) {
    for (const caller of callers()) {
      const { statement, total } = await ask({ q }, caller);
      expect(total).toBe("as" in caller ? 2 : 1);
      expect(await pages(statement), q).toBeLessThanOrEqual(bound);
    }
  }
});

test("a word of thirty in a hundred, of all, and of all that one may not see costs no more than what is ranked", async () => {
  for (const q of ["common", "everywhere", "secret", "everywhere secret", "e", "seeded", "eeded"]) {
    for (const caller of callers()) {
      const { statement } = await ask({ q }, caller);
      expect(await pages(statement), q).toBeLessThanOrEqual(rankedBound);
    }
  }
  const hits = await ask({ q: "secret" }, { as: listed.token });
  expect(hits.found).toBe(listedToThem);
  expect((await ask({ q: "secret" }, { as: member.token })).found).toBe(0);
});

test("what a search costs says nothing of how many are found that one may not see", async () => {
  const costWith = async (count: number) => {
    await setup.db.run(
      `UPDATE search_document SET words = words || 'bait'
       WHERE artifact_id IN (SELECT artifact_id FROM artifact WHERE NOT public_view ORDER BY artifact_id LIMIT $1)`,
      [count],
    );
    await setup.db.run("VACUUM search_document");
    return pages((await ask({ q: "bait" }, {})).statement);
  };
  const none = await costWith(0);
  // The index has more pages for the word; neither a document nor an artifact is read.
  for (const count of [20, 2000, 8000]) expect((await costWith(count)) - none, String(count)).toBeLessThan(30);
});

test("without the index on words the same search reads many times as much", async () => {
  const { statement } = await ask({ q: "rare17x" }, {});
  await setup.db.run("DROP INDEX search_document_public");
  expect(await pages(statement)).toBeGreaterThan(2 * bound);
  await setup.db.run("CREATE INDEX search_document_public ON search_document USING gin (words) WHERE public_view");
});

test("a list reads a page's worth of each rule, however much there is that the caller may not see", async () => {
  const cursor = (await setup.call("artifact.list", { limit: 100 })).nextCursor ?? "";
  for (const input of [{}, { cursor }, { visibility: "private" }, { visibility: "public" }, { owner: "seeded-3" }]) {
    for (const caller of callers()) {
      const { statement } = await ask(input, caller);
      expect(await pages(statement), JSON.stringify(input)).toBeLessThanOrEqual(pageBound);
    }
  }
});

test("a list by last change or by title reads a page's worth, wherever it begins, of a workspace and of a project", async () => {
  for (const sort of ["updated", "title"] as const) {
    for (const place of [{ owner: "seeded-3" }, { owner: "seeded-3", project: "seeded-3" }]) {
      const input = { ...place, sort };
      const cursor = (await setup.call("artifact.list", { ...input, limit: 100 })).nextCursor ?? "";
      const inputs = [
        input,
        { ...input, cursor },
        { ...input, visibility: "private" },
        { ...input, visibility: "public" },
      ];
      for (const asked of inputs) {
        for (const caller of [...callers(), { as: seededMember }]) {
          const { statement, found } = await ask(asked, caller);
          expect(await pages(statement), JSON.stringify(asked)).toBeLessThanOrEqual(pageBound);
          if ("as" in caller && caller.as === seededMember) expect(found).toBe(20);
        }
      }
    }
    const found = await ask({ owner: "seeded-3", sort, q: "everywhere" }, { as: seededMember });
    expect(await pages(found.statement)).toBeLessThanOrEqual(rankedBound);
  }
});

test("without its index a list by title reads many times as much", async () => {
  const { statement } = await ask({ owner: "seeded-3", sort: "title" }, { as: seededMember });
  await setup.db.run("DROP INDEX artifact_order_title");
  expect(await pages(statement)).toBeGreaterThan(600);
});

test("a list of one project reads only that project, and one of an unused type only the visible artifacts", async () => {
  for (const caller of callers()) {
    const ofProject = await ask({ owner: "seeded-3", project: "seeded-3" }, caller);
    expect(await pages(ofProject.statement)).toBeLessThanOrEqual(1300);
    const ofType = await ask({ type: "jsx" }, caller);
    // Four for each candidate: the place in the order, then the artifact.
    expect(await pages(ofType.statement)).toBeLessThanOrEqual(16_000);
  }
});
