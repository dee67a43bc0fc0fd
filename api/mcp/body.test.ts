// Hostile and malformed messages to the MCP endpoint, and the responses: never a server fault, and always a response.
import { afterAll, describe, expect, test } from "bun:test";

import {
  createMcpService,
  modernRevision,
  olderRevisions,
  problemOf,
  type RpcAnswer,
  type ToolAnswer,
} from "./test/messages.ts";

const { service, mcp, as } = await createMcpService();
afterAll(() => service.close());

const accept = "application/json, text/event-stream";
const post = (body: unknown, headers: Record<string, string> = {}) =>
  service.ask("POST", "/mcp", { as, body, headers: { accept, "content-type": "application/json", ...headers } });

async function errorOf(response: Response): Promise<[number, number | undefined, unknown]> {
  const { id, error } = (await response.json()) as RpcAnswer;
  return [response.status, error?.code, id];
}

const call = (id: unknown, name = "whoami", given: unknown = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given },
});

describe("a body that is no message", () => {
  const parse = -32_700;
  const invalid = -32_600;
  const cases: readonly [string, unknown, number][] = [
    ["nothing", undefined, parse],
    ["an empty text", "", parse],
    ["half a text", '{"jsonrpc":', parse],
    ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), parse],
    ["null", "null", invalid],
    ["a number", "1", invalid],
    ["a text", '"tools/list"', invalid],
    ["an empty object", "{}", invalid],
    ["an empty batch", "[]", invalid],
    ["a batch in a batch", '[[{"jsonrpc":"2.0","id":1,"method":"ping"}]]', invalid],
    ["another JSON-RPC", '{"jsonrpc":"1.0","id":1,"method":"ping"}', invalid],
    ["a method that is a number", '{"jsonrpc":"2.0","id":1,"method":1}', invalid],
  ];
  test.each(cases)("%s", async (_, body, code) => {
    expect((await errorOf(await post(body))).slice(0, 2)).toEqual([400, code]);
  });

  test("a stream that ends at once", async () => {
    const empty = new ReadableStream({ start: (controller) => controller.close() });
    expect(await errorOf(await post(empty))).toEqual([400, parse, null]);
  });

  test("a compressed one is not read", async () => {
    const body = Bun.gzipSync(JSON.stringify(call(1)));
    expect(await errorOf(await post(body, { "content-encoding": "gzip" }))).toEqual([400, parse, null]);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
  ])("%s, which a page could send without asking, is not taken", async (type) => {
    expect(await errorOf(await post(JSON.stringify(call(1)), { "content-type": type }))).toEqual([415, -32_000, null]);
  });

  test("one that is too large, with its length or without", async () => {
    const large = `"${"x".repeat(64 * 1024 * 6 + 256 * 1024)}"`;
    expect((await errorOf(await post(large))).slice(0, 2)).toEqual([413, -32_000]);
    const stream = new Blob([large]).stream();
    expect((await errorOf(await post(stream))).slice(0, 2)).toEqual([413, -32_000]);
  });

  test("brackets in brackets are refused before anything walks them", async () => {
    const levels = 100_000;
    const well = "[".repeat(levels) + "]".repeat(levels);
    const rest = '"jsonrpc":"2.0","id":1,"method":"tools/call"';
    const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"${modernRevision}","x":${well}}`;
    const bodies = [
      well,
      `{${rest},"params":{"name":"whoami","arguments":{"a":${well}}}}`,
      `[{${rest},"params":{"name":"whoami","arguments":{"a":${well}}}}]`,
      `{${rest},"params":{"name":"whoami","arguments":{},${meta}}}`,
      `{${rest},"params":${well}}`,
    ];
    for (const body of bodies) expect(await errorOf(await post(body))).toEqual([400, -32_600, null]);
  });

  test("more values than any message has are refused before anything walks them", async () => {
    const wide = `[${"[[]],".repeat(5000)}0]`;
    const capabilities = `{"experimental":{"a":{"b":${wide}}}}`;
    const clientInfo = '"clientInfo":{"name":"x","version":"1"}';
    const bodies = [
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",${clientInfo},"capabilities":${capabilities}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":${wide}}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${Array.from({ length: 10_000 }, (_, at) => `"k${at}":1`).join(",")}}}`,
      wide,
    ];
    for (const body of bodies) expect(await errorOf(await post(body))).toEqual([400, -32_600, null]);
  });

  test("arguments may be as deep as any body", async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    for (const levels of [14, 15]) {
      const { result } = (await (await post(call(1, "whoami", { a: nested(levels) }))).json()) as {
        result: ToolAnswer;
      };
      expect(problemOf(result)).toMatchObject({ code: "invalid_request" });
    }
    expect((await post(call(1, "whoami", { a: nested(17) }))).status).toBe(400);
  });
});

describe("identifiers", () => {
  test.each([0, -1, 7, Number.MAX_SAFE_INTEGER, "", "a", "\u0000", "😀", "x".repeat(10_000)])(
    "%p comes back as it was",
    async (id) => {
      for (const revision of [modernRevision, ...olderRevisions] as const) {
        const answer = await mcp.send("tools/call", { name: "whoami", arguments: {} }, { as, id, revision });
        expect([answer.status, ((await answer.json()) as RpcAnswer).id]).toEqual([200, id]);
      }
    },
  );

  test.each(["null", "true", "1.5", "1e300", "{}", "[]", '{"a":1}'])("%s is none", async (text) => {
    const id: unknown = JSON.parse(text);
    expect((await errorOf(await post(call(id)))).slice(0, 2)).toEqual([400, -32_600]);
  });
});

describe("messages", () => {
  test("a notification and a response get an empty 202", async () => {
    for (const message of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      { jsonrpc: "2.0", method: "nothing" },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } },
      [{ jsonrpc: "2.0", method: "notifications/initialized" }],
    ]) {
      const answer = await post(message);
      expect([answer.status, await answer.text()]).toEqual([202, ""]);
    }
  });

  test.each(["nothing/here", "__proto__", "constructor", "toString", "logging/setLevel", ""])(
    "%p is no method",
    async (method) => {
      expect((await errorOf(await post({ jsonrpc: "2.0", id: 3, method }))).slice(1)).toEqual([-32_601, 3]);
    },
  );

  test.each(["nothing", "__proto__", "constructor", "hasOwnProperty", "", "WHOAMI", "x".repeat(10_000)])(
    "%p is no tool",
    async (name) => {
      for (const revision of olderRevisions) {
        const answer = await mcp.send("tools/call", { name, arguments: {} }, { as, id: 3, revision });
        expect((await errorOf(answer)).slice(1)).toEqual([-32_602, 3]);
      }
      expect((await errorOf(await mcp.send("tools/call", { name, arguments: {} }, { as, id: 3 }))).slice(1)).toEqual([
        -32_602, 3,
      ]);
    },
  );

  test("arguments with names that every object has are fields like any other", async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami",
      "arguments":{"__proto__":{"detail":"detailed"},"constructor":{"prototype":{"polluted":1}},"toString":1}}}`;
    const { result } = (await (await post(body)).json()) as { result: ToolAnswer };
    const problem = problemOf(result) as { code: string; errors: { path: string; message: string }[] };
    expect(problem.code).toBe("invalid_request");
    for (const { message } of problem.errors) expect(message).toStartWith("is not a known field");
    expect(problem.errors.map(({ path }) => path)).toEqual(expect.arrayContaining(["constructor", "toString"]));
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("an own field by such a name reaches no operation", async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_project",
      "arguments":{"__proto__":{"slug":"polluted","title":"P","icon":"p"}}}}`;
    const { result } = (await (await post(body)).json()) as { result: ToolAnswer };
    expect(problemOf(result)).toMatchObject({ code: "invalid_request" });
  });

  test("missing arguments mean no arguments", async () => {
    for (const params of [{ name: "whoami" }, { name: "whoami", arguments: null }]) {
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      const { result } = (await (await post(body)).json()) as { result: ToolAnswer };
      expect(result.isError).toBeUndefined();
    }
    for (const given of [[], 1, "x"])
      expect((await errorOf(await post(call(1, "whoami", given)))).slice(1)).toEqual([-32_602, 1]);
  });

  test("an unsupported revision is refused", async () => {
    expect((await post(call(1), { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
    expect((await post(call(1), { "mcp-protocol-version": "2099-01-01" })).status).toBe(400);
  });

  test("headers that name another tool than the body are refused", async () => {
    const before = await service.setup.count("audit_event");
    const given = { slug: "by-header", title: "P", icon: "p" };
    const headers = { "mcp-name": "whoami" };
    const answer = await mcp.send("tools/call", { name: "create_project", arguments: given }, { as, headers });
    expect(answer.status).toBe(400);
    expect(await service.setup.count("audit_event")).toBe(before);
  });
});

describe("batches, which 2025-03-26 has", () => {
  const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
  const many = (count: number) => Array.from({ length: count }, (_, id) => ping(id));

  test("each message gets its answer, at most 100 of them", async () => {
    const answers = (await (await post(many(100))).json()) as RpcAnswer[];
    expect(answers.map(({ id }) => id)).toEqual(many(100).map(({ id }) => id));
    expect((await errorOf(await post(many(101)))).slice(0, 2)).toEqual([400, -32_600]);
  });

  test("one bad message spoils all, and nothing is done", async () => {
    const before = await service.setup.count("audit_event");
    const write = call(1, "create_project", { slug: "of-a-batch", title: "P", icon: "p" });
    for (const bad of [1, null, { jsonrpc: "2.0" }, { jsonrpc: "2.0", id: {}, method: "ping" }])
      expect((await errorOf(await post([write, bad])))[0]).toBe(400);
    expect(await service.setup.count("audit_event")).toBe(before);
  });

  test("a request that is taken back in the same batch is answered nevertheless", async () => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    for (const body of [
      [call(7), cancel],
      [cancel, call(7)],
      [call(7), cancel, call(8)],
    ]) {
      const answers = (await (await post(body)).json()) as RpcAnswer | RpcAnswer[];
      expect([answers].flat().map(({ id }) => id)).toContain(7);
    }
  });

  test("two requests with the same identifier do not block each other", async () => {
    expect((await post([call(7), call(7)])).status).toBe(200);
    expect((await post([ping(7), call(7), ping(7)])).status).toBe(200);
  });
});

test("a client that listens for changes is told at once that there are none: no stream stays open", async () => {
  const notifications = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ["artifact://art_00000000000000000000000000/v/1"],
  };
  // More than any limit on open streams, which would lock out all other callers.
  for (let streams = 0; streams < 100; streams++) {
    const answer = await mcp.send("subscriptions/listen", { notifications }, { as, id: 5 });
    const events = (await answer.text()).split("\n").filter((line) => line.startsWith("data: "));
    const [first, last] = [events[0], events.at(-1)].map((line) => JSON.parse((line ?? "").slice(6)) as object);
    expect(first).toMatchObject({ params: { notifications: {} } });
    expect(last).toMatchObject({ id: 5, result: { resultType: "complete" } });
  }
});
