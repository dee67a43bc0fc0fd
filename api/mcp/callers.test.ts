// Checks that depend on HTTP only: the host, the origin, the method.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createService, type Service } from "../test/service.ts";
import { speakTo } from "./test/messages.ts";

const allowed = "https://inspector.example";

let service: Service;
let as: string;
beforeAll(async () => {
  service = await createService({ mcpAllowedOrigins: [allowed] });
  as = (await service.setup.person()).token;
});
afterAll(() => service.close());

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const accept = "application/json, text/event-stream";
const post = (headers: Record<string, string>) =>
  service.ask("POST", "/mcp", { as, body: ping, headers: { accept, ...headers } });

describe("Host", () => {
  test.each(["plinth.test", "plinth.test:8080", "localhost:1", "127.0.0.1", "[::1]:3000", "LOCALHOST"])(
    "%s is a name of this instance",
    async (host) => {
      expect((await post({ host })).status).toBe(200);
    },
  );

  test.each([
    "evil.example",
    "plinth.test.evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "a b",
    "0.0.0.0",
  ])("%s is refused, with a credential or without", async (host) => {
    const refused = await post({ host });
    expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: "forbidden" })]);
    expect((await service.ask("POST", "/mcp", { body: ping, headers: { host } })).status).toBe(403);
    expect(refused.headers.has("www-authenticate")).toBe(false);
  });
});

describe("Origin", () => {
  const good = [
    "http://plinth.test",
    allowed,
    "http://localhost",
    "http://localhost:6274",
    "https://localhost:1",
    "http://127.0.0.1:9",
    "http://[::1]:5173",
  ];
  test.each(good)("%s may ask and read the answer", async (origin) => {
    for (const response of [await post({ origin }), await service.ask("POST", "/mcp", { headers: { origin } })]) {
      expect([200, 401]).toContain(response.status);
      expect(response.headers.get("access-control-allow-origin")).toBe(origin);
      expect(response.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
      expect(response.headers.has("access-control-allow-credentials")).toBe(false);
      expect(response.headers.get("vary")).toBe("origin");
    }
  });

  const bad = [
    "null",
    "https://evil.example",
    "http://inspector.example",
    "https://inspector.example:8443",
    "https://inspector.example.evil.example",
    "http://plinth.test:8080",
    "https://plinth.test",
    "http://localhost.evil.example",
    "chrome-extension://abcdef",
    "file://",
    "not an origin",
    "*",
  ];
  test.each(bad)("%s is refused, asked before or at once, and reads nothing", async (origin) => {
    const asked = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    };
    for (const response of [await post({ origin }), await service.ask("OPTIONS", "/mcp", { headers: asked })]) {
      expect(response.status).toBe(403);
      expect(response.headers.has("access-control-allow-origin")).toBe(false);
      expect(response.headers.get("vary")).toBe("origin");
    }
  });

  test("a program sends none", async () => {
    const response = await post({});
    expect([response.status, response.headers.has("access-control-allow-origin")]).toEqual([200, false]);
  });

  test("a browser is told which headers it may send, without a credential", async () => {
    const asked = { origin: allowed, "access-control-request-method": "POST" };
    const preflight = await service.ask("OPTIONS", "/mcp", { headers: asked });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "POST"]);
    const sent = preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(", ");
    const needed = ["authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "x-share-token"];
    expect(sent).toEqual(expect.arrayContaining(needed));
    expect(sent).not.toContain("cookie");
  });
});

test.each(["GET", "DELETE", "PUT", "PATCH", "HEAD"])("%s is no way to speak to it", async (method) => {
  for (const caller of [{ as }, {}]) {
    const response = await service.ask(method, "/mcp", { ...caller, headers: { accept: "text/event-stream" } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32_000 } });
  }
});

test("every answer forbids caching and names its request", async () => {
  const mcp = speakTo(service);
  const headers = { "x-request-id": "request-of-a-test" };
  const answers = [
    await mcp.send("tools/list", {}, { as, headers }),
    await mcp.send("tools/list", {}, { as, headers, revision: "2025-06-18" }),
    await mcp.send("tools/list", {}, { headers }),
    await mcp.send("nothing", {}, { as, headers }),
    await service.ask("GET", "/mcp", { headers }),
    await service.ask("OPTIONS", "/mcp", { headers }),
    await service.ask("POST", "/mcp", { as, headers, body: "{" }),
    await service.ask("POST", "/mcp", { as, headers: { ...headers, host: "evil.example" } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 405, 204, 400, 403]);
  for (const { headers: said } of answers) {
    expect(said.get("cache-control")).toBe("no-store");
    expect(said.get("x-content-type-options")).toBe("nosniff");
    expect(said.get("x-request-id")).toBe("request-of-a-test");
    expect(said.get("vary")).toBe("origin");
    expect(said.has("set-cookie")).toBe(false);
    expect(said.has("mcp-session-id")).toBe(false);
  }
});
