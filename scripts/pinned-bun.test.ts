// Handing over to the pinned Bun, with a fake npx that returns this Bun.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "plinth-pinned-"));
afterAll(() => rmSync(folder, { recursive: true }));

const other = "0.0.1";

/** A program for which Bun 0.0.1 is the pinned one. Started through npx, it accepts its own version and continues. */
const script = join(folder, "script.ts");
writeFileSync(
  script,
  `import { requirePinnedBun } from ${JSON.stringify(join(import.meta.dir, "pinned-bun.ts"))};
const wanted = process.env.FAKE_VERSION ?? ${JSON.stringify(other)};
await requirePinnedBun(process.env.PLINTH_PINNED_BUN === undefined ? ${JSON.stringify(other)} : wanted);
process.on("SIGTERM", () => process.exit(17));
console.log(JSON.stringify({ arguments: process.argv.slice(2), input: await Bun.stdin.text() }));
if (process.argv.includes("--wait")) setInterval(() => undefined, 1000);
`,
);

/** Writes a fake npx and runs the program with that npx as the only one on the PATH. */
function run(npx: string | null, args: readonly string[], env: Record<string, string> = {}) {
  const path = join(folder, "npx");
  rmSync(path, { force: true });
  if (npx !== null) {
    writeFileSync(path, `#!/bin/sh\n${npx}\n`);
    chmodSync(path, 0o755);
  }
  return Bun.spawn([process.execPath, script, ...args], {
    env: { PATH: folder, ...env },
    stdio: [new Blob(["typed"]), "pipe", "pipe"],
  });
}

/** Prints the path, like npx when it finds the requested version. */
const found = `[ "$*" = "--yes bun@${other} --print process.execPath" ] && echo ${process.execPath}`;

test("another Bun says so in one line and runs the pinned one with the same arguments and standard input", async () => {
  const child = run(found, ["one", "two words"], { FAKE_VERSION: Bun.version });
  const [output, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect(errors).toBe(`plinth: This is Bun ${Bun.version}. Going on with Bun ${other}, the version in package.json.\n`);
  expect(JSON.parse(output)).toEqual({ arguments: ["one", "two words"], input: "typed" });
  expect(status).toBe(0);
});

test("a signal reaches the pinned Bun, and its status is the exit status", async () => {
  const child = run(found, ["--wait"], { FAKE_VERSION: Bun.version });
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toContain("--wait");
  child.kill("SIGTERM");
  expect(await child.exited).toBe(17);
});

test("offline: npx's reason and what to do, status 1", async () => {
  const child = run(`echo "npm error code ENOTFOUND" >&2; echo "npm error network request failed" >&2; exit 1`, []);
  const [errors, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  expect(errors).toContain(`Bun ${other} is required, and npx did not get it: npm error network request failed\n`);
  expect(errors).toContain(`npm install --global bun@${other}\n`);
  expect(status).toBe(1);
});

test("no npx, or one that brings yet another version: refused", async () => {
  const without = run(null, []);
  expect(await new Response(without.stderr).text()).toContain("there is no npx");
  expect(await without.exited).toBe(1);
  const wrong = run(found, []);
  expect(await new Response(wrong.stderr).text()).toContain(
    `Bun ${other} is required, and npx brought Bun ${Bun.version}`,
  );
  expect(await wrong.exited).toBe(1);
});
