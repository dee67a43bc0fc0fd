// Builds the browser runtime of user content: React as modules, the mount, the stylesheet and fonts.
// Only our own sources and pinned packages go through the bundler, never a document.
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MOUNT_MODULE } from "../render/jsx-compiler.ts";
import { JSX_MODULES } from "../render/jsx-modules.ts";
import { RUNTIME_DIST, type RuntimeManifest } from "./manifest.ts";
import { stylesheetFiles } from "./stylesheet.ts";

const BROWSER = join(import.meta.dir, "browser");

/** Builds into `<dist>/<hash>/` and writes the manifest last; equal sources give an equal hash. */
export async function buildRuntime(dist = RUNTIME_DIST): Promise<RuntimeManifest> {
  const entries = await moduleEntries();
  const built = await Bun.build({
    entrypoints: [...Object.keys(entries), join(BROWSER, "mount.ts"), join(BROWSER, "report.ts")],
    files: entries,
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    naming: { entry: "[name].[ext]", chunk: "chunk-[hash].[ext]" },
  });
  const contents = await stylesheetFiles(join(BROWSER, "markdown.css"));
  for (const output of built.outputs) {
    contents.set(output.path.replace(/^\.\//, ""), new Uint8Array(await output.arrayBuffer()));
  }
  const files = [...contents.keys()].sort();
  const hasher = new Bun.CryptoHasher("sha256");
  for (const file of files) hasher.update(`${file}\0`).update(contents.get(file) ?? "");
  const imports = Object.fromEntries(JSX_MODULES.map((name) => [name, fileName(name)]));
  const manifest = {
    hash: hasher.digest("hex").slice(0, 16),
    imports: { ...imports, [MOUNT_MODULE]: "mount.js" },
    files,
  };
  await publish(dist, manifest, contents);
  return manifest;
}

// React is CommonJS, so its names are asked of the package itself and exported one by one.
async function moduleEntries(): Promise<Record<string, string>> {
  const entries: Record<string, string> = {};
  for (const name of JSX_MODULES) {
    const exported: object = await import(name);
    const names = Object.keys(exported).filter((key) => key !== "default" && /^[a-zA-Z_$][\w$]*$/.test(key));
    entries[join(BROWSER, fileName(name))] =
      `export { default } from "${name}"; export { ${names.join(", ")} } from "${name}";`;
  }
  return entries;
}

function fileName(name: string): string {
  return `${name.replaceAll("/", "-")}.js`;
}

// Written aside and renamed, so that a server never sees half a build.
async function publish(dist: string, manifest: RuntimeManifest, contents: Map<string, Uint8Array>): Promise<void> {
  const target = join(dist, manifest.hash);
  const aside = join(dist, `.${manifest.hash}-${process.pid}`);
  await mkdir(aside, { recursive: true });
  for (const [file, bytes] of contents) await writeFile(join(aside, file), bytes);
  await rm(target, { recursive: true, force: true });
  await rename(aside, target);
  await writeFile(join(dist, "manifest.json.new"), `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(join(dist, "manifest.json.new"), join(dist, "manifest.json"));
  for (const entry of await readdir(dist)) {
    if (entry !== manifest.hash && entry !== "manifest.json") await rm(join(dist, entry), { recursive: true });
  }
}

if (import.meta.main) {
  const { hash, files } = await buildRuntime();
  console.log(`Built the browser runtime ${hash}: ${files.length} files`);
}
