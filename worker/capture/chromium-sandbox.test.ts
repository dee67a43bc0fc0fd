// Chromium's own sandbox: once it has worked on a machine, no browser starts without it. Where the machine refuses it,
// the operator gets a message.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "bun:test";

import { findProcessSandbox } from "./process-sandbox.ts";
import { findBrowser } from "./find-browser.ts";
import { freeDocument, hung, browserProcesses, testBrowser, testRenderer, until } from "./test/renderer.ts";

/** A folder that the browser's user may read. */
const folder = mkdtempSync(join(tmpdir(), "plinth-sandbox-test-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const found = await findBrowser(testBrowser, findProcessSandbox());
if (found === null) throw new Error("there is no browser to test with");
const real = await found.program();

/** A browser that starts in its sandbox only where no file with that name is beside it. */
function browserUnless(name: string): { path: string; refuse: () => void } {
  const path = join(folder, `${name}-browser`);
  const isThere = `[ -e ${join(folder, name)} ]`;
  const environment = Object.entries(real.environment).map(([name, value]) => `export ${name}='${value}'\n`);
  const script = `#!/bin/sh
case "$*" in *--no-sandbox*|*--version*) ;; *) ${isThere} && exit 1 ;; esac
${environment.join("")}exec ${[real.path, ...real.flags].join(" ")} "$@"
`;
  writeFileSync(path, script, { mode: 0o755 });
  chmodSync(path, 0o755);
  return { path, refuse: () => writeFileSync(join(folder, name), "") };
}

test(
  "a browser that fails after it has started in its sandbox is not started without it",
  async () => {
    const { path, refuse } = browserUnless("refused");
    const own = await testRenderer({ chromiumPath: path, idleMs: 1 });
    await own.renderer.capture(freeDocument("1"));
    await until(() => browserProcesses() === 0, "the idle browser ended");
    refuse();
    const second = await own.renderer.capture(freeDocument("2")).catch(String);
    await own.close();
    expect(second).toContain("The browser did not start");
    expect(own.notes.filter((note) => note.includes("sandbox"))).toEqual([]);
  },
  hung,
);

test(
  "root that cannot change to another user: the operator gets a warning",
  async () => {
    const program = `
      const { testRenderer } = await import(${JSON.stringify(new URL("./test/renderer.ts", import.meta.url).pathname)});
      const { notes, close } = await testRenderer();
      await close();
      console.log(JSON.stringify(notes.filter((note) => note.includes("as root"))));
    `;
    const isRoot = process.getuid?.() === 0;
    const powerless = isRoot ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [];
    const asked = Bun.spawn([...powerless, process.execPath, "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    const notes = JSON.parse(await new Response(asked.stdout).text()) as string[];
    expect(notes).toHaveLength(isRoot ? 1 : 0);
  },
  hung,
);
