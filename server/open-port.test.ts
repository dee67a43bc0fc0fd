import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openPort, requireFree } from "./open-port.ts";

const anywhere = { port: 0, host: "127.0.0.1", publicUrl: "http://localhost" };

test("a port before its process serves: 503 with Retry-After, then what the process answers", async () => {
  const opened = openPort(anywhere);
  const early = await fetch(opened.server.url);
  expect([early.status, early.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(await early.json()).toMatchObject({ code: "unavailable", detail: "Plinth is starting" });
  opened.serve(() => new Response("served"));
  expect(await (await fetch(opened.server.url)).text()).toBe("served");
  await opened.server.stop(true);
});

test("a worker's port that is taken is named by its variable", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const port = other.port ?? 0;
  expect(() => requireFree(port, "127.0.0.1", "WORKER_PORT")).toThrow(
    `Port ${port} on 127.0.0.1 is taken. Set WORKER_PORT to another one.`,
  );
  await other.stop(true);
  requireFree(port, "127.0.0.1", "WORKER_PORT");
});

test("an instance whose port is taken: it ends before it makes a database", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const dataDir = mkdtempSync(join(tmpdir(), "plinth-port-"));
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "main.ts")], {
    env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, PORT: String(other.port), CHROMIUM_PATH: "off" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = await new Response(child.stderr).text();
  expect(await child.exited).toBe(1);
  expect(said).toBe(`plinth: Port ${other.port} on 127.0.0.1 is taken. Set PORT to another one.\n`);
  expect(existsSync(join(dataDir, "postgres"))).toBe(false);
  rmSync(dataDir, { recursive: true });
  await other.stop(true);
}, 60_000);
