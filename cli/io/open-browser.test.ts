import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const address = "http://localhost:3000/a?b=$(touch x)&c='d'";
let directory: string;
/** The process of a program that does not end by itself. */
let staying: number | null = null;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "plinth-browser-"));
});
afterAll(async () => {
  if (staying !== null) process.kill(staying, "SIGKILL");
  await rm(directory, { recursive: true });
});

/** Opens the address in a process that finds its programs in the test's directory alone; what it says, once it has ended. */
async function opened(of: string): Promise<string> {
  const program = `
    const { openBrowser } = await import(${JSON.stringify(new URL("./open-browser.ts", import.meta.url).pathname)});
    console.log(await openBrowser(${JSON.stringify(of)}, "linux"));
  `;
  const child = Bun.spawn([process.execPath, "-e", program], { env: { PATH: directory }, stdout: "pipe" });
  const [said] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return said.trim();
}

test("without a program that opens addresses there is no browser", async () => {
  expect(await opened(address)).toBe("false");
});

/** A named pipe, and what is written to it until its writer closes it. */
async function pipe(name: string): Promise<{ path: string; text: () => Promise<string> }> {
  const path = join(directory, name);
  await Bun.spawn(["mkfifo", path]).exited;
  return { path, text: () => new Response(Bun.spawn(["cat", path]).stdout).text() };
}

const opener = (script: string) => writeFile(join(directory, "xdg-open"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

test("the program gets the address as it is, and what is no web address is not opened", async () => {
  const told = await pipe("told");
  await opener(`printf '%s\\n' "$#" "$@" > ${told.path}`);
  const [read, said] = await Promise.all([told.text(), opened(address)]);
  expect([said, read]).toEqual(["true", `1\n${address}\n`]);
  expect(await opened("file:///etc/passwd")).toBe("false");
});

test("a program that stays as long as the browser does not keep the command from ending", async () => {
  const [pid, hold] = [await pipe("pid"), await pipe("hold")];
  await opener(`echo $$ > ${pid.path}\nread line < ${hold.path}`);
  const said = opened(address);
  staying = Number(await pid.text());
  expect(await said).toBe("true");
  process.kill(staying, 0);
});
