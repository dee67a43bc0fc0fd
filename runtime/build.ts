// Builds the browser runtime of user content, of its parts: the modules of jsx documents, what markdown documents and
// the source view load, and the guard. Only our own sources and pinned packages go through the bundler, never a document.
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipped, isText, RUNTIME_DIST, type RuntimeManifest } from "./manifest.ts";
import { moduleFiles } from "./modules.ts";
import { readingFiles } from "./reading.ts";
import { bundle } from "./bundle.ts";

// Finds the files that a browser loads with a module of the runtime: the static imports of the built code.
const TRANSPILER = new Bun.Transpiler({ loader: "js" });

/** For each of `entries` the files that it imports and those that these import, without itself, nearest first. */
function loadedFiles(entries: readonly string[], contents: ReadonlyMap<string, Uint8Array>): Record<string, string[]> {
  const direct = new Map<string, string[]>();
  const importsOf = (file: string) => {
    const known = direct.get(file);
    if (known) return known;
    const found = TRANSPILER.scanImports(contents.get(file) ?? "")
      .filter(({ kind }) => kind === "import-statement")
      .map(({ path }) => path.replace(/^\.\//, ""));
    direct.set(file, found);
    return found;
  };
  return Object.fromEntries(entries.map((entry) => [entry, reachable(entry, importsOf)]));
}

function reachable(entry: string, importsOf: (file: string) => string[]): string[] {
  const met = new Set([entry]);
  for (const file of met) for (const next of importsOf(file)) met.add(next);
  met.delete(entry);
  return [...met];
}

/** The files by name: `guard.js` and `memory-database.js`, classic scripts that are whole in themselves and leave no name behind. */
const guardFiles = (): Promise<Map<string, Uint8Array>> =>
  bundle(
    ["guard", "memory-database"].map((name) => join(import.meta.dir, `browser/${name}.ts`)),
    { splitting: false, format: "iife" },
  );

/** Builds into `<dist>/<hash>/` and writes the manifest last; equal sources give an equal hash. */
export async function buildRuntime(dist = RUNTIME_DIST): Promise<RuntimeManifest> {
  const { contents: modules, imports, exports, versions } = await moduleFiles();
  const contents = new Map([...modules, ...(await readingFiles()), ...(await guardFiles())]);
  const files = [...contents.keys()].sort();
  const hasher = new Bun.CryptoHasher("sha256");
  for (const file of files) hasher.update(`${file}\0`).update(contents.get(file) ?? "");
  const loads = loadedFiles([...new Set(Object.values(imports))], modules);
  const manifest = { hash: hasher.digest("hex").slice(0, 16), imports, exports, versions, files, loads };
  await publish(dist, manifest, contents);
  return manifest;
}

const gzippedBytes = (bytes: Uint8Array) => Bun.gzipSync(new Uint8Array(bytes), { level: 9, library: "libdeflate" });

// Written aside and renamed, so that a server never sees half a build.
async function publish(dist: string, manifest: RuntimeManifest, contents: Map<string, Uint8Array>): Promise<void> {
  const target = join(dist, manifest.hash);
  const aside = join(dist, `.${manifest.hash}-${process.pid}`);
  await mkdir(aside, { recursive: true });
  for (const [file, bytes] of contents) {
    await writeFile(join(aside, file), bytes);
    if (isText(file)) await writeFile(join(aside, gzipped(file)), gzippedBytes(bytes));
  }
  await rm(target, { recursive: true, force: true });
  await rename(aside, target);
  await writeFile(join(dist, "manifest.json.new"), `${JSON.stringify(manifest)}\n`);
  await rename(join(dist, "manifest.json.new"), join(dist, "manifest.json"));
  for (const entry of await readdir(dist)) {
    if (entry !== manifest.hash && entry !== "manifest.json") await rm(join(dist, entry), { recursive: true });
  }
}

if (import.meta.main) {
  const { hash, files } = await buildRuntime();
  console.log(`Built the browser runtime ${hash}: ${files.length} files`);
}
