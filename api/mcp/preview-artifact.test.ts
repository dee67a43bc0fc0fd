// `get_artifact_preview`: the screenshot as an image, a short report of the page, and nothing of an earlier version.
import { textOf } from "@plinth/support/mcp-text";
import { afterAll, beforeEach, expect, test } from "bun:test";

import { runJob } from "@plinth/domain/jobs/run";
import { CaptureError } from "@plinth/domain/thumbnails/renderer";
import { testRenderer, webp, type TestRenderer } from "@plinth/domain/thumbnails/test/renderer";
import { closeThreads } from "@plinth/domain/threads/pool";

import { createMcpService, type Revision } from "./test/messages.ts";

const { service, mcp, as } = await createMcpService();
let renderer: TestRenderer;
const project = (await service.setup.project(as)).slug;
beforeEach(() => {
  renderer = testRenderer();
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const publish = () => service.setup.publish(as, project, { type: "html", content: "<p>Text</p>" });
const take = (artifactId: string) =>
  runJob(
    { db: service.setup.db, config: service.setup.instance.config, billing: null, renderer },
    "thumbnail",
    { artifactId },
    "job",
    true,
  );
const preview = (given: Record<string, unknown>, sent: { revision?: Revision } = {}) =>
  mcp.call("get_artifact_preview", given, { as, ...sent });
const image = { type: "image", data: Buffer.from(webp(1.5)).toString("base64"), mimeType: "image/webp" };

test("get_artifact_preview: while the screenshot is pending, the text says to ask again", async () => {
  const { artifactId } = await publish();
  const answer = await preview({ artifactId });
  expect(answer.content).toHaveLength(1);
  expect(textOf(answer)).toEndWith(
    "?v=1 can be shown; its screenshot and page report are pending: ask again soon, or with waitSeconds.",
  );
});

test("get_artifact_preview: the smaller screenshot is an image block in every protocol revision", async () => {
  const { artifactId, url } = await publish();
  await take(artifactId);
  for (const sent of [{}, { revision: "2025-06-18" }, { revision: "2025-03-26" }] as const) {
    const { content } = await preview({ artifactId: url }, sent);
    expect(content.filter(({ type }) => type === "image")).toEqual([image]);
    expect(content[0]?.text).toBe(`${url}?v=1 is shown without errors.`);
  }
});

test("get_artifact_preview: waitSeconds ends as soon as the screenshot is taken", async () => {
  const { artifactId } = await publish();
  const [answer] = await Promise.all([preview({ artifactId, waitSeconds: 30 }), take(artifactId)]);
  expect(textOf(answer)).toEndWith(" is shown without errors.");
  expect(answer.content.filter(({ type }) => type === "image")).toEqual([image]);
});

test("get_artifact_preview: after waitSeconds without a screenshot the answer says that it is pending", async () => {
  const { artifactId } = await publish();
  const began = performance.now();
  expect(textOf(await preview({ artifactId, waitSeconds: 1 }))).toContain(" are pending: ");
  expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
  const answer = await preview({ artifactId, waitSeconds: 31 });
  expect([answer.isError, answer.content[0]?.text]).toEqual([true, expect.stringContaining("waitSeconds")]);
});

test("get_artifact_preview: a client that asks for progress is told while it waits, then gets the answer", async () => {
  const { artifactId } = await publish();
  const params = { name: "get_artifact_preview", arguments: { artifactId, waitSeconds: 30 } };
  const response = await mcp.send("tools/call", params, { as, progressToken: "p1" });
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  // The stream has begun before the screenshot is taken.
  const [text] = await Promise.all([response.text(), take(artifactId)]);
  const messages = [...text.matchAll(/^data: ?(\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as Message);
  const progress = messages.filter(({ method }) => method === "notifications/progress").map((each) => each.params);
  expect(progress[0]).toMatchObject({ progressToken: "p1", total: 30, message: "Waiting for the screenshot" });
  const passed = progress.map((each) => each?.progress ?? -1);
  expect(passed).toEqual(passed.toSorted((a, b) => a - b));
  expect(messages.at(-1)?.result?.content).toContainEqual(image);
});

interface Message {
  readonly method?: string;
  readonly params?: { readonly progress: number };
  readonly result?: { readonly content: readonly object[] };
}

test("what the page said is cut, what warns comes first, and a page's words are quoted", async () => {
  const { artifactId } = await publish();
  renderer.report = {
    errors: Array.from({ length: 30 }, (_, n) => ({ message: `${n}: "${"x".repeat(400)}`, line: n })),
    console: Array.from({ length: 40 }, (_, n) => ({ level: n === 39 ? "error" : "log", text: `line ${n}` })),
  };
  await take(artifactId);
  const answer = await preview({ artifactId });
  const text = textOf(answer);
  const lines = (start: string) => text.split("\n").filter((line) => line.startsWith(start));
  expect([lines("- page error: ").length, lines("- console ").length]).toEqual([10, 10]);
  expect(lines("- console ")[0]).toBe('- console error: "line 39"');
  expect(text.length).toBeLessThan(5000);
  expect(text).toContain(`has 30 errors.\n- page error: "0: \\"xxx`);
  expect(text).toEndWith("\n50 more are left out.");
});

test("get_artifact_preview: a failed capture has no image, but the page report", async () => {
  const { artifactId } = await publish();
  const report = { errors: [{ message: "Too much recursion" }], console: [] };
  renderer.duringCapture = () => Promise.reject(new CaptureError("took too long", report));
  await take(artifactId);
  const answer = await preview({ artifactId });
  expect(textOf(answer)).toEndWith(' has 1 error.\n- no screenshot could be taken\n- page error: "Too much recursion"');
  expect(answer.content).toHaveLength(1);
});

test("get_artifact_preview: an older version has its own page report, and no image", async () => {
  const { artifactId } = await publish();
  renderer.report = { errors: [{ message: "Of the first" }], console: [] };
  await take(artifactId);
  await service.setup.call("version.create", { artifactId, content: "<p>Second</p>" }, { as });
  const [head, earlier] = [await preview({ artifactId }), await preview({ artifactId, versionNumber: 1 })];
  expect(textOf(head)).toContain("?v=2 can be shown; its screenshot and page report are pending: ");
  expect(textOf(earlier)).toEndWith('?v=1 has 1 error.\n- page error: "Of the first"');
  for (const { content } of [head, earlier]) expect(content).toHaveLength(1);
});

test("get_artifact_preview: what the version loads, the missing ones first, at most ten and in short", async () => {
  const images = Array.from({ length: 12 }, (_, n) => `<img src="${n}-${"x".repeat(200)}.png">`).join("");
  const content = `<script src="https://unpkg.com/lost@1.0.0/x.js"></script>${images}`;
  const { artifactId } = await service.setup.publish(as, project, { type: "html", content });
  const loaded = async () =>
    textOf(await preview({ artifactId }))
      .split("\n")
      .filter((line) => line.startsWith("- loads "));
  expect(await loaded()).toEqual([]);
  const config = { ...service.setup.instance.config, packageRegistry: null };
  const host = { db: service.setup.db, config, billing: null, renderer };
  await runJob(host, "packages", { artifactId, versionNumber: 1 }, "job", true);
  const packages = await loaded();
  expect(packages).toHaveLength(11);
  expect(packages[0]).toBe("- loads lost (missing: lost is not kept here, and this instance fetches no packages)");
  expect(packages[1]).toStartWith("- loads 0-xxx");
  expect(packages.at(-1)).toBe("- loads 3 more");
  expect(JSON.stringify(packages).length).toBeLessThan(2500);
});

test("get_artifact_preview: what is shown as written is a warning, quoted", async () => {
  const { artifactId } = await service.setup.publish(as, project, { content: "$\\nope$" });
  expect(textOf(await preview({ artifactId }))).toMatch(
    /\n- warning: "A formula is shown as written: KaTeX parse error: [^\n]*"$/,
  );
});
