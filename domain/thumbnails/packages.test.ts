// The screenshot of an html document is taken with its packages: it waits for the first lock, and is taken again when a
// later lock has more. Its files are those of the lock and no others.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { requestLocks } from "../content/request-locks.ts";
import { runJob, type JobHost } from "../jobs/run.ts";
import { startRegistry, type TestRegistry } from "@plinth/support/package-registry";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";
import { testRenderer, type TestRenderer } from "./test/renderer.ts";

setDefaultTimeout(60_000);

let registry: TestRegistry;
let setup: Setup;
let owner: TestPerson;
let project: string;
let renderer: TestRenderer;
let host: JobHost;
beforeAll(async () => {
  registry = await startRegistry();
  await registry.publish("chart", "4.4.0", { "dist/chart.js": 'import "./part.js";', "dist/part.js": "part" });
  await registry.publish("other", "1.0.0", { "a.js": "other" });
  setup = await createSetup({ packageRegistry: registry.url });
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});
beforeEach(async () => {
  renderer = testRenderer();
  host = { db: setup.db, config: setup.instance.config, billing: null, renderer };
  await setup.db.run("DELETE FROM artifact");
  await setup.db.run("DELETE FROM outbox");
});
afterAll(async () => {
  await closeThreads();
  await setup.close();
  await registry.close();
});

const script = (url: string) => `<script type="module" src="https://unpkg.com/${url}"></script>`;

async function publish(content: string): Promise<string> {
  const { artifactId } = await setup.publish(owner.token, project, { type: "html", content });
  await setup.db.run("DELETE FROM outbox");
  await runJob(host, "head", { artifactIds: [artifactId] }, "job");
  return artifactId;
}

const waiting = async (kind: string) => (await setup.db.run("SELECT FROM outbox WHERE kind = $1", [kind])).length;

/** As the relay and the worker do, for one kind. */
async function run(kind: "thumbnail" | "packages", artifactId: string, by = host): Promise<void> {
  await setup.db.run("UPDATE outbox SET handed_over_at = now() WHERE kind = $1", [kind]);
  await runJob(by, kind, { artifactId, versionNumber: 1 }, "job", true).catch(() => undefined);
}
const away = () => ({ ...host, config: { ...host.config, packageRegistry: "http://127.0.0.1:1" } });

test("no screenshot is taken before the lock is there; then one is, with the packages", async () => {
  const artifactId = await publish(script("chart@4.4.0/dist/chart.js"));
  expect([await waiting("thumbnail"), await waiting("packages")]).toEqual([1, 1]);
  await run("thumbnail", artifactId);
  expect([renderer.captured.length, await waiting("thumbnail")]).toEqual([0, 0]);
  await run("packages", artifactId);
  expect(await waiting("thumbnail")).toBe(1);
  await run("thumbnail", artifactId);
  expect(await waiting("thumbnail")).toBe(0);
  const [document] = renderer.captured;
  const [, path = ""] = /src="(\/_packages\/[^"]+)"/.exec(document?.html ?? "") ?? [];
  expect(document?.headers["content-security-policy"]).toContain("/_packages/");
  const text = async (at: string) => {
    const file = await renderer.fileAt?.(at);
    return file ? new TextDecoder().decode(file.bytes) : null;
  };
  expect(await text(path)).toBe('import "./part.js";');
  expect(await text(path.replace("chart.js", "part.js"))).toBe("part");
  const foreign = await publish(script("other@1.0.0/a.js"));
  await run("packages", foreign);
  const [other] = await setup.db.run<{ sha256: string }>(
    "SELECT encode(sha256, 'hex') AS sha256 FROM package WHERE name = 'other'",
  );
  for (const at of [`/_packages/${other?.sha256}/a.js`, `${path}/../part.js`, "/_packages/%E0%A4%A/x", "/api/health"])
    expect([at, await text(at)]).toEqual([at, null]);
});

test("a screenshot gets the files of packages that a script takes from elsewhere", async () => {
  await registry.publish("mathjax", "4.1.3", { "tex-chtml.js": "M" });
  await registry.publish("@mathjax/mathjax-newcm-font", "4.1.3", { "chtml/woff2/a.woff2": "font" });
  const artifactId = await publish(`<script src="https://cdn.jsdelivr.net/npm/mathjax@4/tex-chtml.js"></script>`);
  await run("packages", artifactId);
  await run("thumbnail", artifactId);
  const [document] = renderer.captured;
  const [, font = ""] = /"(\/_packages\/[0-9a-f]{64})"\)<\/script>/.exec(document?.html ?? "") ?? [];
  expect(font).not.toBe("");
  const file = await renderer.fileAt?.(`${font}/chtml/woff2/a.woff2`);
  expect(new TextDecoder().decode(file?.bytes)).toBe("font");
});

test("a screenshot without all packages is shown until a later lock has more, then taken again", async () => {
  const artifactId = await publish(script("chart@4.4.0/dist/chart.js") + script("late@1.0.0/a.js"));
  await run("packages", artifactId, away());
  await run("thumbnail", artifactId);
  expect([renderer.captured.length, await waiting("thumbnail")]).toEqual([1, 0]);
  await registry.publish("late", "1.0.0", { "a.js": "late" });
  await requestLocks(setup.db, [{ artifactId, versionNumber: 1 }]);
  await run("packages", artifactId);
  const [row] = await setup.db.run<{ version: number; shown: boolean }>(
    "SELECT version_number AS version, large IS NOT NULL AS shown FROM thumbnail WHERE artifact_id = $1",
    [uuidOf("art", artifactId)],
  );
  expect(row).toEqual({ version: 1, shown: true });
  await run("thumbnail", artifactId);
  expect([renderer.captured.length, await waiting("thumbnail")]).toEqual([2, 0]);
  expect(renderer.captured[1]?.html).not.toContain("unpkg.com");
});

test("a lock that is written while the screenshot is taken: it is taken again", async () => {
  const artifactId = await publish(script("chart@4.4.0/dist/chart.js"));
  await setup.db.run("DELETE FROM outbox WHERE kind = 'packages'");
  renderer.duringCapture = async () => {
    renderer.duringCapture = null;
    await run("packages", artifactId);
  };
  await run("thumbnail", artifactId);
  expect(await waiting("thumbnail")).toBe(1);
  await run("thumbnail", artifactId);
  expect(renderer.captured.map(({ html }) => html.includes("/_packages/"))).toEqual([false, true]);
  expect(await waiting("thumbnail")).toBe(0);
});

test("a document whose lock could not be written, and one that loads no packages, are taken as they are", async () => {
  const plain = await publish("<p>plain</p>");
  await run("packages", plain);
  await run("thumbnail", plain);
  const without = await publish(script("chart@4.4.0/dist/chart.js"));
  await setup.db.run("DELETE FROM outbox WHERE kind = 'packages'");
  await run("thumbnail", without);
  expect(renderer.captured.map(({ html }) => html.includes("unpkg.com"))).toEqual([false, true]);
});

test("an older version's screenshot waits too, and is taken again after a later lock", async () => {
  const artifactId = await publish(script("chart@4.4.0/dist/chart.js"));
  await setup.call("version.create", { artifactId, content: "<p>two" }, { as: owner.token });
  const version = [uuidOf("art", artifactId)];
  await setup.db.run("INSERT INTO version_picture (artifact_id, version_number) VALUES ($1, 1)", version);
  const old = () => runJob(host, "version-picture", { artifactId, versionNumber: 1 }, "job", true);
  await old();
  expect(renderer.captured).toHaveLength(0);
  await run("packages", artifactId);
  await old();
  expect(renderer.captured).toHaveLength(1);
  await setup.db.run("UPDATE package_lock SET is_complete = false WHERE artifact_id = $1", version);
  await run("packages", artifactId);
  expect(await setup.db.run("SELECT FROM version_picture")).toEqual([]);
});
