// The folders that a worker removes when it starts: those of ended processes, and never those of another user.
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "bun:test";

import { findProcessSandbox } from "./process-sandbox.ts";
import { startOf } from "./processes.ts";
import { createTemporaryFolder, removeAbandonedFolders } from "./temporary-folders.ts";

const usual = process.env["TMPDIR"];
const folder = mkdtempSync(join(tmpdir(), "plinth-folders-test-"));
const sandbox = findProcessSandbox();
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
const named = (pid: number, start: string | null, namespace = here) =>
  join(folder, `plinth-browser-host-${namespace}-${pid}-${start}-Ab3_Z9`);

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

test("createTemporaryFolder names this process, whose folder removeAbandonedFolders keeps", async () => {
  const own = await createTemporaryFolder();
  expect(own).toStartWith(join(folder, `plinth-browser-host-${here}-${process.pid}-${startOf(process.pid)}-`));
  expect(await removeAbandonedFolders(sandbox)).toEqual([]);
  expect(existsSync(own)).toBe(true);
});

test("removeAbandonedFolders removes the folders of ended processes, and keeps the targets of their links", async () => {
  mkdirSync(join(folder, "kept"));
  writeFileSync(join(folder, "kept", "file"), "x");
  const left = [filled(named(ended, "7"))];
  // Another process has the number by now.
  left.push(filled(named(process.pid, "7")));
  if (sandbox.user !== null) left.push(filled(named(ended, "8"), sandbox.user));
  expect(await removeAbandonedFolders(sandbox)).toEqual([]);
  expect(left.filter((path) => existsSync(path))).toEqual([]);
  expect(readdirSync(join(folder, "kept"))).toEqual(["file"]);
});

test("removeAbandonedFolders keeps other namespaces' and other users' folders, files, links and other names", async () => {
  const others = [filled(named(ended, "1", "1")), filled(join(folder, `plinth-browser-host-${ended}-1-Ab3_Z9`))];
  if (isRoot) others.push(filled(named(ended, "2"), 12_345));
  const link = named(ended, "3");
  symlinkSync(join(folder, "kept"), link);
  const file = named(ended, "4");
  writeFileSync(file, "x");
  expect(await removeAbandonedFolders(sandbox)).toEqual([]);
  expect([...others, link, file].filter((path) => !existsSync(path))).toEqual([]);
  expect(readdirSync(join(folder, "kept"))).toEqual(["file"]);
});

test("removeAbandonedFolders returns the paths that it cannot remove", async () => {
  const path = filled(named(ended, "9"), sandbox.user ?? undefined);
  // Only root can delete the content of root's folder; without root, no user can delete the content of a locked folder.
  const stuck = join(path, "stuck");
  mkdirSync(join(stuck, "inside"), { recursive: true });
  if (sandbox.user === null) chmodSync(stuck, 0);
  expect(await removeAbandonedFolders(sandbox)).toEqual([path]);
  expect(existsSync(stuck)).toBe(true);
  chmodSync(stuck, 0o700);
});
