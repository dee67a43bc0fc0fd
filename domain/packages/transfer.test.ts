// Packages exported and imported: the same rows, served alike; and a hostile import is refused and changes nothing.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import { keepBundle, keepFiles } from "./keep.ts";
import { packBytes } from "../storage/pack.ts";
import { packageLimits } from "./limits.ts";
import { BrokenImport, exportPackages, importPackages } from "./transfer.ts";

let from: TestDatabase;
let to: TestDatabase;
let exported: string[];
beforeAll(async () => {
  [from, to] = await Promise.all([testDatabase(), testDatabase()]);
  const files = new Map<string, Uint8Array>([
    ["dist/chart.js", new TextEncoder().encode("chart")],
    ["fonts/ß.woff2", new Uint8Array([0, 255, 10, 13])],
  ]);
  const listing = { paths: [...files.keys()], entries: { main: "dist/chart.js" } };
  await keepFiles(from, { ...chart, tarball: "" }, new Uint8Array([1]), listing, files);
  const module = await packBytes(new TextEncoder().encode("export {}"));
  const source = { packages: [chart], versions: {} };
  await keepBundle(from, "b".repeat(64), source, [{ path: "chart@4/index", ...module }]);
  exported = await Array.fromAsync(exportPackages(from));
});
beforeEach(() => to.run("DELETE FROM package"));
afterAll(async () => {
  await from.drop();
  await to.drop();
});

const integrity = `sha512-${Buffer.alloc(64, 1).toString("base64")}`;
const chart = { name: "@scope/chart.js", version: "4.4.1", integrity };

const rows = async (db: TestDatabase) => [
  await db.run("SELECT encode(sha256, 'hex') AS sha256, name, version, integrity, listing FROM package ORDER BY 1"),
  await db.run(
    `SELECT encode(f.package, 'hex') AS package, f.path, encode(c.sha256, 'hex') AS sha256, c.data, c.size_bytes
     FROM package_file f JOIN content c ON c.sha256 = f.content ORDER BY 1, 2`,
  ),
];

async function* lines(of: readonly string[]): AsyncGenerator<string> {
  for (const line of of) yield line.trimEnd();
}
const importing = (of: readonly string[]) => importPackages(to, lines(of));

test("an import has the rows of the export, and a second one changes nothing", async () => {
  for (let n = 0; n < 2; n++) {
    expect(await importing(exported)).toEqual({ packages: 2, files: 3 });
    expect(await rows(to)).toEqual(await rows(from));
  }
});

type Line = Record<string, Record<string, unknown>>;
/** The export with one line changed: the first package, or its first file. */
function changed(kind: "package" | "file", change: (value: Record<string, unknown>) => object): string[] {
  const at = exported.findIndex((line) => (JSON.parse(line) as Line)["package"]?.["name"] === chart.name);
  const place = kind === "package" ? at : at + 1;
  return exported.map((line, index) => {
    if (index !== place) return line;
    const value = (JSON.parse(line) as Line)[kind] ?? {};
    return JSON.stringify({ [kind]: { ...value, ...change(value) } });
  });
}
const zstd = (bytes: Uint8Array<ArrayBuffer>) => Buffer.from(Bun.zstdCompressSync(bytes)).toString("base64");
const packageField = (field: string, value: unknown) => changed("package", () => ({ [field]: value }));
const fileField = (field: string, value: unknown) => changed("file", () => ({ [field]: value }));

test.each([
  ["other bytes than its hash", () => fileField("data", zstd(new TextEncoder().encode("evil")))],
  ["another hash", () => fileField("sha256", "0".repeat(64))],
  ["a hash of another form", () => fileField("sha256", "0")],
  ["a path to elsewhere", () => fileField("path", "../chart.js")],
  ["a path that its listing lacks", () => fileField("path", "dist/other.js")],
  ["an absolute path", () => fileField("path", "/dist/chart.js")],
  ["a type that no document loads", () => fileField("path", "dist/chart.html")],
  ["a bomb", () => fileField("data", zstd(new Uint8Array(packageLimits.fileBytes + 1)))],
  ["data of another form", () => fileField("data", "????")],
  ["a name of another form", () => packageField("name", "../x")],
  ["a version of another form", () => packageField("version", "latest")],
  ["a weak digest", () => packageField("integrity", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=")],
  ["a listing that leads elsewhere", () => packageField("listing", { paths: ["../x.js"], entries: {} })],
  ["a listing of another form", () => packageField("listing", { paths: "all" })],
  ["a line of another form", () => [...exported.slice(0, 1), "[]"]],
  ["a file without its package", () => [exported[0] ?? "", exported.find((line) => line.includes('"file"')) ?? ""]],
  ["a line that is too long", () => [...exported.slice(0, 1), "x".repeat(2 * packageLimits.fileBytes + 1)]],
  ["another format", () => ['{"format":"other"}', ...exported.slice(1)]],
  ["nothing", () => []],
])("an import with %s is refused, and that package is not kept", async (_what, made) => {
  expect(await importing(made()).catch((error: unknown) => error)).toBeInstanceOf(BrokenImport);
  expect(await to.run("SELECT FROM package WHERE name = $1", [chart.name])).toEqual([]);
});

test("an import that has other bytes for a kept file, or another name for a kept package, changes nothing", async () => {
  await importing(exported);
  const evil = new TextEncoder().encode("evil");
  const { sha256 } = await packBytes(evil);
  for (const made of [changed("file", () => ({ sha256, data: zstd(evil) })), packageField("version", "4.4.2")]) {
    const refused = await importing(made).catch((error: Error) => error.message);
    expect(refused).toContain("is kept here with other contents");
    expect(await rows(to)).toEqual(await rows(from));
  }
});
