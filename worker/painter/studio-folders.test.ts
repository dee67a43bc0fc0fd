// The folders that a worker removes when it starts: those of ended processes, and never those of another user.
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "bun:test";

import { openCage } from "./cage.ts";
import { startOf } from "./processes.ts";
import { makeStudioFolder, removeLeftFolders } from "./studio-folders.ts";

const usual = process.env["TMPDIR"];
const folder = mkdtempSync(join(tmpdir(), "plinth-folders-test-"));
const cage = openCage();
const isRoot = process.getuid?.() === 0;
let ended: number;
beforeAll(async () => {
  // With the mode of the system's temporary folder.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  const child = Bun.spawn(["true"]);
  await child.exited;
  ended = child.pid;
});
afterAll(() => {
  if (usual === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usual;
  rmSync(folder, { recursive: true, force: true });
});

const here = /\d+/.exec(process.platform === "linux" ? readlinkSync("/proc/self/ns/pid") : "0")?.[0];
const named = (pid: number, start: string | null, counted = here) =>
  join(folder, `plinth-studio-${counted}-${pid}-${start}-Ab3_Z9`);

/** Contains a profile, and links to `kept`. */
function filled(path: string, owner?: number): string {
  const profile = join(path, "profile");
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  writeFileSync(join(profile, "file"), "x");
  symlinkSync(join(folder, "kept"), join(profile, "link"));
  symlinkSync(join(folder, "kept"), join(path, "link"));
  if (owner !== undefined) for (const each of [path, profile]) chownSync(each, owner, owner);
  return path;
}

test("a studio's folder names the process, and that one keeps it", async () => {
  const own = await makeStudioFolder();
  expect(own).toStartWith(join(folder, `plinth-studio-${here}-${process.pid}-${startOf(process.pid)}-`));
  expect(await removeLeftFolders(cage)).toEqual([]);
  expect(existsSync(own)).toBe(true);
});

test("what ended processes left goes, and what its links lead to stays", async () => {
  mkdirSync(join(folder, "kept"));
  writeFileSync(join(folder, "kept", "file"), "x");
  const left = [filled(named(ended, "7"))];
  // Another process has the number by now.
  left.push(filled(named(process.pid, "7")));
  if (cage.user !== null) left.push(filled(named(ended, "8"), cage.user));
  expect(await removeLeftFolders(cage)).toEqual([]);
  expect(left.filter((path) => existsSync(path))).toEqual([]);
  expect(readdirSync(join(folder, "kept"))).toEqual(["file"]);
});

test("what was counted elsewhere, is somebody else's, no folder or named otherwise stays", async () => {
  const others = [filled(named(ended, "1", "1")), filled(join(folder, `plinth-studio-${ended}-1-Ab3_Z9`))];
  if (isRoot) others.push(filled(named(ended, "2"), 12_345));
  const link = named(ended, "3");
  symlinkSync(join(folder, "kept"), link);
  const file = named(ended, "4");
  writeFileSync(file, "x");
  expect(await removeLeftFolders(cage)).toEqual([]);
  expect([...others, link, file].filter((path) => !existsSync(path))).toEqual([]);
  expect(readdirSync(join(folder, "kept"))).toEqual(["file"]);
});

test("what can't be removed is named", async () => {
  const path = filled(named(ended, "9"), cage.user ?? undefined);
  // Only root can delete the content of root's folder; without root, no user can delete the content of a locked folder.
  const stuck = join(path, "stuck");
  mkdirSync(join(stuck, "inside"), { recursive: true });
  if (cage.user === null) chmodSync(stuck, 0);
  expect(await removeLeftFolders(cage)).toEqual([path]);
  expect(existsSync(stuck)).toBe(true);
  chmodSync(stuck, 0o700);
});
