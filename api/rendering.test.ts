// The response for a document that is not rendered yet, and the storage of a busy renderer's result: none.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { headsRendered } from "@plinth/domain/jobs/render-heads";
import { runJob } from "@plinth/domain/jobs/run";
import { on } from "@plinth/domain/telemetry";
import type { TestPerson } from "@plinth/domain/test/context";
import { closeThreads } from "@plinth/domain/threads/pool";
import { fill, occupy } from "@plinth/domain/threads/test/work";

import { createService, type Service } from "./test/service.ts";

setDefaultTimeout(60_000);

let service: Service;
/** A service whose readers do not wait for renderings. */
let hasty: Pick<Service, "ask">;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  service = await createService({ maxContentBytes: 16 * 1024 * 1024 });
  const { instance } = service.setup;
  hasty = { ask: service.askOf({ ...instance, config: { ...instance.config, renderWaitMs: 0 } }) };
  owner = await service.setup.person();
  project = (await service.setup.project(owner.token)).slug;
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

/** The account for the renderings of readers without a credential. */
const reader = "address:192.0.2.1";

const publish = (content: string, type: "md" | "jsx" = "md") =>
  service.setup.publish(owner.token, project, { type, content });
const steady = ({ artifactId }: { artifactId: string }) => `/_content/p/${artifactId}/1`;

async function read(by: Pick<Service, "ask">, path: string) {
  const response = await by.ask("GET", path);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** The tasks of renderers that ended during the work. */
async function tasksOf(run: () => Promise<unknown>): Promise<string[]> {
  const tasks: string[] = [];
  const unsubscribe = on({ rendering: ({ renderer, outcome }) => void tasks.push(`${renderer} ${outcome}`) });
  await run();
  unsubscribe();
  return tasks;
}

test("a reader before the rendering sees the text, which no cache keeps, and the document once it is made", async () => {
  const artifact = await publish("---\ntitle: x\n---\n# First & <b>last</b>\n\nOne\ntwo");
  const release = await occupy(reader);
  const pending = await read(hasty, steady(artifact));
  expect([pending.status, pending.headers.get("etag"), pending.headers.get("cache-control")]).toEqual([
    200,
    null,
    "private, no-store",
  ]);
  expect(pending.html).toContain("Still rendering");
  expect(pending.html).toContain('<meta http-equiv="refresh" content="3">');
  expect(pending.html).toContain(
    '<p dir="auto"># First &amp; &lt;b&gt;last&lt;/b&gt;</p>\n<p dir="auto">One<br>\ntwo</p>',
  );
  expect(pending.html).not.toContain("title: x");
  expect(pending.html).not.toContain("source-lines");
  await release();
  const done = await read(service, steady(artifact));
  expect(done.html).toMatch(/<h1[^>]*>.*First/s);
  expect(done.html).not.toContain("Still rendering");
  expect([done.headers.get("etag"), done.headers.get("cache-control")]).toEqual([
    expect.any(String),
    "public, no-cache",
  ]);
  expect((await read(hasty, steady(artifact))).html).toBe(done.html);
});

test("readers who come together share one rendering, however often they ask", async () => {
  const artifact = await publish("# Shared");
  const tasks = await tasksOf(async () => {
    const release = await occupy(reader);
    for (let n = 0; n < 40; n++) expect((await read(hasty, steady(artifact))).html).toContain("Still rendering");
    await release();
    await Promise.all(Array.from({ length: 10 }, () => read(service, steady(artifact))));
  });
  expect(tasks).toEqual(["markdown done"]);
});

test("a line that is full: documents show their text, publishing jsx is busy with Retry-After, and nothing of it is kept", async () => {
  const artifact = await publish("# Crowded");
  const release = await occupy(owner.workspaceId);
  const waiting = fill(owner.workspaceId);
  const { url } = await service.setup.call("artifact.ticket", { artifactId: artifact.artifactId }, { as: owner.token });
  expect((await read(service, new URL(url).pathname)).html).toContain("Still rendering");
  const headers = { authorization: `Bearer ${owner.token}`, "content-type": "application/json" };
  const body = JSON.stringify({
    projectSlug: project,
    slug: service.setup.name("crowded"),
    type: "jsx",
    title: "Crowded",
    content: "export default () => 1",
    access: { publicView: true, publicEdit: false },
  });
  const refused = await service.ask("POST", "/api/artifacts", { headers, body });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({ code: "busy", retryAfterSeconds: 5 });
  const other = await service.setup.person();
  const otherProject = await service.setup.project(other.token);
  const jsx = { type: "jsx" as const, content: "export default () => 1" };
  expect(await service.setup.publish(other.token, otherProject.slug, jsx)).toMatchObject({ type: "jsx" });
  await release();
  await waiting;
  expect((await read(service, steady(artifact))).html).toMatch(/<h1[^>]*>.*Crowded/s);
  expect((await service.ask("POST", "/api/artifacts", { headers, body })).status).toBe(201);
});

test("the source view shows the plain source until it is highlighted", async () => {
  const artifact = await publish("# Plain");
  const release = await occupy(reader);
  const plain = await read(hasty, `${steady(artifact)}/source`);
  expect(plain.html).toContain('<span class="line" id="L1"># Plain</span>');
  expect(plain.headers.get("etag")).toBeNull();
  await release();
  const done = await read(service, `${steady(artifact)}/source`);
  expect(done.html).toContain('id="L1"><span class');
  expect(done.headers.get("etag")).not.toBeNull();
});

test("strangers have documents rendered on their own account: neither they nor the workspace wait for the other", async () => {
  const [artifact, previewed, unread] = [
    await publish("# Read"),
    await publish("# Looked at"),
    await publish("# Unread"),
  ];
  const stranger = await service.setup.person();
  const releaseOwner = await occupy(owner.workspaceId);
  const waitingOwner = fill(owner.workspaceId);
  expect((await read(service, steady(artifact))).html).toMatch(/<h1[^>]*>.*Read/s);
  expect(
    await service.setup.call("artifact.preview", { artifactId: previewed.artifactId }, { as: stranger.token }),
  ).toMatchObject({ shownAs: "document" });
  await releaseOwner();
  await waitingOwner;

  const releaseReader = await occupy(reader);
  const waitingReader = fill(reader);
  expect((await read(service, steady(unread))).html).toContain("Still rendering");
  expect(await publish("export default () => 2", "jsx")).toMatchObject({ type: "jsx" });
  await releaseReader();
  await waitingReader;
});

test("a rendering that waits on a stranger's account is done at a member's turn, once", async () => {
  const artifact = await publish("# Waited for by both");
  const { artifactId } = artifact;
  const release = await occupy(reader);
  const tasks = await tasksOf(async () => {
    expect((await read(hasty, steady(artifact))).html).toContain("Still rendering");
    expect(await service.setup.call("artifact.preview", { artifactId }, { as: owner.token })).toMatchObject({
      shownAs: "document",
    });
    await release();
    expect((await read(service, steady(artifact))).html).toMatch(/<h1[^>]*>.*Waited/s);
  });
  expect(tasks).toEqual(["markdown done"]);
});

test("the preview of a document waits for its rendering, and says busy rather than that it is source", async () => {
  const { artifactId } = await publish("# Previewed");
  const release = await occupy(owner.workspaceId);
  const waiting = fill(owner.workspaceId);
  const refusal = await service.setup.refusal("artifact.preview", { artifactId }, { as: owner.token });
  expect(refusal).toMatchObject({ code: "busy", status: 503 });
  await release();
  await waiting;
  expect(await service.setup.call("artifact.preview", { artifactId }, { as: owner.token })).toMatchObject({
    shownAs: "document",
    errors: [],
  });
});

test("what takes too much processor time is shown as source, tried once, and kept by no browser", async () => {
  // Takes many times the limit of processor time, and little memory until then.
  const artifact = await publish("[".repeat(14_000_000));
  const { artifactId } = artifact;
  const tasks = await tasksOf(async () => {
    for (let n = 0; n < 3; n++) {
      const { html, headers } = await read(service, steady(artifact));
      expect([html.includes("source-lines"), headers.get("etag")]).toEqual([true, null]);
    }
    const preview = await service.setup.call("artifact.preview", { artifactId }, { as: owner.token });
    expect([preview.shownAs, preview.errors]).toEqual(["source", [{ message: expect.stringContaining("processor") }]]);
  });
  // The text with its line numbers is made outside the server too.
  expect(tasks).toEqual(["markdown late", "plainSource done"]);
});

test("the job after publishing gives way to the reader's own: a rendering in the background is hastened", async () => {
  const artifacts = [await publish("# Behind 1"), await publish("# Behind 2")];
  const release = await occupy(owner.workspaceId, reader);
  const { db, config } = service.setup.instance;
  const host = { db, config, billing: null, renderer: null };
  const tasks = await tasksOf(async () => {
    await runJob(host, "head", { artifactIds: artifacts.map(({ artifactId }) => artifactId) }, "job_1");
    for (const artifact of artifacts) expect((await read(hasty, steady(artifact))).html).toContain("Still rendering");
    await release();
    for (const artifact of artifacts) expect((await read(service, steady(artifact))).html).toContain("Behind");
    await headsRendered();
  });
  expect(tasks).toEqual(["markdown done", "markdown done"]);
});

/** Takes many parts; no other test has the same formulas. */
const lecture = (name: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `Step ${n}: $\\frac{${name}_{${n}}^2+\\sqrt{b}}{c_{${n}}}$ gives\n`).join(
    "\n",
  );
const typeset = (html: string): number => html.split('<span class="katex">').length - 1;

test("a long document is shown from its start while the rest is made, then whole; the second reader pays nothing", async () => {
  const artifact = await publish(lecture("s", 900));
  const first = await read(service, steady(artifact));
  expect(first.html).toContain('http-equiv="refresh"');
  expect([first.headers.get("etag"), first.headers.get("cache-control")]).toEqual([null, "private, no-store"]);
  expect(first.html).toContain("Step 899");
  expect(typeset(first.html)).toBeGreaterThan(0);
  expect(typeset(first.html)).toBeLessThan(900);
  const { artifactId } = artifact;
  expect(await service.setup.call("artifact.preview", { artifactId }, { as: owner.token })).not.toHaveProperty(
    "warnings",
  );
  const tasks = await tasksOf(async () => {
    const { html, headers } = await read(service, steady(artifact));
    expect([typeset(html), html.includes('http-equiv="refresh"')]).toEqual([900, false]);
    expect(headers.get("etag")).not.toBeNull();
  });
  expect(tasks).toEqual([]);
}, 240_000);

test("the next version of a long document has only its new formulas made, by a process that knows the earlier ones from the store", async () => {
  const { artifactId } = await publish(lecture("v", 600));
  const preview = (versionNumber: number) =>
    service.setup.call("artifact.preview", { artifactId, version: versionNumber }, { as: owner.token });
  await preview(1);
  const content = `${lecture("v", 600)}\n\nAnd $new$.`;
  await service.setup.call("version.create", { artifactId, content }, { as: owner.token });
  expect(await tasksOf(() => preview(2))).toEqual(["markdown done", "pieces done"]);
  // A reader who is no member shares no memory with the workspace: the store has them.
  const third = `${content}\n\n$newer$`;
  await service.setup.call("version.create", { artifactId, content: third }, { as: owner.token });
  expect(await tasksOf(() => read(service, `/_content/p/${artifactId}/3`))).toEqual(["markdown done", "pieces done"]);
});

test("the preview names formulas that are shown as they were written", async () => {
  const { artifactId } = await publish("$\\nope$ and $x$");
  const tasks = await tasksOf(async () => {
    expect(await service.setup.call("artifact.preview", { artifactId }, { as: owner.token })).toMatchObject({
      shownAs: "document",
      errors: [],
      warnings: [expect.stringMatching(/^A formula is shown as written: KaTeX parse error/)],
    });
  });
  // Of a large document there are so many that the server's process would not get to anything else.
  expect(tasks).toEqual(["markdown done", "shownAsWritten done"]);
});
