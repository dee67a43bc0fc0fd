// The modules that jsx documents import, the mount and the reporter, as files of the runtime.
import { dirname, join } from "node:path";
import { readFile } from "node:fs/promises";
import { existsSync, readFileSync } from "node:fs";
import { bundle } from "./bundle.ts";
import { IMPORTABLE, JSX_MODULES, MOUNT_MODULE, NEEDS_BROWSER } from "./jsx-modules.ts";

// Where the code behind a module's name is: a pinned package, a part of one, shadcn/ui's source, or one of our own.
const HERE = import.meta.dir;

// Of a package that consists of others the parts are the very copies it brings, not a second pin of ours.
const PARTS = [
  { prefix: "d3-", whole: "d3" },
  { prefix: "@radix-ui/react-", whole: "radix-ui" },
];

/**
 * What to import for a module's name: an absolute path, or the name itself where it is a package that we pin, so that
 * the bundler takes its build for browsers. @throws where a part or an addition is missing
 */
export function moduleSource(name: string): string {
  if (name.startsWith("@/components/")) return uiSource(`${name.slice("@/components/".length)}.tsx`);
  if (name.startsWith("@/")) return uiSource(`${name.slice("@/".length)}.ts`);
  if (name.startsWith("three/")) return Bun.resolveSync(`${name}.js`, HERE);
  const own = join(HERE, "libraries", `${name}.ts`);
  if (existsSync(own)) return own;
  const part = PARTS.find(({ prefix }) => name.startsWith(prefix));
  if (part) return Bun.resolveSync(name, dirname(Bun.resolveSync(part.whole, HERE)));
  return browserBuild(name) ?? name;
}

// shadcn/ui no longer has its older toasts, which documents still import; those are ours.
function uiSource(path: string): string {
  const own = join(HERE, "ui", path.replace(/^ui\//, ""));
  return existsSync(own) ? own : join(HERE, "vendor/shadcn", path);
}

// Older packages name their builds for browsers and for bundlers beside `main`, which is what Bun would take.
function browserBuild(name: string): string | null {
  const manifest = join(HERE, "node_modules", name, "package.json");
  if (!existsSync(manifest)) return null;
  const { browser, module, exports } = JSON.parse(readFileSync(manifest, "utf8")) as Record<string, unknown>;
  const build = typeof browser === "string" ? browser : module;
  return typeof build === "string" && !exports ? join(dirname(manifest), build) : null;
}

/** `lodash/debounce` and the like: a module that is one name of another one. */
export function namedPart(name: string): { whole: string; part: string } | null {
  const [, whole, part] = /^(lodash)\/(\w+)$/.exec(name) ?? [];
  return whole && part ? { whole, part } : null;
}

/** Modules that we wrote in the place of a package, or of an author's own file. */
const OURS = /^(?:@\/|next\/|html2canvas$)/;

/** The pinned version of the package that a module is, or belongs to; null for our own. */
export function moduleVersion(name: string): string | null {
  if (OURS.test(name)) return null;
  const part = PARTS.find(({ prefix }) => name.startsWith(prefix));
  const from = part ? dirname(Bun.resolveSync(part.whole, HERE)) : HERE;
  const [packageName = name] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? [];
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = join(folder, "node_modules", packageName, "package.json");
    if (existsSync(manifest)) return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
    if (folder === dirname(folder)) throw new Error(`${name} has no version: ${packageName} is not installed`);
  }
}

/** The names that a module exports, asked of the module itself. */
const IDENTIFIER = /^[a-zA-Z_$][\w$]*$/;

/** Sorted, `default` among them where there is one. Loads the module, which must do without a browser. */
async function exportedNames(source: string): Promise<string[]> {
  const exported = (await import(source)) as Record<string, unknown>;
  return Object.keys(exported)
    .filter((name) => name !== "__esModule" && name !== "module.exports" && IDENTIFIER.test(name))
    .filter((name) => name !== "default" || !isCompiledModule(exported["default"]))
    .sort();
}

/** The same of a source of our own that needs a browser to be loaded. */
async function writtenNames(source: string): Promise<string[]> {
  return new Bun.Transpiler({ loader: "ts" }).scan(await readFile(source, "utf8")).exports.sort();
}

// An ES module compiled to CommonJS has no real default export: importing it gives all its exports as the default. A
// namespace that a module exports as its default, as zod does, is a real one.
function isCompiledModule(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("__esModule" in value)) return false;
  return Object.prototype.toString.call(value) !== "[object Module]";
}

const BROWSER = join(import.meta.dir, "browser");

export interface Modules {
  contents: Map<string, Uint8Array>;
  /** Module name to file name; several names may be one file. */
  imports: Record<string, string>;
  /** Module name to the names it exports. */
  exports: Record<string, string[]>;
  /** The version of the package behind each module that has one. */
  versions: Record<string, string>;
}

/** Builds them all at once, so that what they share is one chunk, React above all. */
export async function moduleFiles(): Promise<Modules> {
  const files: Record<string, string> = {};
  const imports: Record<string, string> = {};
  const exports: Record<string, string[]> = {};
  const fileOf = new Map<string, string>();
  for (const name of JSX_MODULES.filter((name) => !namedPart(name))) {
    const source = moduleSource(name);
    const file = fileOf.get(source) ?? fileName(name);
    fileOf.set(source, file);
    imports[name] = file;
    exports[name] = await (NEEDS_BROWSER.includes(name) ? writtenNames : exportedNames)(source);
    files[join(BROWSER, file)] ??= `export { ${exports[name].join(", ")} } from ${JSON.stringify(source)};`;
  }
  const contents = await bundle([...Object.keys(files), join(BROWSER, "mount.ts"), join(BROWSER, "report.ts")], {
    files,
  });
  for (const name of JSX_MODULES) {
    const named = namedPart(name);
    if (!named) continue;
    const file = `lodash-${named.part}.js`;
    const text = `import{${named.part} as part}from"./${imports[named.whole]}";export default part;\n`;
    contents.set(file, new TextEncoder().encode(text));
    imports[name] = file;
    exports[name] = ["default"];
  }
  const versions = Object.fromEntries(
    IMPORTABLE.flatMap((name) => {
      const version = moduleVersion(name);
      return version === null ? [] : [[name, version]];
    }),
  );
  return { contents, imports: { ...imports, [MOUNT_MODULE]: "mount.js" }, exports, versions };
}

// Without a dot: a file that were called `chart.js` would be found for the package of that name.
function fileName(name: string): string {
  return `${name
    .replace(/^@\/(components\/)?/, "")
    .replaceAll("@", "")
    .replaceAll(/[./]/g, "-")}.js`;
}
