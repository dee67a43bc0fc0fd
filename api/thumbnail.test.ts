// The screenshot of an artifact over HTTP: its states, its readers, its headers, and the cost of a 304.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { runJob } from "@plinth/domain/jobs/run";
import { CaptureError } from "@plinth/domain/thumbnails/renderer";
import { testRenderer, webp, type TestRenderer } from "@plinth/domain/thumbnails/test/renderer";
import { closeThreads } from "@plinth/domain/threads/pool";

import { createService, type Asked, type Service } from "./test/service.ts";

let service: Service;
let as: string;
let project: string;
let renderer: TestRenderer;

beforeAll(async () => {
  service = await createService();
  ({ token: as } = await service.setup.person());
  project = (await service.setup.project(as)).slug;
});
beforeEach(() => {
  renderer = testRenderer();
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const publish = (more = {}) => service.setup.publish(as, project, more);
const take = ({ artifactId }: { artifactId: string }) =>
  runJob(
    { db: service.setup.db, config: service.setup.instance.config, billing: null, renderer },
    "thumbnail",
    { artifactId },
    "job",
    true,
  );
const ask = ({ artifactId }: { artifactId: string }, query = "", asked: Asked = {}) =>
  service.ask("GET", `/api/artifacts/${artifactId}/thumbnail${query}`, asked);
const tagOf = (response: Response) => response.headers.get("etag") ?? "";
const stateOf = (response: Response) => response.headers.get("x-thumbnail");

test("a screenshot has two sizes, each with its own entity tag", async () => {
  const artifact = await publish();
  await take(artifact);
  const [large, small] = [await ask(artifact), await ask(artifact, "?size=600")];
  for (const response of [large, small]) {
    expect(stateOf(response)).toBe("ready");
    expect(response.headers.get("content-type")).toBe("image/webp");
    expect(response.headers.get("content-disposition")).toEndWith(`${artifact.slug}.webp`);
  }
  expect(await large.bytes()).toEqual(webp(1));
  expect(await small.bytes()).toEqual(webp(1.5));
  expect(await (await ask(artifact, "?size=1200")).bytes()).toEqual(webp(1));
  expect(tagOf(large)).not.toBe(tagOf(small));
});

test("another size, or anything else, is refused", async () => {
  const artifact = await publish();
  for (const query of ["?size=300", "?size=0600", "?size=", "?size=600&size=600", "?version=0"])
    expect((await ask(artifact, query)).status).toBe(400);
});

test("a version by its number: the latest one has the same screenshot, and a missing one is not found", async () => {
  const artifact = await publish();
  expect(tagOf(await ask(artifact, "?version=1"))).toBe(tagOf(await ask(artifact)));
  expect((await ask(artifact, "?version=2")).status).toBe(404);
});

test("until it is there a drawing says so, whose tag is another once it is, and after a new version again", async () => {
  const artifact = await publish({ title: "Quarterly" });
  const tags = new Set<string>();
  const pending = await ask(artifact);
  expect([pending.status, stateOf(pending)]).toEqual([200, "pending"]);
  expect(pending.headers.get("content-type")).toBe("image/svg+xml");
  expect(await pending.text()).toContain("Quarterly");
  tags.add(tagOf(pending));
  await take(artifact);
  const ready = await ask(artifact, "", { headers: { "if-none-match": tagOf(pending) } });
  expect([ready.status, stateOf(ready)]).toEqual([200, "ready"]);
  tags.add(tagOf(ready));
  await service.setup.call("version.create", { artifactId: artifact.artifactId, content: "# Newer" }, { as });
  const again = await ask(artifact, "", { headers: { "if-none-match": tagOf(ready) } });
  expect([again.status, stateOf(again), tagOf(again)]).toEqual([200, "pending", tagOf(pending)]);
  renderer.duringCapture = () => Promise.reject(new CaptureError("crashed", renderer.report));
  await take(artifact);
  const failed = await ask(artifact, "", { headers: { "if-none-match": tagOf(again) } });
  expect([failed.status, stateOf(failed)]).toEqual([200, "placeholder"]);
  tags.add(tagOf(failed));
  expect(tags.size).toBe(3);
});

test("what a caller has already is not sent, and its bytes are not read; either way it is one statement", async () => {
  const artifact = await publish();
  await take(artifact);
  let response = new Response();
  const asked = (held?: string) =>
    service.setup.statementsOf(async () => {
      response = await ask(artifact, "", held === undefined ? {} : { headers: { "if-none-match": held } });
    });
  expect(await asked()).toBe(1);
  const tag = tagOf(response);
  for (const held of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    expect(await asked(held)).toBe(1);
    expect([response.status, tagOf(response), stateOf(response)]).toEqual([304, tag, "ready"]);
  }
  for (const held of [
    '"other"',
    tag.replaceAll('"', ""),
    `"${tag}"`,
    "",
    ",,,",
    `W/W/${tag}`,
    `"${"x".repeat(5000)}"`,
  ]) {
    expect(await asked(held)).toBe(1);
    expect([held, response.status]).toEqual([held, 200]);
    expect(await response.bytes()).toEqual(webp(1));
  }
  const load = async (held: string[]) =>
    (await service.setup.instance.load("thumbnail", { artifact: uuidOf("art", artifact.artifactId), held })).row;
  expect((await load([]))?.picture).toMatchObject({ isTaken: true, bytes: Buffer.from(webp(1)) });
  expect((await load([tag.replaceAll('"', "")]))?.picture).toMatchObject({ isTaken: true, bytes: null });
});

test("a thumbnail follows the artifact's access at once; other callers get 404", async () => {
  const { setup } = service;
  const hidden = await publish({ access: { publicView: false, publicEdit: false } });
  await take(hidden);
  const { token, shareLinkId } = await setup.call(
    "shareLink.create",
    { artifactId: hidden.artifactId, role: "viewer" },
    { as },
  );
  const byLink = { headers: { "x-share-token": token ?? "" } };
  for (const asked of [{ as }, byLink]) {
    const response = await ask(hidden, "", asked);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
  }
  await setup.call("shareLink.revoke", { shareLinkId }, { as });
  const { token: stranger } = await setup.person();
  for (const asked of [{}, byLink, { as: stranger }]) expect((await ask(hidden, "", asked)).status).toBe(404);
  const access = { artifactId: hidden.artifactId, publicView: true, publicEdit: false, viewerEmails: [] };
  await setup.call("access.update", access, { as });
  const open = await ask(hidden);
  expect([open.status, open.headers.get("cache-control")]).toEqual([200, "public, no-cache"]);
  await setup.call("access.update", { ...access, publicView: false }, { as });
  const closed = await ask(hidden, "", { headers: { "if-none-match": tagOf(open) } });
  expect(closed.status).toBe(404);
  await setup.call("artifact.delete", { artifactId: hidden.artifactId }, { as });
  expect((await ask(hidden, "", { as })).status).toBe(404);
});

test("asked for together, each gets its own", async () => {
  const artifacts = await Promise.all(Array.from({ length: 6 }, () => publish()));
  const screenshots: Uint8Array<ArrayBuffer>[] = [];
  for (const artifact of artifacts.slice(0, 5)) {
    await take(artifact);
    screenshots.push(webp(renderer.captured.length));
  }
  const responses = await Promise.all(artifacts.map((artifact) => ask(artifact)));
  expect(responses.map(stateOf)).toEqual(["ready", "ready", "ready", "ready", "ready", "pending"]);
  expect(await Promise.all(responses.slice(0, 5).map((response) => response.bytes()))).toEqual(screenshots);
});
