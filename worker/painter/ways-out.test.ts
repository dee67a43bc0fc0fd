// No document that is painted sends a packet, neither from the namespace alone nor by the flags alone; and each who
// listens does hear a browser that nothing holds.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "bun:test";

import { openCage } from "./cage.ts";
import { findBrowser } from "./find-browser.ts";
import { hung } from "./testing.ts";
import { leavingWays, quietWays } from "./ways-out/ways.ts";
import type { Outcome } from "./ways-out/world.ts";

const WORLD = new URL("./ways-out/world.ts", import.meta.url).pathname;
let folder: string;
let outcomes: Readonly<Record<"control" | "namespace" | "flags", Outcome>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plinth-ways-out-"));
  writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.1\n");
  const found = await findBrowser(process.env["CHROMIUM_PATH"] ?? null, openCage());
  if (found === null) throw new Error("there is no browser to test with");
  const { path } = await found.program();
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const script = 'mount --bind "$1/resolv.conf" /etc/resolv.conf && shift && exec "$@"';
  const program = [process.execPath, WORLD, path];
  const world = Bun.spawn(["unshare", ...user, "--net", "--mount", "/bin/sh", "-c", script, "sh", folder, ...program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Response(world.stdout).text();
  if ((await world.exited) !== 0) throw new Error("the world of the test did not come about");
  outcomes = JSON.parse(text) as typeof outcomes;
}, 2 * hung);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every listener hears a browser that nothing holds", () => {
  const ways = [...Object.keys(quietWays), ...Object.keys(leavingWays), "name: fetch"];
  const byName = ways.map((way) => (way === "dns-prefetch" ? "name: dns-prefetch" : way));
  expect(byName.length).toBeGreaterThanOrEqual(25);
  expect(byName.filter((way) => !outcomes.control.heard.includes(way))).toEqual([]);
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
