// Where the code behind a module's name is: a pinned package, a part of one, shadcn/ui's source, or one of our own.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

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
