// The one port over real sockets: routing by path, checks before routing, and shutdown.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createBodyRoom } from "@plinth/api/body-room";
import { reservePort } from "@plinth/support/reserved-port";

import { readEnvironment } from "./environment.ts";
import { createHostCheck, listen } from "./listen.ts";

const port = reservePort();
const environmentAt = (at: number) =>
  readEnvironment({
    PORT: String(at),
    CONTENT_ORIGIN: "http://content.example",
    ALLOWED_HOSTS: "plinth.internal",
    MAX_CONTENT_BYTES: "1000",
  });
const environment = environmentAt(port);
const slow = Promise.withResolvers<void>();
const seen: string[] = [];
let server: ReturnType<typeof listen>;

beforeAll(() => {
  server = listen({
    environment,
    api: async (request, peer) => {
      seen.push(`api ${peer}`);
      const { pathname } = new URL(request.url);
      if (pathname === "/api/broken") throw new Error("broken");
      if (pathname === "/api/slow") await slow.promise;
      return new Response("from the API");
    },
    web: (_request, { clientAddress }) => {
      seen.push(`web ${clientAddress}`);
      return Promise.resolve(new Response("from the web app"));
    },
  });
});
afterAll(() => server.drain());

/** Sends bytes as they are and returns the response. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => {
      answer += data.toString();
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}
const get = (target: string, host: string) =>
  raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

test("an address is the API's or the web app's, and both are told whom they serve", async () => {
  seen.length = 0;
  expect(await get("/api/health", "localhost")).toContain("from the API");
  expect(await get("/apiary", "localhost")).toContain("from the web app");
  expect(seen).toEqual(["api 127.0.0.1", "web 127.0.0.1"]);
});

test("two Host headers are the caller's mistake, the same one twice too, and neither is asked", async () => {
  seen.length = 0;
  for (const [target, hosts] of [
    ["/api/health", "Host: localhost\r\nHost: evil.example"],
    ["/api/health", "Host: localhost\r\nAccept: */*\r\nhost: localhost"],
    ["/page", "Host: localhost\r\nHOST:"],
    ["http://localhost/api/health", "Host: localhost\r\nHost: evil.example"],
  ] as const) {
    const answer = await raw(`GET ${target} HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    expect(answer).toStartWith("HTTP/1.1 400 ");
    expect(answer).toContain("must be given once");
  }
  expect(seen).toEqual([]);
});

test("what names no host is the caller's mistake, and neither is asked", async () => {
  seen.length = 0;
  for (const host of ["a b", "[", "<x>", "x:99999999"]) {
    const answer = await get("/api/health", host);
    expect(answer).toStartWith("HTTP/1.1 400 ");
    expect(answer).toContain("application/problem+json");
  }
  expect(seen).toEqual([]);
});

test("a host that is not this instance's is 421 on every path but health and figures", async () => {
  seen.length = 0;
  for (const path of ["/", "/api/artifacts", "/docs", "/docs/reference", "/mcp", "/_content/ticket", "/api/health/x"])
    for (const host of ["rebind.example", `rebind.example:${port}`, "localhost.example", "content.example.evil"]) {
      const answer = await get(path, host);
      expect(answer).toStartWith("HTTP/1.1 421 ");
      expect(answer).toContain('"code":"misdirected_request"');
    }
  expect(await get("http://rebind.example/api/artifacts", "rebind.example")).toStartWith("HTTP/1.1 421 ");
  expect(seen).toEqual([]);
  for (const path of ["/api/health", "/api/health?live", "/metrics"])
    expect(await get(path, "rebind.example")).toContain("from the API");
  for (const host of [
    "localhost",
    `localhost:${port}`,
    "127.0.0.1",
    "[::1]:80",
    "plinth.internal",
    "PLINTH.internal:81",
  ])
    expect(await get("/api/artifacts", host)).toContain("from the API");
});

test("an instance that does not listen on loopback answers to its own names alone", async () => {
  const check = createHostCheck({
    publicUrl: "https://plinth.example",
    contentOrigin: "https://content.example",
    allowedHosts: [],
    host: "10.0.0.5",
  });
  const refused = (host: string) => check(new URL(`http://${host}/docs`))?.status ?? null;
  expect(["plinth.example", "plinth.example:8080", "content.example"].map(refused)).toEqual([null, null, null]);
  expect(["localhost", "127.0.0.1", "10.0.0.5"].map(refused)).toEqual([421, 421, 421]);
});

/**
 * Sends a body until the server ends the connection; returns the bytes that were accepted, and the start of the
 * response.
 */
function pour(head: string, bytes: number): Promise<{ taken: number; status: string }> {
  return new Promise((resolve) => {
    const chunk = Buffer.from(`10000\r\n${"x".repeat(65_536)}\r\n`);
    let status = "";
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`${head} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
      write();
    });
    function write() {
      if (socket.destroyed) return;
      if (socket.bytesWritten < bytes) socket.write(chunk, write);
      else socket.end("0\r\n\r\n");
    }
    socket.on("data", (data) => {
      status ||= data.toString().slice(0, 12);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve({ taken: socket.bytesWritten - socket.writableLength, status }));
  });
}

test.each([
  "GET /docs/reference",
  "HEAD /docs/reference",
  "GET /api/health",
  "GET /nowhere",
  "POST /nowhere",
  "POST /api/x",
])("%s with a body of 400 MB that no route reads takes a few MB of it", async (head) => {
  const { taken } = await pour(head, 400_000_000);
  expect(taken).toBeLessThan(16_000_000);
});

test("the connection is kept after a body that has the length of a text, and ends after a longer one", async () => {
  const connectionAfter = async (length: number) => {
    const next = length > 300_000 ? "" : "GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const answer = await raw(
      `POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${"x".repeat(length)}${next}`,
    );
    return answer.split("HTTP/1.1 200").length - 1;
  };
  expect(await connectionAfter(200_000)).toBe(2);
  expect(await connectionAfter(300_001)).toBe(1);
});

test("two lengths, or none where there must be one, are refused before anyone is asked", async () => {
  seen.length = 0;
  const head = "POST /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  for (const lengths of [
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    "Content-Length: -5\r\n",
    "Content-Length: 5x\r\n",
  ])
    expect(await raw(`${head}${lengths}\r\n0\r\n\r\n`)).toStartWith("HTTP/1.1 400 ");
  expect(seen).toEqual([]);
});

test("a separate host for content serves nothing else", async () => {
  for (const path of ["/", "/api/artifacts", "/docs", "/ada/notes/x", "/_content", "/mcp"]) {
    expect(await get(path, "content.example")).toStartWith("HTTP/1.1 404 ");
    // Also on another port: the host name alone selects the content.
    expect(await get(path, "content.example:8080")).toStartWith("HTTP/1.1 404 ");
  }
  for (const path of ["/_content/ticket", "/_images/key", "/_packages/hash/x.js", "/_runtime/hash/x.js"])
    expect(await get(path, "content.example")).toContain("from the API");
});

test("a page's body is bounded by the size of a form; the API bounds its own", async () => {
  const post = (path: string, length: number) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: "x".repeat(length) });
  expect((await post("/login", 1000)).status).toBe(200);
  const large = await post("/login", 300_000);
  expect([large.status, large.headers.get("content-type")]).toEqual([413, "application/problem+json"]);
  const chunks = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(10));
      controller.close();
    },
  });
  expect((await fetch(`http://127.0.0.1:${port}/login`, { method: "POST", body: chunks })).status).toBe(413);
  expect((await post("/api/x", 3_000_000)).status).toBe(200);
});

test("HEAD is answered without a body and with its length", async () => {
  const answer = await raw("HEAD /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(answer.toLowerCase()).toContain("content-length: 12");
  expect(answer).not.toContain("from the API");
});

test("a port that is taken is said in one line, and is not shared", () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", reusePort: true, fetch: () => new Response() });
  const answer = () => Promise.resolve(new Response());
  expect(() => listen({ environment: { ...environment, port: other.port ?? 0 }, api: answer, web: answer })).toThrow(
    `Port ${other.port} on 127.0.0.1 is taken`,
  );
  void other.stop(true);
});

test("draining answers what is under way and takes nothing new", async () => {
  seen.length = 0;
  const under = fetch(`http://127.0.0.1:${port}/api/slow`);
  while (!seen.includes("api 127.0.0.1")) await Bun.sleep(5);
  const drained = server.drain();
  slow.resolve();
  expect(await (await under).text()).toBe("from the API");
  await drained;
  const refused = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => "refused");
  expect(refused).toBe("refused");
});

/** Sends a request, creates a file once it is sent, and prints the response. */
const caller = `
  const [port, file] = process.argv.slice(-2);
  const socket = require("node:net").connect(Number(port), "127.0.0.1");
  socket.on("error", (error) => console.log(String(error)));
  socket.on("data", (data) => process.stdout.write(data));
  socket.write("GET /api/health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n", () => require("node:fs").writeFileSync(file, ""));
`;

test("what had come to the machine when it is told to drain is answered, though nothing of it was read yet", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plinth-listen-test-"));
  const file = join(folder, "sent");
  const at = reservePort();
  const answer = () => Promise.resolve(new Response("answered"));
  const busy = listen({ environment: environmentAt(at), api: answer, web: answer });
  const calling = Bun.spawn([process.execPath, "-e", caller, String(at), file], { stdout: "pipe" });
  // Blocks this process, as on an overloaded machine.
  for (let looks = 0; looks < 6000 && !existsSync(file); looks++) Bun.sleepSync(10);
  const drained = busy.drain();
  expect(await new Response(calling.stdout).text()).toEndWith("answered");
  await drained;
  rmSync(folder, { recursive: true });
});

test("large forms share a room: one that finds none is 503, small forms and other addresses go on", async () => {
  const large = "x".repeat(70_000);
  const formRoom = createBodyRoom({
    bytes: 200_000,
    bytesOfOne: 100_000,
    waiting: { ofOne: 1, inAll: 10 },
    waitMs: 1,
    promptMs: 60_000,
  });
  const reading = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const at = reservePort();
  const forms = listen({
    environment: readEnvironment({ PORT: String(at), TRUSTED_PROXIES: "127.0.0.1" }),
    api: () => Promise.resolve(new Response("")),
    web: async (request) => {
      if (request.url.endsWith("/slow")) {
        reading.resolve();
        await answered.promise;
      }
      return new Response((await request.text()).length.toString());
    },
    formRoom,
  });
  const post = (path: string, body: string, from: string) =>
    fetch(`http://127.0.0.1:${at}${path}`, { method: "POST", body, headers: { "x-forwarded-for": from } });
  const first = post("/slow", large, "192.0.2.1");
  await reading.promise;
  const second = await post("/quick", large, "192.0.2.1");
  expect([second.status, second.headers.get("retry-after")]).toEqual([503, "5"]);
  expect((await post("/quick", "small", "192.0.2.1")).status).toBe(200);
  expect(await (await post("/quick", large, "192.0.2.2")).text()).toBe("70000");
  answered.resolve();
  expect(await (await first).text()).toBe("70000");
  expect((await post("/quick", large, "192.0.2.1")).status).toBe(200);
  await forms.drain();
});

test("forms whose bodies do not arrive hold no room: one that arrives is read at the same time", async () => {
  const formRoom = createBodyRoom({
    bytes: 100_000,
    bytesOfOne: 100_000,
    waiting: { ofOne: 20, inAll: 20 },
    waitMs: 1,
    promptMs: 60_000,
  });
  const at = reservePort();
  const forms = listen({
    environment: environmentAt(at),
    api: () => Promise.resolve(new Response("")),
    web: async (request) => new Response((await request.text()).length.toString()),
    formRoom,
  });
  const head = "POST /form HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\n";
  const slow = Array.from({ length: 8 }, () => connect(at, "127.0.0.1"));
  for (const socket of slow) socket.write(`${head}${"x".repeat(100)}`);
  while (formRoom.heldBytes < 800) await Bun.sleep(1);
  const answer = await fetch(`http://127.0.0.1:${at}/form`, { method: "POST", body: "x".repeat(90_000) });
  expect([answer.status, await answer.text()]).toEqual([200, "90000"]);
  for (const socket of slow) socket.destroy();
  while (formRoom.heldBytes > 0) await Bun.sleep(1);
  await forms.drain();
});
