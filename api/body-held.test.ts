// The memory that a large body reserves: as many bytes as have arrived, until its request is answered in any way.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";
import { mintToken } from "@plinth/domain/tokens/token";
import type { TestPerson } from "@plinth/domain/test/context";
import { closeThreads } from "@plinth/domain/threads/pool";

import { readBounded } from "./body.ts";
import { bodyRoom, createBodyRoom, type BodyRoom } from "./body-room.ts";
import { modernRevision } from "./mcp/test/messages.ts";
import { createService, origin, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let project: string;
let artifactId: string;
beforeAll(async () => {
  service = await createService({ maxContentBytes: 200_000 });
  owner = await service.setup.person();
  project = (await service.setup.project(owner.token)).slug;
  ({ artifactId } = await service.setup.publish(owner.token, project));
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

interface Sent {
  readonly path: string;
  readonly body: string | ReadableStream;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

const send = ({ path, body, headers = {}, signal }: Sent): Promise<Response> => {
  const sent = { authorization: `Bearer ${owner.token}`, "content-type": "application/json", ...headers };
  const init = { method: "POST", headers: sent, body, ...(signal && { signal }) };
  return service.api(new Request(origin + path, init), "192.0.2.1");
};

const text = "x".repeat(50_000);
const byRest = (content = text): Sent => ({
  path: `/api/artifacts/${artifactId}/versions`,
  body: JSON.stringify({ content }),
});
const byMcp = (content = text): Sent => ({
  path: "/mcp",
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "update_artifact",
      arguments: { artifactId, content },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": modernRevision,
        "io.modelcontextprotocol/clientInfo": { name: "test-client", version: "1.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  }),
  headers: {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": modernRevision,
    "mcp-method": "tools/call",
    "mcp-name": "update_artifact",
  },
});

/** Sends the body while publishing is blocked, and returns the outcome once publishing works again. */
async function whileLocked(sent: Sent, whileHeld: () => void | Promise<void>): Promise<Response> {
  return holdTransaction(service.setup.db.url, async (held) => {
    await held.run("SELECT FROM artifact WHERE artifact_id = $1 FOR UPDATE", [uuidOf("art", artifactId)]);
    const answering = send(sent);
    await held.untilWaitedFor(answering);
    await whileHeld();
    await held.commit();
    return answering;
  });
}

test.each([
  ["REST", byRest, '"versionNumber":'],
  ["MCP", byMcp, " is version "],
] as const)(
  "%s: the room of a body is held while its text is published, and is given back with the answer",
  async (_, sent, published) => {
    const one = sent(crypto.randomUUID() + text);
    const answer = await whileLocked(one, () => expect(bodyRoom.heldBytes).toBe((one.body as string).length));
    expect(answer.status).toBeLessThan(300);
    expect(await answer.text()).toContain(published);
    expect(bodyRoom.heldBytes).toBe(0);
  },
);

test("MCP: a client that hangs up gives no room back while its tool goes on", async () => {
  const hangUp = new AbortController();
  const one = byMcp(crypto.randomUUID() + text);
  const answer = await whileLocked({ ...one, signal: hangUp.signal }, async () => {
    hangUp.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(bodyRoom.heldBytes).toBe((one.body as string).length);
  });
  await answer.text();
  expect(bodyRoom.heldBytes).toBe(0);
});

/** Fails after its beginning, as when the connection is lost. */
const cutOff = () =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(30_000).fill(0x20));
      controller.error(new DOMException("gone", "AbortError"));
    },
  });

test("after requests that end in every way nothing of the room is held", async () => {
  const { url } = await service.setup.call("artifact.draftTicket", { artifactId }, { as: owner.token });
  const form = { "content-type": "application/x-www-form-urlencoded", origin, "sec-fetch-dest": "iframe" };
  const spaces = " ".repeat(50_000);
  const [rest, mcp] = [byRest(), byMcp()];
  const forged = { authorization: `Bearer ${mintToken("apiKey")}` };
  const sent: readonly (readonly [Sent, number])[] = [
    [rest, 201],
    [mcp, 200],
    [{ ...rest, body: `${spaces}{` }, 400],
    [{ ...mcp, body: `${spaces}{` }, 400],
    [{ ...rest, body: "[".repeat(50_000) }, 400],
    [{ ...mcp, body: "[".repeat(50_000) }, 400],
    [{ ...rest, body: `{"unknown":"${text}"}` }, 400],
    [byRest("x".repeat(200_001)), 413],
    [byRest("x".repeat(2_000_000)), 413],
    [{ ...rest, headers: forged }, 401],
    [{ ...mcp, headers: { ...mcp.headers, ...forged } }, 401],
    [{ ...rest, path: "/api/artifacts/art_00000000000000000000000000/versions" }, 404],
    [{ ...rest, body: cutOff() }, 400],
    [{ ...mcp, body: cutOff() }, 400],
    [{ path: new URL(url).pathname, body: `content=${text}`, headers: form }, 200],
    [{ path: new URL(url).pathname, body: `content=${text.repeat(20)}`, headers: form }, 413],
    [{ path: "/api/nowhere", body: text }, 404],
  ];
  const all = [...sent, ...sent, ...sent];
  const answers = await Promise.all(all.map(([one]) => send({ ...one, body: fresh(one.body) })));
  expect(answers.map(({ status }) => status)).toEqual(all.map(([, status]) => status));
  expect(bodyRoom.heldBytes).toBe(0);
});

/** A stream can be read once only. */
const fresh = (body: Sent["body"]) => (typeof body === "string" ? body : cutOff());

const bounds = { waiting: { ofOne: 10, inAll: 100 }, waitMs: 60_000, promptMs: 60_000 };

/** A client that declares the length of a body, sends a part of it, and the rest on request. */
function client(room: BodyRoom, key: string, lengthBytes: number, firstBytes: number) {
  const more = Promise.withResolvers<void>();
  const state = { read: 0, isCancelled: false, leave: () => undefined as void };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (state.read > 0) await more.promise;
        const chunk = new Uint8Array(state.read === 0 ? firstBytes : lengthBytes - state.read);
        state.read += chunk.length;
        if (chunk.length === 0) controller.close();
        else controller.enqueue(chunk);
      },
      cancel() {
        state.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-length": String(lengthBytes) };
  const done = readBounded(new Request(origin, { method: "POST", headers, body }), {
    limitBytes: lengthBytes,
    identify: () => Promise.resolve(key),
    keep: (leave) => (state.leave = leave),
    room,
  });
  return Object.assign(state, { done, send: more.resolve });
}

async function untilHeld(room: BodyRoom, bytes: number): Promise<void> {
  while (room.heldBytes !== bytes) await Bun.sleep(1);
}

test("a body that arrives slowly holds only the bytes that have arrived, and other bodies are read at the same time", async () => {
  const room = createBodyRoom({ ...bounds, bytes: 200_000, bytesOfOne: 200_000 });
  const slow = Array.from({ length: 20 }, (_, n) => client(room, `slow ${n}`, 100_000, 1000));
  await untilHeld(room, 20_000);
  const prompt = client(room, "prompt", 150_000, 50_000);
  prompt.send();
  expect(await prompt.done).toHaveLength(150_000);
  expect(room.heldBytes).toBe(170_000);
  prompt.leave();
  for (const one of slow) one.send();
  for (const one of slow) {
    expect(await one.done).toHaveLength(100_000);
    one.leave();
  }
  expect(room.heldBytes).toBe(0);
});

test("bodies that fill the room and stop arriving are stopped once others wait for it", async () => {
  const room = createBodyRoom({ ...bounds, bytes: 200_000, bytesOfOne: 200_000, promptMs: 1 });
  const slow = ["a", "b"].map((key) => client(room, key, 100_001, 100_000));
  await untilHeld(room, 200_000);
  const [first] = slow;
  for (const one of slow) void one.done.catch(() => one.leave());
  const prompt = client(room, "c", 50_000, 20_000);
  prompt.send();
  expect(await prompt.done).toHaveLength(50_000);
  expect(first?.done).rejects.toMatchObject({ code: "unavailable" });
  expect(slow.map(({ isCancelled }) => isCancelled)).toEqual([true, false]);
  slow[1]?.send();
  await slow[1]?.done;
  for (const one of [...slow, prompt]) one.leave();
  expect(room.heldBytes).toBe(0);
});
