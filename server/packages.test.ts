// `bun run packages`: from one database to another by a file, and from html files; a file that is there is not overwritten.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { testDatabase, type TestDatabase } from "@plinth/db/test/database";
import { startRegistry, type TestRegistry } from "@plinth/support/package-registry";

import { boundedLines } from "./bounded-lines.ts";

setDefaultTimeout(60_000);

const scratch = mkdtempSync(join(tmpdir(), "plinth-test-"));
let registry: TestRegistry;
let from: TestDatabase;
let to: TestDatabase;
beforeAll(async () => {
  [registry, from, to] = await Promise.all([startRegistry(), testDatabase(), testDatabase()]);
  await registry.publish("chart", "1.0.0", { "a.js": 'import "./b.js"', "b.js": "b" });
});
afterAll(async () => {
  await Promise.all([registry.close(), from.drop(), to.drop()]);
  rmSync(scratch, { recursive: true });
});

async function packages(db: TestDatabase, ...words: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "packages.ts"), ...words], {
    cwd: scratch,
    env: { PATH: process.env["PATH"] ?? "", DATABASE_URL: db.url, PACKAGE_REGISTRY: registry.url },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

const paths = async (db: TestDatabase) =>
  (await db.run<{ path: string }>("SELECT path FROM package_file ORDER BY path")).map(({ path }) => path);

test("what html files load is kept, exported and imported", async () => {
  const page = join(scratch, "page.html");
  const scripts = ["chart@1/a.js", "lost@1/x.js"].map((url) => `<script src="https://unpkg.com/${url}"></script>`);
  writeFileSync(page, scripts.join(""));
  const warmed = await packages(from, "warm", page);
  expect([warmed.code, warmed.err]).toEqual([0, ""]);
  expect(warmed.out).toContain("1 files are kept.\n  The registry has no package lost");
  expect(await packages(from, "export", "x.ndjson")).toMatchObject({
    code: 0,
    out: "x.ndjson: 3 packages and files.\n",
  });
  const again = await packages(from, "export", "x.ndjson");
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("EEXIST")]);
  const imported = await packages(to, "import", "x.ndjson");
  expect(imported).toMatchObject({ code: 0, out: "x.ndjson: 1 packages with 2 files are kept.\n" });
  expect(await paths(to)).toEqual(await paths(from));
  writeFileSync(join(scratch, "broken.ndjson"), "{}\n");
  const broken = await packages(to, "import", "broken.ndjson");
  expect([broken.code, broken.err]).toEqual([1, "packages: Line 1: is not the beginning of an export of packages\n"]);
});

test("other words are told how it is used", async () => {
  for (const words of [[], ["export"], ["remove", "x"], ["import", "x", "y"]])
    expect([words, (await packages(to, ...words)).code]).toEqual([words, 2]);
});

test("lines are cut at their ends, across chunks, and a long one is refused before it is whole", async () => {
  async function* chunks(...texts: string[]) {
    for (const text of texts) yield Buffer.from(text);
  }
  const all = (...texts: string[]) => Array.fromAsync(boundedLines(chunks(...texts), 10));
  expect(await all("a\nb", "c\n\nd", "ß")).toEqual(["a", "bc", "", "dß"]);
  const refused = await all("123456", "789012", "\n").catch((error: Error) => error.message);
  expect(refused).toBe("A line is too long");
});
