import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isApiPath } from "@plinth/contract/api-paths";
import { createApiFetch, createProxy } from "./proxy.ts";

// A real server at the other end, which tells what reached it.
const api = Bun.serve({
  port: 0,
  async fetch(request) {
    const url = new URL(request.url);
    if (url.pathname === "/api/slow") return new Response(slowly());
    if (url.pathname === "/api/moved") return new Response(null, { status: 302, headers: { location: "/elsewhere" } });
    if (url.pathname === "/api/zipped") {
      return new Response(Bun.gzipSync("compressed"), { headers: { "content-encoding": "gzip" } });
    }
    return Response.json(
      {
        method: request.method,
        address: url.pathname + url.search,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      },
      { headers: { "x-kept": "yes", "keep-alive": "timeout=5", "set-cookie": "a=1" } },
    );
  },
});

/** Its second half comes after the client has read the first. */
const firstWasRead = Promise.withResolvers<void>();
const slowly = () =>
  new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode("first"));
      await firstWasRead.promise;
      controller.enqueue(new TextEncoder().encode("last"));
      controller.close();
    },
  });

const proxy = createProxy(createApiFetch(api.url.origin));
const web = Bun.serve({
  port: 0,
  fetch: (request, server) => proxy(request, { clientAddress: server.requestIP(request)?.address ?? "" }),
});
interface Seen {
  method: string;
  address: string;
  headers: Record<string, string>;
  body: string;
}
const seen = async (path: string, init?: RequestInit) =>
  (await (await fetch(new URL(path, web.url), init)).json()) as Seen;

beforeAll(() => expect(api.port).not.toBe(web.port));
afterAll(async () => {
  await Promise.all([web.stop(true), api.stop(true)]);
});

describe("what reaches the API", () => {
  test("is the method, address, body and end-to-end headers of the request", async () => {
    const got = await seen("/api/artifacts/a%2Fb?dryRun=true&x=%20", {
      method: "PATCH",
      body: '{"title":"é"}',
      headers: {
        authorization: "Bearer plk_x",
        cookie: "session=1",
        "content-type": "application/json",
        "idempotency-key": "k",
        "x-request-id": "abcdefgh-1",
      },
    });
    expect(got).toMatchObject({
      method: "PATCH",
      address: "/api/artifacts/a%2Fb?dryRun=true&x=%20",
      body: '{"title":"é"}',
      headers: {
        authorization: "Bearer plk_x",
        cookie: "session=1",
        "content-type": "application/json",
        "idempotency-key": "k",
        "x-request-id": "abcdefgh-1",
        host: web.url.host,
      },
    });
  });

  test("has a request id where the given one is malformed or missing", async () => {
    for (const id of ["short", "has space in it", "x".repeat(129), undefined]) {
      const { headers } = await seen("/api/x", id === undefined ? {} : { headers: { "x-request-id": id } });
      expect(headers["x-request-id"]).toMatch(/^[A-Za-z0-9_-]{8,128}$/);
      expect(headers["x-request-id"]).not.toBe(id);
    }
  });

  test("names the client at the end of X-Forwarded-For", async () => {
    const address = /^(?:::ffff:)?127\.0\.0\.1$|^::1$/;
    expect((await seen("/api/x")).headers["x-forwarded-for"]).toMatch(address);
    const chain = (await seen("/api/x", { headers: { "x-forwarded-for": "203.0.113.9" } })).headers["x-forwarded-for"];
    expect(chain?.split(", ")[0]).toBe("203.0.113.9");
    expect(chain?.split(", ")[1]).toMatch(address);
  });

  test("carries no hop-by-hop header, nor what Connection names", async () => {
    const { headers } = await seen("/api/x", {
      headers: { connection: "x-secret-hop", "x-secret-hop": "1", te: "trailers", "proxy-authorization": "Basic x" },
    });
    for (const name of ["x-secret-hop", "te", "proxy-authorization"]) expect(headers[name]).toBeUndefined();
  });

  test("is a large body, framed one way only", async () => {
    const body = "x".repeat(3_000_000);
    const got = await seen("/api/x", { method: "POST", body });
    expect(got.body).toHaveLength(body.length);
    expect("content-length" in got.headers && "transfer-encoding" in got.headers).toBe(false);
  });
});

describe("what comes back", () => {
  test("keeps end-to-end headers and loses hop-by-hop ones", async () => {
    const { headers } = await fetch(new URL("/api/x", web.url));
    expect(headers.get("x-kept")).toBe("yes");
    expect(headers.getSetCookie()).toEqual(["a=1"]);
    expect(headers.get("keep-alive")).toBeNull();
  });

  test("streams", async () => {
    const response = await fetch(new URL("/api/slow", web.url));
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
    firstWasRead.resolve();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("last");
  });

  test("is a redirect as the API gave it, and compressed bytes as they were", async () => {
    const moved = await fetch(new URL("/api/moved", web.url), { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "/elsewhere"]);
    const zipped = await fetch(new URL("/api/zipped", web.url), { headers: { "accept-encoding": "gzip" } });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(await zipped.text()).toBe("compressed");
  });

  test("is a 503 problem where the API is away", async () => {
    // A port that no other program is ever given.
    const answer = await createProxy(createApiFetch("http://127.0.0.1:1"))(
      new Request("http://localhost/api/x", { headers: { "x-request-id": "abcdefgh-2" } }),
      { clientAddress: "127.0.0.1" },
    );
    expect(answer.status).toBe(503);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ code: "unavailable", status: 503, requestId: "abcdefgh-2" });
  });
});

test("the API's paths are told from pages by whole segments", () => {
  for (const path of [
    "/api",
    "/api/health",
    "/mcp",
    "/.well-known/x",
    "/_content/p/a/1",
    "/_images/key",
    "/_packages/hash/x.js",
    "/_runtime/x.js",
    "/docs/reference",
    "/docs/reference/scalar.js",
    "/llms.txt",
    "/SKILL.md",
    "/AGENTS.md",
    "/install.sh",
    "/cli.tgz",
    "/_cli/SHA256SUMS",
  ]) {
    expect(isApiPath(path)).toBe(true);
  }
  for (const path of [
    "/",
    "/apis/x",
    "/mcp-notes/a",
    "/docs",
    "/docs/errors/not_found",
    "/docs/references",
    "/skill.md",
    "/llms.txts",
    "/ada/llms.txt",
    "/ada/install.sh",
    "/ada/api/x",
    "/_app/x.js",
  ]) {
    expect(isApiPath(path)).toBe(false);
  }
});
