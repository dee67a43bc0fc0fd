// The job that draws the diagrams of a version, with a renderer of the test.
import { afterAll, beforeEach, expect, test } from "bun:test";

import { documentDrawings, findDrawings } from "../content/drawings.ts";
import { createSetupWithProject } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";
import { CaptureError, tooLittleCpu } from "../thumbnails/renderer.ts";
import { testRenderer, type TestRenderer } from "../thumbnails/test/renderer.ts";
import { headsRendered } from "./render-heads.ts";
import { runJob, type JobHost } from "./run.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(async () => {
  await closeThreads();
  await setup.close();
});

let renderer: TestRenderer;
let host: JobHost;
beforeEach(async () => {
  renderer = testRenderer();
  host = { db: setup.db, config: setup.instance.config, billing: null, renderer };
  await setup.db.run("DELETE FROM outbox");
});

const fenced = (...sources: readonly string[]): string =>
  sources.map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n`).join("\n");
const sha256Of = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const publish = (content: string) => setup.publish(owner.token, project, { content });
const draw = (artifactId: string, versionNumber = 1, isLastTry = false) =>
  runJob(host, "diagrams", { artifactId, versionNumber }, "job_1", isLastTry);
const drawingsOf = async (content: string) => {
  const found = await findDrawings(setup.db, sha256Of(content));
  return found === null ? null : Object.values(found.byKey);
};
const requested = async () =>
  (await setup.db.run<{ payload: unknown }>("SELECT payload FROM outbox WHERE kind = 'diagrams'")).map(
    ({ payload }) => payload,
  );

test("the job of a new head asks for the drawings of a document with diagrams, where there is a browser", async () => {
  const [some, none] = [await publish(fenced("graph TD; asked")), await publish("# No diagram")];
  const artifactIds = [some.artifactId, none.artifactId];
  await runJob({ ...host, renderer: null }, "head", { artifactIds }, "job_1");
  await headsRendered();
  expect(await requested()).toEqual([]);
  await runJob(host, "head", { artifactIds }, "job_2");
  await headsRendered();
  expect(await requested()).toEqual([{ artifactId: some.artifactId, versionNumber: 1 }]);
});

test("each source is drawn once, a broken one has its problem, and one beyond the bounds is never opened", async () => {
  const content = fenced("graph TD; once", "graph TD; once", "broken", `graph TD; ${"a;".repeat(300)}`);
  const { artifactId } = await publish(content);
  await draw(artifactId);
  expect(renderer.drawn).toEqual(["graph TD; once", "broken"]);
  expect(await drawingsOf(content)).toEqual([
    { svg: "<svg><text>graph TD; once</text></svg>" },
    { caption: '<figcaption class="diagram-problem">It is broken</figcaption>' },
    { caption: expect.stringContaining("too large to draw") },
  ]);
  await draw(artifactId);
  expect(renderer.drawn).toHaveLength(2);
});

test("a new version has only its new diagrams drawn, and an equal content none", async () => {
  const { artifactId } = await publish(fenced("graph TD; kept"));
  await draw(artifactId);
  const content = fenced("graph TD; kept", "graph TD; added");
  await setup.call("version.create", { artifactId, content }, { as: owner.token });
  await draw(artifactId, 2);
  expect(renderer.drawn).toEqual(["graph TD; kept", "graph TD; added"]);
  expect(await drawingsOf(content)).toHaveLength(2);
  const other = await publish(content);
  await draw(other.artifactId);
  expect(renderer.drawn).toHaveLength(2);
});

test("another document gets no drawing of this one, whose author may have taken over the page", async () => {
  await draw((await publish(fenced("graph TD; theirs"))).artifactId);
  await draw((await publish(`Mine\n\n${fenced("graph TD; theirs")}`)).artifactId);
  expect(renderer.drawn).toEqual(["graph TD; theirs", "graph TD; theirs"]);
});

test("a document that exceeds a limit keeps what was drawn before, and is not tried again", async () => {
  const content = fenced("graph TD; first", "graph TD; bomb");
  const { artifactId } = await publish(content);
  renderer.duringDrawing = async () => {
    if (renderer.drawn.length % 2 === 1) throw new CaptureError("took too long", { errors: [], console: [] });
  };
  await draw(artifactId);
  expect(await drawingsOf(content)).toEqual([{ svg: "<svg><text>graph TD; first</text></svg>" }]);
});

test("sixty diagrams are drawn in parts, and one that exceeds a limit leaves out itself alone", async () => {
  const sources = Array.from({ length: 60 }, (_, n) => `graph TD; long${n}`);
  const content = fenced(...sources);
  const { artifactId } = await publish(content);
  let parts = 0;
  const drawPart = renderer.draw.bind(renderer);
  renderer.draw = (page, given, onDrawn) => {
    parts++;
    const place = given.findIndex((one) => one.includes("long20"));
    if (place === -1) return drawPart(page, given, onDrawn);
    return drawPart(page, given.slice(0, place), onDrawn).then(() => {
      throw new CaptureError("took too long", { errors: [], console: [] });
    });
  };
  await draw(artifactId);
  expect(parts).toBeGreaterThan(5);
  expect(await drawingsOf(content)).toHaveLength(59);
  expect(renderer.drawn).toHaveLength(59);
});

test("a job that is tried again goes on with what it had drawn", async () => {
  const content = fenced(...Array.from({ length: 30 }, (_, n) => `graph TD; again${n}`));
  const { artifactId } = await publish(content);
  renderer.duringDrawing = async () => {
    if (renderer.drawn.length === 20) throw new CaptureError(tooLittleCpu, { errors: [], console: [] });
  };
  await expect(draw(artifactId)).rejects.toThrow(tooLittleCpu);
  expect(await drawingsOf(content)).toBeNull();
  renderer.duringDrawing = null;
  await draw(artifactId);
  expect(await drawingsOf(content)).toHaveLength(30);
  expect(renderer.drawn).toHaveLength(30);
});

test("a fault of the browser is tried again", async () => {
  const content = fenced("graph TD; again");
  const { artifactId } = await publish(content);
  renderer.duringDrawing = async () => {
    throw new Error("The browser did not start");
  };
  await expect(draw(artifactId)).rejects.toThrow("did not start");
  expect(await drawingsOf(content)).toBeNull();
  renderer.duringDrawing = null;
  await draw(artifactId);
  expect(await drawingsOf(content)).toHaveLength(1);
});

test("a busy machine decides nothing about a document", async () => {
  const content = fenced("graph TD; busy");
  const { artifactId } = await publish(content);
  renderer.duringDrawing = async () => {
    throw new CaptureError(tooLittleCpu, { errors: [], console: [] });
  };
  await expect(draw(artifactId, 1, true)).rejects.toThrow(tooLittleCpu);
  expect(await drawingsOf(content)).toBeNull();
});

test("the document of a reader has its drawings, within moments in a process that knew of none", async () => {
  const content = fenced("graph TD; read");
  const { artifactId } = await publish(content);
  const html = '<figure class="mermaid"><pre><code>graph TD; read</code></pre></figure>';
  expect(await documentDrawings(setup.db, sha256Of(content), "<p></p>")).toBeUndefined();
  expect((await documentDrawings(setup.db, sha256Of(content), html))?.digest).toBe("undrawn");
  await draw(artifactId);
  const drawings = await documentDrawings(setup.db, sha256Of(content), html);
  expect(Object.keys(drawings?.byKey ?? {})).toHaveLength(1);
  expect(drawings?.digest).not.toBe("undrawn");
});

test("deleted artifacts are not drawn, and without a browser none", async () => {
  const { artifactId } = await publish(fenced("graph TD; nowhere"));
  await runJob({ ...host, renderer: null }, "diagrams", { artifactId, versionNumber: 1 }, "job_1");
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await draw(artifactId);
  expect(renderer.drawn).toEqual([]);
});
