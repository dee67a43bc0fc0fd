import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JSX_MODULES } from "../render/jsx-modules.ts";
import { buildRuntime } from "./build.ts";
import { readRuntime } from "./manifest.ts";
import { readingFiles } from "./reading.ts";

const dist = await mkdtemp(join(tmpdir(), "plinth-runtime-"));
afterAll(() => rm(dist, { recursive: true }));

test("without a build the reader says how to make one", async () => {
  const error = await readRuntime(join(dist, "missing")).catch((reason: unknown) => reason);
  expect(error).toHaveProperty("message", expect.stringContaining("run `bun domain/runtime/build.ts`"));
});

test("equal sources give the equal build, and the manifest names every file of it", async () => {
  const first = await buildRuntime(dist);
  expect(await buildRuntime(dist)).toEqual(first);
  expect((await readdir(dist)).sort()).toEqual([first.hash, "manifest.json"].sort());
  const runtime = await readRuntime(dist);
  expect(runtime.path).toBe(`/_runtime/${first.hash}/`);
  expect((await readdir(runtime.directory)).sort()).toEqual(runtime.files);
  for (const address of Object.values(runtime.imports)) {
    expect(runtime.files).toContain(address.slice(runtime.path.length));
  }
});

test("every module has the names of its package, and one React is behind them all", async () => {
  const { imports, path, directory } = await readRuntime(dist);
  const load = async (name: string) =>
    (await import(join(directory, imports[name]?.slice(path.length) ?? ""))) as Record<string, unknown>;
  for (const name of JSX_MODULES) {
    const original = (await import(name)) as object;
    const missing = Object.keys(original).filter((key) => key !== "default" && key !== "__esModule");
    expect(Object.keys(await load(name))).toEqual(expect.arrayContaining(missing));
  }
  const react = await load("react");
  expect((react["default"] as Record<string, unknown>)["useState"]).toBe(react["useState"]);
  expect((await load("react/jsx-runtime"))["Fragment"]).toBe(react["Fragment"]);
});

test("is React's production build, reaches for nothing outside, and stays small", async () => {
  const { directory, files } = await readRuntime(dist);
  const reading = await readingFiles();
  let compressed = 0;
  for (const file of files) {
    const bytes = await readFile(join(directory, file));
    if (!file.endsWith(".js") || reading.has(file)) continue; // reading.test.ts
    compressed += Bun.gzipSync(bytes).length;
    const text = bytes.toString();
    expect(text).not.toContain("process.env");
    for (const [, specifier] of text.matchAll(/(?:from|import)\s*"([^"]+)"/g)) expect(specifier).toStartWith("./");
  }
  expect(compressed).toBeLessThan(90 * 1024);
});
