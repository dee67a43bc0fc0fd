// The events of an artifact over a real connection, from a server that listens like the instance's.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { connect } from "node:net";

import { uuidOf } from "@plinth/db/columns";
import { until } from "@plinth/domain/events/test/listener";

import { createService, type Service } from "./test/service.ts";

let service: Service;
let server: ReturnType<typeof Bun.serve>;
let token: string;
let projectSlug: string;
let artifactId: string;

beforeAll(async () => {
  service = await createService();
  server = Bun.serve({ port: 0, idleTimeout: 60, fetch: (request) => service.api(request, "192.0.2.1") });
  ({ token } = await service.setup.person());
  projectSlug = (await service.setup.project(token)).slug;
});
beforeEach(async () => {
  ({ artifactId } = await service.setup.publish(token, projectSlug));
});
afterAll(async () => {
  await server.stop(true);
  await service.close();
});

const path = () => `/api/artifacts/${artifactId}/events`;
const ask = (headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(new URL(path(), server.url), { ...init, headers });
const publish = (changelog: string | null = null) =>
  service.setup.call("version.create", { artifactId, content: "x", ...(changelog && { changelog }) }, { as: token });

/** A stream while it is read: `text` grows, `done` is whether it has ended. */
function follow(response: Response) {
  const state = { text: "", done: false };
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of response.body ?? []) state.text += decoder.decode(chunk, { stream: true });
  })()
    .catch(() => "the test has left")
    .finally(() => (state.done = true));
  return state;
}

test("it says where it begins, then each event with its identifier; its headers keep it from being kept or gathered", async () => {
  const leaving = new AbortController();
  const response = await ask({}, { signal: leaving.signal });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-accel-buffering": "no",
    "x-request-id": expect.any(String),
  });
  const stream = follow(response);
  await until(() => stream.text !== "");
  expect(stream.text).toBe("retry: 2000\nid: 1.1\n\n");
  // Text of people stays one line of data, with any content.
  const { createdAt } = await publish("one\ndata: two\r\n\r\nevent: deleted\u2028");
  const data = { artifactId, versionNumber: 2, changelog: "one\ndata: two\r\n\r\nevent: deleted\u2028", createdAt };
  const first = `event: version\ndata: ${JSON.stringify(data)}\nid: 2.1\n\n`;
  await until(() => stream.text.endsWith("id: 2.1\n\n"));
  expect(stream.text).toBe(`retry: 2000\nid: 1.1\n\n${first}`);
  leaving.abort();
});

test("Last-Event-ID goes on, and the end is an end of the answer", async () => {
  await publish();
  await publish();
  const stream = follow(await ask({ "last-event-id": "1.1", authorization: `Bearer ${token}` }));
  await until(() => stream.text.includes("id: 3.1"));
  expect(stream.text.match(/^id: .*/gm)?.map(String)).toEqual(["id: 1.1", "id: 2.1", "id: 3.1"]);
  await service.setup.call("artifact.delete", { artifactId }, { as: token });
  await until(() => stream.done);
  expect(stream.text).toEndWith(`event: deleted\ndata: ${JSON.stringify({ artifactId })}\n\n`);
  expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(404);
});

test("an unknown parameter is 400, HEAD is answered by the head alone, and neither holds a place", async () => {
  expect((await fetch(new URL(`${path()}?lastEventId=1.1`, server.url))).status).toBe(400);
  // One IP address may hold so many streams; a stream whose place was not released would fail this.
  for (let n = 0; n < 40; n++) {
    const head = await ask({}, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([200, "text/event-stream", ""]);
  }
});

test("a stream that ends gives its place back; the one past the bound is told when to come again", async () => {
  // Without the network: a client holds no more than 256 connections.
  const open = () => Promise.resolve(service.api(new Request(new URL(path(), server.url)), "192.0.2.9"));
  const streams = await Promise.all(Array.from({ length: 256 }, open));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const refused = await open();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("10");
  expect(await refused.json()).toMatchObject({ code: "rate_limited", retryAfterSeconds: 10 });
  await Promise.all(streams.map(({ body }) => body?.cancel()));
  await until(async () => {
    const again = await open();
    await again.body?.cancel();
    return again.status === 200;
  });
});

test("a reader who takes nothing is held in little memory, and told all of it once when they read again", async () => {
  // More than the buffers of a connection hold; no caller could write it.
  await service.setup.db.run(
    `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by, changelog)
     SELECT v.artifact_id, n, v.sha256, v.size_bytes, v.created_by, repeat('x', 100000)
     FROM version v, generate_series(2, 101) n WHERE v.artifact_id = $1`,
    [uuidOf("art", artifactId)],
  );
  await service.setup.db.run("UPDATE artifact SET latest_version = 101 WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);
  const socket = connect(Number(server.port), "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  await new Promise<void>((resolve) => void socket.on("connect", () => resolve()));
  socket.pause();
  socket.write(`GET ${path()} HTTP/1.1\r\nhost: plinth.test\r\nlast-event-id: 1.1\r\n\r\n`);
  const quick = follow(await ask({ "last-event-id": "1.1" }));
  await until(() => quick.text.includes("id: 101.1"));
  socket.resume();
  await until(() => text.includes("id: 101.1"));
  expect(text.match(/^id: .*/gm)?.map((line) => line.trim())).toEqual(
    Array.from({ length: 101 }, (_, n) => `id: ${n + 1}.1`),
  );
  socket.destroy();
});
