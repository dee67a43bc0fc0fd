// No document sends a packet while its screenshot is taken, neither with the namespace alone nor with the flags alone.
// The listeners do receive packets from an unconfined browser.
import { createSocket } from "node:dgram";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "bun:test";

import { chromium } from "playwright-core";

import { openCage } from "./cage.ts";
import { findBrowser } from "./find-browser.ts";
import { BEGAN, freeDocument, hung, staying, stayMs, testBrowser, testPainter } from "./testing.ts";
import { callingDocument, heardOfEach } from "./ways-out/ways.ts";
import type { Outcome } from "./ways-out/world.ts";

/** A headless shell never connects speculatively; `CHROMIUM_PATH` can name a full Chromium. */
const unheardOfShells = ["preconnect", "name: dns-prefetch"];
const isShell = testBrowser === "package";
const unheard = isShell ? unheardOfShells : [];

const WORLD = new URL("./ways-out/world.ts", import.meta.url).pathname;
let folder: string;
let path: string;
let environment: Readonly<Record<string, string>>;
let outcomes: Readonly<Record<"control" | "namespace" | "flags", Outcome>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plinth-ways-out-"));
  writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.1\n");
  const found = await findBrowser(testBrowser, openCage());
  if (found === null) throw new Error("there is no browser to test with");
  ({ path, environment } = await found.program());
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const script = 'mount --bind "$1/resolv.conf" /etc/resolv.conf && shift && exec "$@"';
  const program = [process.execPath, WORLD, path, JSON.stringify(unheard)];
  const world = Bun.spawn(["unshare", ...user, "--net", "--mount", "/bin/sh", "-c", script, "sh", folder, ...program], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Response(world.stdout).text();
  if ((await world.exited) !== 0) throw new Error("the world of the test did not come about");
  outcomes = JSON.parse(text) as typeof outcomes;
}, 2 * hung);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every listener hears a browser that nothing holds", () => {
  const all = heardOfEach.flat().filter((way) => !unheard.includes(way));
  expect(all.length).toBeGreaterThanOrEqual(25);
  expect(all.filter((way) => !outcomes.control.heard.includes(way))).toEqual([]);
  expect(outcomes.control.packets).toBeGreaterThan(100);
});

for (const wall of ["namespace", "flags"] as const) {
  test(`with the ${wall} alone no packet is sent and no file is read`, () => {
    expect(outcomes[wall].heard).toEqual([]);
    expect(outcomes[wall].packets).toBe(0);
    expect(outcomes[wall].files.length).toBeGreaterThan(0);
    expect(outcomes[wall].files.filter((text) => !/^(refused|framed )$/.test(text))).toEqual([]);
  });
}

/** For the unconfined browser; not a measure of speed. */
const HEARD_MS = 60_000;

test(
  "nobody is called by WebRTC, by the flags alone, and is where nothing holds the browser",
  async () => {
    const host = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === "IPv4" && !one.internal)?.address;
    if (host === undefined) throw new Error("WebRTC leaves the loopback out, and this machine has no other address");
    const heard = new Set<string>();
    const datagrams = async (name: string) => {
      const socket = createSocket("udp4", () => heard.add(name));
      await new Promise<void>((resolve) => void socket.bind(0, host, resolve));
      return socket;
    };
    const [stun, peer] = [await datagrams("stun"), await datagrams("peer")];
    const turn = createServer((socket) => {
      heard.add("turn");
      socket.on("error", () => socket.destroy());
    });
    await new Promise<void>((resolve) => void turn.listen(0, host, resolve));
    const ports = { stun: stun.address().port, peer: peer.address().port, turn: (turn.address() as AddressInfo).port };
    const html = callingDocument({ host, ...ports });
    try {
      const browser = await chromium.launch({
        executablePath: path,
        args: ["--no-sandbox"],
        env: { ...process.env, ...environment },
      });
      const page = await browser.newPage();
      const began = performance.now();
      await page.setContent(html);
      while (heard.size < 3 && performance.now() - began < HEARD_MS) await Bun.sleep(20);
      const heardAfterMs = performance.now() - began;
      await browser.close();
      expect([...heard].sort()).toEqual(["peer", "stun", "turn"]);

      heard.clear();
      const flags = await testPainter({ walls: "flags" });
      const { report } = await flags.painter.paint(freeDocument(staying(html, stayMs(heardAfterMs))));
      expect(report.console.map(({ text }) => text)).toContain(BEGAN);
      await flags.close();
      expect([...heard]).toEqual([]);
    } finally {
      stun.close();
      peer.close();
      turn.close();
    }
  },
  hung,
);
