// The packages of a version as its readers are told: pinned, being fetched, or missing with the true reason; and asking
// again, which changes nothing that is pinned.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import type { UsedPackage } from "@plinth/contract/schemas/package";

import { examine } from "../doctor/examine.ts";
import { runJob } from "../jobs/run.ts";
import { startRegistry, type TestRegistry } from "@plinth/support/package-registry";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";

setDefaultTimeout(60_000);

let registry: TestRegistry;
let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  registry = await startRegistry();
  await registry.publish("chart", "4.4.0", { "dist/chart.js": "old" });
  await registry.publish("lines", "7.9.0", { "dist/lines.js": "lines" });
  setup = await createSetup({ packageRegistry: registry.url });
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});
beforeEach(() => setup.db.run("DELETE FROM outbox"));
afterAll(async () => {
  await closeThreads();
  await setup.close();
  await registry.close();
});

const chart = "https://unpkg.com/chart@4/dist/chart.js";
const lines = "https://cdn.jsdelivr.net/npm/lines/dist/lines.js";
const scripts = (...urls: string[]) => urls.map((url) => `<script src="${url}"></script>`).join("");

async function publish(content: string, type: "html" | "md" = "html"): Promise<string> {
  const { artifactId } = await setup.publish(owner.token, project, { type, content });
  await setup.db.run("DELETE FROM outbox");
  return artifactId;
}

/** Runs the job for the first version; what it could not get is told by the list. */
async function run(artifactId: string, packageRegistry: string | null = registry.url): Promise<void> {
  const config = { ...setup.instance.config, packageRegistry };
  const host = { db: setup.db, config, billing: null, renderer: null };
  await runJob(host, "packages", { artifactId, versionNumber: 1 }, "job", true).catch(() => undefined);
}

async function list(artifactId: string, as: string | null = owner.token): Promise<UsedPackage[]> {
  const input = { artifactId, versionNumber: 1 };
  return (await setup.call("version.packages", input, as === null ? {} : { as })).packages;
}
const retry = (artifactId: string) =>
  setup.call("version.retryPackages", { artifactId, versionNumber: 1 }, { as: owner.token });

const kept = { state: "kept", reason: null, remedy: null } as const;
const jobs = () => setup.count("outbox");

test("first what is being fetched, then what is pinned, each with the URLs that ask for it", async () => {
  const artifactId = await publish(scripts(chart, `${chart}?v=2`, lines));
  expect(await list(artifactId)).toEqual([
    { name: "chart", version: null, urls: [chart, `${chart}?v=2`], state: "fetching", reason: null, remedy: null },
    { name: "lines", version: null, urls: [lines], state: "fetching", reason: null, remedy: null },
  ]);
  await run(artifactId);
  const pinned = [
    { ...kept, name: "chart", version: "4.4.0", urls: [chart, `${chart}?v=2`] },
    { ...kept, name: "lines", version: "7.9.0", urls: [lines] },
  ] satisfies UsedPackage[];
  expect(await list(artifactId, null)).toEqual(pinned);
  const at = { owner: owner.username, projectSlug: project };
  const { slug } = await setup.call("artifact.get", { artifactId });
  expect(await setup.call("artifact.getByPath", { ...at, slug, withPackages: true })).toMatchObject({
    packages: pinned,
  });
  expect(await setup.call("artifact.getByPath", { ...at, slug })).not.toHaveProperty("packages");
  const { packages } = await setup.call("artifact.preview", { artifactId });
  expect(packages).toEqual(["chart 4.4.0", "lines 7.9.0"]);
});

test("what is missing has its reason and a remedy, and names no machine", async () => {
  const artifactId = await publish(
    `${scripts("https://unpkg.com/chart@4.4.0/dist/foo.js", "https://unpkg.com/nothing-here/a.js", chart)}
     <img src="./logo.png?v=1"><img src="https://example.com/x.png"><script src="assets/app.js"></script>
     <link rel="stylesheet" href="../style.css"><a href="other.html">`,
  );
  await run(artifactId);
  const rows = (await list(artifactId)).map(({ state, reason, remedy }) => [state, reason, remedy]);
  expect(rows).toEqual([
    ["missing", "chart has no file dist/foo.js", "Name a file that the package has."],
    ["missing", "The registry has no package nothing-here", "Correct the name in the URL."],
    ...["logo.png", "assets/app.js", "../style.css"].map((file) => [
      "missing",
      `${file} was beside the file and was not published`,
      "Put it into the document, for example as a data: URL.",
    ]),
    ["kept", null, null],
  ]);
  const sha256 = new Bun.CryptoHasher("sha256").digest("hex");
  await setup.call("file.upload", { sha256 }, { as: owner.token });
  const { artifactId: filed } = await setup.publish(owner.token, project, {
    type: "html",
    content: '<img src="logo.png"><img src="../img/a%20b.png"><img src="gone.png">',
    files: ["guide/logo.png", "img/a b.png"].map((path) => ({ path, sha256 })),
    documentPath: "guide/index.html",
  });
  await run(filed);
  expect((await list(filed)).map(({ reason }) => reason)).toEqual([
    "gone.png was beside the file and was not published",
  ]);
  const away = await publish(scripts(lines));
  await run(away, "http://127.0.0.1:1");
  expect(await list(away)).toEqual([
    {
      name: "lines",
      version: null,
      urls: [lines],
      state: "missing",
      reason: "The registry did not answer",
      remedy: "It is tried again. To ask at once, retry.",
    },
  ]);
});

test("the author and the time of a version come along where they are asked for", async () => {
  const artifactId = await publish("text", "md");
  const path = { artifactId, versionNumber: 1 };
  const { createdBy, createdAt } = (await setup.call("version.list", { artifactId })).versions[0] ?? {};
  expect(await setup.call("version.packages", { ...path, withAuthor: true })).toMatchObject({ createdBy, createdAt });
  expect(await setup.call("version.packages", path)).not.toContainAnyKeys(["createdBy", "createdAt"]);
});

test("asking again: what is missing comes, what is pinned stays, and one job at most waits", async () => {
  const late = "https://unpkg.com/late@1/a.js";
  const artifactId = await publish(scripts(chart, late));
  await run(artifactId);
  expect((await list(artifactId)).map(({ name, state }) => [name, state])).toEqual([
    ["late", "missing"],
    ["chart", "kept"],
  ]);
  await registry.publish("chart", "4.5.0", { "dist/chart.js": "newer" });
  await registry.publish("late", "1.0.0", { "a.js": "late" });
  for (let n = 0; n < 3; n++) await retry(artifactId);
  expect(await jobs()).toBe(1);
  await run(artifactId);
  expect((await list(artifactId)).map(({ name, version }) => `${name} ${version}`)).toEqual([
    "chart 4.4.0",
    "late 1.0.0",
  ]);
  await setup.db.run("DELETE FROM outbox");
  await retry(artifactId);
  expect(await jobs()).toBe(0);
});

test("one family of fonts that is missing is named by its own package, and asked for again with the others kept", async () => {
  await registry.publish("@fontsource/noto-serif", "5.0.0", { "400.css": "n" });
  const url = "https://fonts.googleapis.com/css?family=Noto+Serif:400%7CDroid+Sans+Mono:400";
  const artifactId = await publish(`<link rel="stylesheet" href="${url}">`);
  await run(artifactId);
  expect(await list(artifactId)).toEqual([
    {
      name: "@fontsource/droid-sans-mono",
      version: null,
      urls: [url],
      state: "missing",
      reason: "The registry has no package @fontsource/droid-sans-mono",
      remedy: "Correct the name in the URL.",
    },
    { ...kept, name: "@fontsource/noto-serif", version: "5.0.0", urls: [url] },
  ]);
  await registry.publish("@fontsource/droid-sans-mono", "5.0.0", { "400.css": "d" });
  await retry(artifactId);
  expect(await jobs()).toBe(1);
  await run(artifactId);
  expect((await list(artifactId)).map(({ name, state }) => [name, state])).toEqual([
    ["@fontsource/noto-serif", "kept"],
    ["@fontsource/droid-sans-mono", "kept"],
  ]);
});

test("a package that a script takes from elsewhere is listed, and the version uses it", async () => {
  await registry.publish("mathjax", "4.1.3", { "tex-chtml.js": "M" });
  await registry.publish("@mathjax/mathjax-newcm-font", "4.1.3", { "chtml/woff2/a.woff2": "a" });
  const url = "https://cdn.jsdelivr.net/npm/mathjax@4/tex-chtml.js";
  const artifactId = await publish(scripts(url));
  await run(artifactId);
  expect(await list(artifactId)).toEqual([
    { ...kept, name: "mathjax", version: "4.1.3", urls: [url] },
    { ...kept, name: "@mathjax/mathjax-newcm-font", version: "4.1.3", urls: [] },
  ]);
  expect((await examine(setup.db)).filter(({ problems }) => problems > 0)).toEqual([]);
});

test("a retry that is under way is told as fetching", async () => {
  const artifactId = await publish(scripts("https://unpkg.com/lines@7/dist/lines.js"));
  await run(artifactId, "http://127.0.0.1:1");
  const { packages } = await retry(artifactId);
  expect(packages.map(({ name, state, reason }) => [name, state, reason])).toEqual([["lines", "fetching", null]]);
  await run(artifactId);
  expect((await list(artifactId)).map(({ state }) => state)).toEqual(["kept"]);
});

test("nothing is asked for again where a file beside the document is missing alone, nor for other types", async () => {
  const [alone, text] = [await publish(`<img src="logo.png">`), await publish("# Text", "md")];
  await run(alone);
  for (const artifactId of [alone, text]) await retry(artifactId);
  expect([await jobs(), await list(text)]).toEqual([0, []]);
});
