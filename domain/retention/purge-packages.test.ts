// Packages are purged 30 days after the last lock that named them, with the contents that only they had; a version that is
// locked at the same time keeps its package, or fetches it again; and a version that loses its content loses its lock.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { runJob } from "../jobs/run.ts";
import { saveLock } from "../packages/lock.ts";
import { startRegistry, type TestRegistry } from "@plinth/support/package-registry";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";
import { noDeadline } from "./deadline.ts";
import { pruneVersions } from "./prune-versions.ts";
import { purgePackages } from "./purge-packages.ts";
import { publishOld, violations } from "./test/old-artifacts.ts";

setDefaultTimeout(60_000);

let registry: TestRegistry;
let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  registry = await startRegistry();
  await registry.publish("chart", "1.0.0", { "a.js": "shared", "b.js": "own bytes" });
  await registry.publish("other", "1.0.0", { "a.js": "shared" });
  setup = await createSetup({ packageRegistry: registry.url });
  owner = await setup.person({ plan: "free" });
  project = (await setup.project(owner.token)).slug;
});
beforeEach(async () => {
  for (const table of ["artifact", "package", "outbox"]) await setup.db.run(`DELETE FROM ${table}`);
});
afterAll(async () => {
  await closeThreads();
  await setup.close();
  await registry.close();
});

const host = (packageRegistry: string | null = registry.url) => ({
  db: setup.db,
  config: { ...setup.instance.config, packageRegistry },
  billing: null,
  renderer: null,
});

async function publish(...paths: string[]): Promise<string> {
  const content = paths.map((path) => `<script src="https://unpkg.com/${path}"></script>`).join("");
  const { artifactId } = await setup.publish(owner.token, project, { type: "html", content });
  await runJob(host(), "packages", { artifactId, versionNumber: 1 }, "job");
  return artifactId;
}

const kept = async () =>
  (await setup.db.run<{ name: string }>("SELECT name FROM package ORDER BY name")).map(({ name }) => name);
const passDays = (days: number) =>
  setup.db.run("UPDATE package SET unused_at = unused_at - make_interval(days => $1::int)", [days]);
const forget = (artifactId: string) =>
  setup.db.run("DELETE FROM package_lock WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
const contents = async () => (await setup.db.run("SELECT FROM package_file")).length;

test("a package goes 30 days after its last lock, with its own contents alone", async () => {
  const [chart] = [await publish("chart@1.0.0/a.js", "chart@1.0.0/b.js"), await publish("other@1.0.0/a.js")];
  await purgePackages(setup.db);
  await passDays(40);
  await purgePackages(setup.db);
  expect(await kept()).toEqual(["chart", "other"]);
  await forget(chart);
  await purgePackages(setup.db);
  await passDays(29);
  await purgePackages(setup.db);
  expect(await kept()).toEqual(["chart", "other"]);
  await passDays(2);
  expect(await purgePackages(setup.db)).toBe(true);
  expect([await kept(), await contents()]).toEqual([["other"], 1]);
  expect(await violations(setup)).toEqual([]);
});

test("a package that is named again is kept, and its days begin again", async () => {
  const chart = await publish("chart@1.0.0/a.js");
  await forget(chart);
  await purgePackages(setup.db);
  await passDays(29);
  const again = await publish("chart@1.0.0/a.js");
  await purgePackages(setup.db);
  await forget(again);
  await purgePackages(setup.db);
  await passDays(2);
  await purgePackages(setup.db);
  expect(await kept()).toEqual(["chart"]);
});

test("an instance that fetches nothing keeps its packages", async () => {
  await forget(await publish("chart@1.0.0/a.js"));
  await purgePackages(setup.db);
  await passDays(31);
  await runJob(host(null), "purge", {}, "job");
  expect(await kept()).toEqual(["chart"]);
  await runJob(host(), "purge", {}, "job");
  expect(await kept()).toEqual([]);
});

test("a lock that is being written keeps its package from the purge", async () => {
  const artifactId = await publish("chart@1.0.0/a.js");
  const entries = await setup.db.run<{ entries: unknown }>("SELECT entries FROM package_lock");
  await forget(artifactId);
  await purgePackages(setup.db);
  await passDays(31);
  await holdTransaction(setup.db.url, async (held) => {
    const key = [uuidOf("art", artifactId)];
    await held.run(
      "INSERT INTO package_lock (artifact_id, version_number, entries, is_complete) VALUES ($1, 1, $2::text::jsonb, true)",
      [...key, JSON.stringify(entries[0]?.entries)],
    );
    await held.run("INSERT INTO package_use SELECT $1, 1, sha256 FROM package", key);
    await purgePackages(setup.db);
    await held.commit();
  });
  expect(await kept()).toEqual(["chart"]);
  await purgePackages(setup.db);
  const broken = (await violations(setup)).filter((violation) => violation.includes("lock"));
  expect([await kept(), broken]).toEqual([["chart"], []]);
});

test("a lock waits for a version that is being pruned, and is then not written", async () => {
  const { artifactId } = await setup.publish(owner.token, project, { type: "html", content: "<p>" });
  await holdTransaction(setup.db.url, async (held) => {
    await held.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
    const saving = saveLock(setup.db, { artifactId, versionNumber: 1 }, { entries: [], isComplete: true });
    await held.untilWaitedFor(saving);
    await held.commit();
    await saving;
  });
  expect(await setup.db.run("SELECT FROM package_lock")).toEqual([]);
});

test("a version that loses its content loses its lock", async () => {
  const artifactId = await publishOld(setup, owner, project, [100, 90], (n) => `text ${n}`);
  const lock = "INSERT INTO package_lock (artifact_id, version_number, entries, is_complete) SELECT $1, n, '[]', true";
  await setup.db.run(`${lock} FROM generate_series(1, 2) n`, [uuidOf("art", artifactId)]);
  await pruneVersions(setup.db, new Date(), "retention", noDeadline);
  const left = await setup.db.run<{ version_number: number }>("SELECT version_number FROM package_lock");
  expect(left.map(({ version_number }) => version_number)).toEqual([2]);
});

test("an instance that fetches nothing pins the greatest kept version for new documents", async () => {
  await registry.publish("chart", "1.2.0", { "a.js": "newer" });
  await publish("chart@1.0.0/a.js");
  const content = `<script src="https://unpkg.com/chart@^1/a.js"></script><script src="https://unpkg.com/lost/a.js"></script>`;
  const { artifactId } = await setup.publish(owner.token, project, { type: "html", content });
  await setup.db.run("DELETE FROM outbox");
  await runJob(host(null), "head", { artifactIds: [artifactId] }, "job");
  expect((await setup.db.run("SELECT FROM outbox WHERE kind = 'packages'")).length).toBe(1);
  await runJob(host(null), "packages", { artifactId, versionNumber: 1 }, "job");
  const { packages } = await setup.call("version.packages", { artifactId, versionNumber: 1 });
  expect(packages.map(({ name, version, reason }) => [name, version, reason])).toEqual([
    ["lost", null, "lost is not kept here, and this instance fetches no packages"],
    ["chart", "1.0.0", null],
  ]);
});
