// The log of the proxy of compose.yaml when no server answers: it records the failed request, but never its URL.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";

import { hung, temporaryFolder } from "../harness/process.ts";
import { proxyConf } from "./composed.ts";

setDefaultTimeout(hung);

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder("proxy-log");
  // The proxy's workers run as another user.
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

test("a request that no process answers is written down without its address", async () => {
  const [front, inside, api, web] = [reservePort(), reservePort(), reservePort(), reservePort()];
  const ports = { proxy: { 8080: [front], 8081: [inside] }, api: { 3000: [api] }, web: { 3000: [web] } };
  const conf = join(folder, "nginx.conf");
  await Bun.write(conf, await proxyConf(ports, folder));
  const nginx = Bun.which("nginx", { PATH: `${process.env["PATH"]}:/usr/sbin` }) ?? "nginx";
  const proxy = Bun.spawn([nginx, "-e", "stderr", "-c", conf], { stdio: ["ignore", "ignore", "pipe"] });
  const said = new Response(proxy.stderr).text();
  const ask = (path: string) => fetch(`http://127.0.0.1:${front}${path}`).catch(() => null);
  for (let tries = 0; (await ask("/robots.txt")) === null && tries < 300; tries++) await Bun.sleep(50);

  const id = "the-request-that-failed";
  const secret = "keep-this-to-yourself";
  for (const path of [`/share/${secret}`, `/_content/${secret}`, `/api/health?token=${secret}`]) {
    const { status } = await fetch(`http://127.0.0.1:${front}${path}`, { headers: { "x-request-id": id } });
    expect([path, status]).toEqual([path, 503]);
  }
  proxy.kill("SIGQUIT");
  await proxy.exited;

  const failed = await Bun.file(join(folder, "failed.log")).text();
  expect((await said) + failed).not.toContain(secret);
  const lines = failed
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ requestId }) => requestId === id)).toHaveLength(3);
  expect(lines.at(-1)).toMatchObject({ level: "error", method: "GET", status: 503 });
});
