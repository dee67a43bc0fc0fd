// Jobs that render: markdown before its first reader, and all renderings again after the renderers have changed.
import { afterAll, expect, test } from "bun:test";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import type { RendererName } from "../content/renderers.ts";
import { rendered } from "../content/renderings.ts";
import { rendererVersion } from "../render/version.ts";
import { packText, textOf, unpackSync } from "../storage/pack.ts";
import { createSetupWithProject } from "../test/context.ts";
import { halfOf } from "../threads/fair-queue.ts";
import { closeThreads, holdPlace, placesLoad, placesOfOne } from "../threads/pool.ts";
import { fill, occupy, work } from "../threads/test/work.ts";
import { headsRendered } from "./render-heads.ts";
import { runJob } from "./run.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(async () => {
  await closeThreads();
  await setup.close();
});

const host = () => ({ db: setup.db, config: setup.instance.config, billing: null, renderer: null });
const sha256Of = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const publish = (type: ArtifactType, content: string) => setup.publish(owner.token, project, { type, content });

/** The stored renderings of a content, by renderer. */
async function stored(content: string): Promise<Record<string, string>> {
  const rows = await setup.db.run<{ renderer: string; data: Uint8Array }>(
    "SELECT renderer, data FROM rendering WHERE sha256 = decode($1, 'hex') ORDER BY renderer",
    [sha256Of(content)],
  );
  return Object.fromEntries(rows.map(({ renderer, data }) => [renderer, textOf(unpackSync(data))]));
}

/** As an earlier version of the product would have left it. */
async function storeAs(content: string, type: ArtifactType, renderer: string, text: string): Promise<void> {
  const values = [sha256Of(content), type, renderer, await packText(text)];
  await setup.db.run("DELETE FROM rendering WHERE sha256 = decode($1, 'hex')", [values[0]]);
  await setup.db.run(
    "INSERT INTO rendering (sha256, type, renderer, data) VALUES (decode($1, 'hex'), $2, $3, $4::bytea)",
    values,
  );
}

const read = async (name: RendererName, type: ArtifactType, content: string) =>
  (await rendered(setup.db, { sha256: sha256Of(content), type, name }, new TextEncoder().encode(content), work())).text;

async function runHeads(artifactIds: readonly string[], jobId: string): Promise<void> {
  await runJob(host(), "head", { artifactIds }, jobId);
  await headsRendered();
}

test("the job of a new head renders its markdown; twice is once", async () => {
  const content = "# Rendered ahead";
  const { artifactId } = await publish("md", content);
  expect(await stored(content)).toEqual({});
  await runHeads([artifactId], "job_1");
  const made = await stored(content);
  expect(Object.keys(made)).toEqual([rendererVersion.md]);
  expect(Object.values(made)[0]).toContain("Rendered ahead");
  await runHeads([artifactId], "job_2");
  expect(await stored(content)).toEqual(made);
});

test("html and deleted artifacts need no rendering, and of many published at once each is rendered", async () => {
  const html = await publish("html", "<p>As it is</p>");
  const gone = await publish("md", "# Deleted since");
  await setup.call("artifact.delete", { artifactId: gone.artifactId }, { as: owner.token });
  await runHeads([html.artifactId, gone.artifactId], "job_3");
  expect([await stored("<p>As it is</p>"), await stored("# Deleted since")]).toEqual([{}, {}]);

  const contents = Array.from({ length: 16 }, (_, n) => `# One of many ${n}`);
  const artifacts = await Promise.all(contents.map((content) => publish("md", content)));
  await runHeads(
    artifacts.map(({ artifactId }) => artifactId),
    "job_4",
  );
  for (const content of contents) expect(Object.keys(await stored(content))).toEqual([rendererVersion.md]);
});

test("a fault of the database fails the next job of a head, a document that finds no place does not", async () => {
  const [content, crowded] = ["# Lost with the database", "# Found no place"];
  const [lost, late] = [await publish("md", content), await publish("md", crowded)];
  const away = new Error("the database is away");
  const run: typeof setup.db.run = (text, values) =>
    /^SELECT \S+ convert_to\(\S+ 'UTF8'\)\) AS data FROM content c/.test(text)
      ? Promise.reject(away)
      : setup.db.run(text, values);
  await runJob({ ...host(), db: { ...setup.db, run } }, "head", { artifactIds: [lost.artifactId] }, "job_9");
  await headsRendered();
  await expect(runJob(host(), "head", { artifactIds: [late.artifactId] }, "job_10")).rejects.toBe(away);
  await headsRendered();

  const again = await publish("md", "# Crowded out");
  const release = await occupy(owner.workspaceId);
  const waiting = fill(owner.workspaceId);
  await runHeads([again.artifactId], "job_11");
  await release();
  await waiting;
  expect(await stored("# Crowded out")).toEqual({});
  await runHeads([lost.artifactId, again.artifactId], "job_12");
  for (const each of [content, crowded, "# Crowded out"])
    expect(Object.keys(await stored(each))).toEqual([rendererVersion.md]);
});

test("a head is rendered on its author's account, whichever workspace it is in", async () => {
  const content = "# By a busy author";
  const { artifactId } = await publish("md", content);
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = Array.from({ length: halfOf(placesOfOne) }, (_, n) =>
    holdPlace({ owner: `wsp_${n}`, account: owner.userId, priority: "background" }, () => promise),
  );
  await runJob(host(), "head", { artifactIds: [artifactId] }, "job_13");
  while (placesLoad().waiting === 0) await Bun.sleep(1);
  expect(placesLoad()).toMatchObject({ in_use: halfOf(placesOfOne), waiting: 1 });
  resolve();
  await Promise.all([...held, headsRendered()]);
  expect(Object.keys(await stored(content))).toEqual([rendererVersion.md]);
});

test("what earlier renderers made is renewed, for old versions too, and a renderer that is gone leaves nothing", async () => {
  const contents = { md: "# Renewed", jsx: "export default () => <b>Renewed</b>", lost: "# Of a lost renderer" };
  const { artifactId } = await publish("md", contents.md);
  await setup.call("version.create", { artifactId, content: "# Newer" }, { as: owner.token });
  await publish("jsx", contents.jsx);
  await publish("md", contents.lost);
  await storeAs(contents.md, "md", "md-0", "earlier");
  await storeAs(contents.jsx, "jsx", "jsx-0", "earlier");
  await storeAs(contents.lost, "md", "lost-1", "earlier");
  await runJob(host(), "renderings", {}, "job_5");
  expect(Object.keys(await stored(contents.md))).toEqual([rendererVersion.md]);
  expect((await stored(contents.md))[rendererVersion.md]).toContain("Renewed");
  expect(Object.keys(await stored(contents.jsx))).toEqual([rendererVersion.jsx]);
  expect(await stored(contents.lost)).toEqual({});
});

test("more than one batch is gone through", async () => {
  const contents = Array.from({ length: 20 }, (_, n) => `Paragraph ${n} of an upgrade`);
  for (const content of contents) {
    await publish("md", content);
    await storeAs(content, "md", "md-0", "earlier");
  }
  await runJob(host(), "renderings", {}, "job_6");
  for (const content of contents) expect(Object.keys(await stored(content))).toEqual([rendererVersion.md]);
});

test("jsx that compiles no more is shown as it was made, before the job and after it", async () => {
  const content = "export default () => <b>Shown as it was</b>";
  await publish("jsx", content);
  const broken = "this does not compile {{{";
  await setup.db.run("UPDATE content SET data = $2::bytea WHERE sha256 = decode($1, 'hex')", [
    sha256Of(content),
    await packText(broken),
  ]);
  await storeAs(content, "jsx", "jsx-1", "what an earlier compiler made");
  const asBroken = () =>
    rendered(
      setup.db,
      { sha256: sha256Of(content), type: "jsx", name: "jsx" },
      new TextEncoder().encode(broken),
      work(),
    );
  expect(await asBroken()).toEqual({ text: "what an earlier compiler made", whole: false });
  await runJob(host(), "renderings", {}, "job_7");
  expect(await stored(content)).toEqual({ "jsx-1": "what an earlier compiler made" });
});

test("a reader before the job gets the new rendering", async () => {
  const content = "# Read before the job";
  await publish("md", content);
  await storeAs(content, "md", "md-0", "earlier");
  expect(await read("md", "md", content)).toContain("Read before the job");
  expect(Object.keys(await stored(content)).toSorted()).toEqual(["md-0", rendererVersion.md].toSorted());
  await runJob(host(), "renderings", {}, "job_8");
  expect(Object.keys(await stored(content))).toEqual([rendererVersion.md]);
});

test("no rendering is stored for a content that was purged in between", async () => {
  const content = "# Never published";
  expect(await read("md", "md", content)).toContain("Never published");
  expect(await stored(content)).toEqual({});
});
