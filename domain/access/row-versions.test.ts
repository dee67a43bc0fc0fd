// Rows in memory are compared with the database: each change of a row that they were read from is found, and no change of another row.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createMemory } from "../leases/memory.ts";
import { processClock, times } from "../leases/protocol.ts";
import { createContentCache } from "../storage/cache.ts";
import { createSetup, type Setup, type TestPerson } from "../test/context.ts";
import { createLoad, type DueRow, type Load, type PublicRows } from "./load.ts";
import type { LoadKind, LoadRequest } from "./load-statement.ts";
import { createPublicRows, type PublicRow } from "./public-rows.ts";
import { unchangedOf } from "./row-versions.ts";

let setup: Setup;
let owner: TestPerson;
let rows: PublicRows;
let load: Load;
let now = 0;

beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  const cache = createContentCache();
  rows = createPublicRows(
    createMemory<PublicRow>({ ...processClock, now: () => now }, () => true),
    cache,
  );
  load = createLoad(setup.db, cache, rows);
});
afterAll(() => setup.close());

/** A public artifact with two versions and a file, as each request names it. */
async function publish() {
  const project = await setup.project(owner.token);
  const path = "one.txt";
  const file = new TextEncoder().encode("one");
  const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
  await setup.call("file.upload", { workspaceId: owner.workspaceId, sha256 }, { as: owner.token, file });
  const files = [{ path, sha256 }];
  const { artifactId, slug } = await setup.publish(owner.token, project.slug, { files });
  await setup.call("version.create", { artifactId, content: "# Two", files }, { as: owner.token });
  const artifact = uuidOf("art", artifactId);
  const byAddress = { owner: owner.username, project_slug: project.slug, slug };
  return { artifact, project: uuidOf("prj", project.projectId), ways: { byId: { artifact }, byAddress }, path };
}

type Published = Awaited<ReturnType<typeof publish>>;
type Way = keyof Published["ways"];

/** The row in memory at the end of its time. */
async function dueRow(kind: LoadKind, request: LoadRequest): Promise<DueRow> {
  await load(kind, request);
  now += times.renewsRow;
  const [due] = rows.due() ?? [];
  // It is not in use when the next one is looked for.
  now += times.inUse;
  return due ?? expect.unreachable();
}

/** Each writes a row again, as it is. */
const changes: Readonly<Record<string, (shown: Published) => [string, string]>> = {
  artifact: ({ artifact }) => ["UPDATE artifact SET slug = slug WHERE artifact_id = $1", artifact],
  project: ({ project }) => ["UPDATE project SET slug = slug WHERE project_id = $1", project],
  workspace: () => ["UPDATE workspace SET slug = slug WHERE workspace_id = $1", uuidOf("wsp", owner.workspaceId)],
  "latest version": ({ artifact }) => [
    "UPDATE version SET name = name WHERE artifact_id = $1 AND version_number = 2",
    artifact,
  ],
  "first version": ({ artifact }) => [
    "UPDATE version SET name = name WHERE artifact_id = $1 AND version_number = 1",
    artifact,
  ],
};

const whole = ["artifact", "project", "workspace", "latest version"];
/** The rows that each kind is read from, by the way in which the artifact and the version are named. */
const readFrom: readonly (readonly [LoadKind, Way, 1 | undefined, readonly string[]])[] = [
  ["artifact", "byId", undefined, whole],
  ["artifact", "byAddress", undefined, whole],
  ["version", "byId", undefined, whole],
  ["version", "byAddress", 1, [...whole, "first version"]],
  ["files", "byId", 1, [...whole, "first version"]],
  ["files", "byAddress", undefined, whole],
  ["source", "byId", undefined, ["artifact", "latest version"]],
  ["source", "byId", 1, ["artifact", "first version"]],
  ["source", "byAddress", undefined, whole],
  ["source", "byAddress", 1, ["artifact", "project", "workspace", "first version"]],
  ["file", "byId", undefined, ["artifact", "latest version"]],
  ["file", "byId", 1, ["artifact", "first version"]],
  ["file", "byAddress", undefined, whole],
];

describe.each(readFrom)("%s, %s, version %p", (kind, way, version, from) => {
  test.each(Object.keys(changes))("a change of the %s", async (changed) => {
    const shown = await publish();
    const path = kind === "file" ? { path: shown.path } : {};
    const row = await dueRow(kind, { ...shown.ways[way], ...(version !== undefined && { version }), ...path });
    expect(await unchangedOf(setup.db, [row])).toEqual(new Set([row]));
    const [statement, id] = changes[changed]?.(shown) ?? expect.unreachable();
    await setup.db.run(statement, [id]);
    expect((await unchangedOf(setup.db, [row])).size).toBe(from.includes(changed) ? 0 : 1);
  });
});

test("rows of several kinds are compared together, and each is told apart", async () => {
  const all = await Promise.all([publish(), publish(), publish()]);
  const due: DueRow[] = [];
  for (const { ways } of all)
    for (const kind of ["artifact", "source"] as const) due.push(await dueRow(kind, ways.byAddress));
  const [, changed] = all;
  await setup.db.run("UPDATE artifact SET title = 'New' WHERE artifact_id = $1", [changed?.artifact]);
  const before = setup.db.statements.total;
  const unchanged = await unchangedOf(setup.db, due);
  expect(setup.db.statements.total - before).toBe(2);
  expect(due.map((row) => unchanged.has(row))).toEqual([true, true, false, false, true, true]);
});

test("a row that is due is compared, and read again only where it has changed", async () => {
  const { artifact } = await publish();
  const request = { artifact };
  const titles: (string | undefined)[] = [];
  const read = async () => titles.push((await load("artifact", request)).row?.title);
  await read();
  for (const change of [null, "Changed past the operations"]) {
    if (change !== null)
      await setup.db.run("UPDATE artifact SET title = $2 WHERE artifact_id = $1", [artifact, change]);
    now += change === null ? times.renewsRow : 1;
    const before = setup.db.statements.total;
    await read();
    const statements = change === null ? 1 : 2;
    while (setup.db.statements.total < before + statements) await Bun.sleep(1);
    // Longer than the row had left: it is in memory again once it was renewed.
    now += times.renewsRow - 1;
    while (rows.find("artifact", request) === null) await Bun.sleep(1);
    expect(setup.db.statements.total - before).toBe(statements);
  }
  await read();
  expect(titles).toEqual([titles[0], titles[0], titles[0], "Changed past the operations"]);
});
