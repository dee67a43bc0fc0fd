// Makes modules for browsers of packages in memory. Runs on hostile code, which it reads and never executes: child
// processes only. Every import is resolved here, so that the bundler never looks at the disk.
import { init, parse as parseCommonJs } from "cjs-module-lexer";
import { JSX_MODULES } from "@plinth/runtime/jsx-modules";
import { canonicalName } from "@plinth/runtime/module-aliases";
import { type EcmaScriptModule, parseSync } from "oxc-parser";
import { rolldown, type Plugin } from "rolldown";

import { textOf, unpackSync } from "../../storage/pack.ts";
import { bundlerMessage } from "../../render/jsx/bundler-message.ts";
import { rootOf } from "../../render/jsx/package-imports.ts";
import { packageSpec } from "../cdn/package-file.ts";
import { packageLimits } from "../limits.ts";
import { manifestOf } from "../manifest.ts";
import type { BundledPackage, BundleEntry, BundleInput, BundleOutcome, MissingPackage } from "./bundled-package.ts";
import {
  exportedFile,
  internalFile,
  relativeFile,
  replacedImport,
  type ImportKind,
  type PackageNames,
} from "./package-imports.ts";

/** Stands for what browsers have not: Node's modules, and files that a package leaves out for browsers. */
const empty = "\0empty";
const entryPrefix = "\0entry:";
/** Modules that the document's import map has. */
const runtimePrefix = "\0runtime:";
/** The same for `require`, which needs an object of their exports. */
const requiredPrefix = "\0required:";
/** How deep the names of a CommonJS module are followed through its `require`s. */
const deepestReexport = 8;

interface Loaded extends PackageNames {
  readonly id: string;
  readonly name: string;
  readonly dependencies: BundledPackage["dependencies"];
  text(path: string): string;
}

interface Module {
  readonly owner: Loaded;
  readonly path: string;
}

/** What stopped a bundle, of the entry of that file where it is known. */
interface Fault {
  readonly detail: string;
  readonly file: string | null;
}

export async function bundlePackages(
  { packages, entries, besideRuntime }: BundleInput,
  bytesMax: number = packageLimits.documentBytes,
): Promise<BundleOutcome> {
  await init();
  const byId = new Map(packages.map((one) => [one.id, loadedOf(one)]));
  const missing = new Map<string, MissingPackage>();
  const modules = new Map<string, Module>();
  /** The first: the bundler wraps what a plugin throws in a report of many lines. */
  let fault: Fault | null = null;
  const fail = (detail: string, file: string | null = null): never => {
    fault ??= { detail, file };
    throw new Error(detail);
  };
  const moduleId = (owner: Loaded, path: string): string => {
    // The bundler knows by the ending which default export a module of Node's form gets from a CommonJS one.
    const id = `\0package:${owner.id}/${path}${isNodeModule(owner, path) ? ".mjs" : ""}`;
    modules.set(id, { owner, path });
    return id;
  };

  /** The id of a bare import's module; null for what browsers have not. */
  function bareImport(owner: Loaded, specifier: string, kind: ImportKind): string | null {
    const shared = besideRuntime ? sharedModule(owner, specifier) : null;
    if (shared !== null) return `${kind === "require" ? requiredPrefix : runtimePrefix}${shared}`;
    const spec = packageSpec(specifier.replace(/^node:/, ""));
    if (spec === null || spec.range !== "") return null;
    const { name, path } = spec;
    const target = name === owner.name ? owner.id : owner.dependencies[name];
    if (target === null) return null;
    const found = target === undefined ? undefined : byId.get(target);
    if (found !== undefined) {
      const file = exportedFile(found, path.replace(/\/$/, ""), kind);
      if (file === null) return fail(`${owner.name} imports ${specifier}, which ${found.id} does not export`);
      return file === undefined ? null : moduleId(found, file);
    }
    missing.set(`${owner.id} ${name}`, { packageId: owner.id, name });
    return null;
  }

  function imported({ owner, path }: Module, specifier: string, kind: ImportKind): string | null {
    if (specifier.startsWith(".")) return ownFile(owner, relativeFile(owner, specifier, path), specifier);
    if (specifier.startsWith("#")) return ownFile(owner, internalFile(owner, specifier, kind), specifier);
    const replaced = replacedImport(owner, specifier);
    if (replaced === false) return null;
    if (replaced?.startsWith(".") === true)
      return ownFile(owner, relativeFile(owner, replaced, "package.json"), specifier);
    return bareImport(owner, replaced ?? specifier, kind);
  }

  function ownFile(owner: Loaded, file: string | null | undefined, specifier: string): string | null {
    if (file === null) return fail(`${owner.id} has no file ${specifier}`);
    return file === undefined ? null : moduleId(owner, file);
  }

  /** Browsers import a CommonJS module's names from it, as they do from a CDN's build. */
  function namesOf(module: Module, depth = 0): string[] {
    const { exports, reexports } = parseCommonJs(module.owner.text(module.path));
    if (depth >= deepestReexport) return exports;
    const further = reexports.flatMap((specifier) => {
      const id = imported(module, specifier, "require");
      const next = id === null ? undefined : modules.get(id);
      return next === undefined || parsedModule(next)?.hasModuleSyntax !== false ? [] : namesOf(next, depth + 1);
    });
    return [...new Set([...exports, ...further])];
  }

  function entryCode({ file, packageId, subpath }: BundleEntry): string {
    const owner = byId.get(packageId);
    if (owner === undefined) return fail(`There is no package ${packageId}`);
    const path = exportedFile(owner, subpath, "import");
    if (path === null || path === undefined)
      return fail(`${packageId} does not export ${subpath === "" ? "a module" : subpath}`, file);
    const from = JSON.stringify(moduleId(owner, path));
    const module = { owner, path };
    const parsed = parsedModule(module);
    if (parsed?.hasModuleSyntax === true)
      return hasDefault(parsed) ? `export * from ${from}; export { default } from ${from};` : `export * from ${from};`;
    const names = parsed === null ? [] : namesOf(module).filter((name) => name !== "default" && isName(name));
    const constants = names.map((name, at) => `const e${at} = module.${name}; export { e${at} as ${name} };`);
    return `import module from ${from}; export default module; ${constants.join(" ")}`;
  }

  const plugin: Plugin = {
    name: "packages",
    resolveId(specifier, importer, { kind }) {
      if (specifier === empty || modules.has(specifier) || specifier.startsWith(entryPrefix)) return specifier;
      if (specifier.startsWith(runtimePrefix)) return ofRuntime(specifier);
      const from = importer === undefined ? undefined : modules.get(importer);
      if (from === undefined) return fail(`Nothing may import ${specifier}`);
      // A CDN's build leaves them out too: the document links to the style.
      if (/\.css$/i.test(specifier)) return empty;
      // Such a URL is the reader's to load, where the document's policy allows it.
      if (/^[a-z][a-z\d+.-]*:/i.test(specifier) && !specifier.startsWith("node:"))
        return { id: specifier, external: true };
      return ofRuntime(imported(from, specifier, kind === "require-call" ? "require" : "import") ?? empty);
    },
    load(id) {
      if (id === empty) return { code: "module.exports = {};", moduleType: "js" };
      if (id.startsWith(requiredPrefix))
        return { code: requiredCode(id.slice(requiredPrefix.length)), moduleType: "js" };
      if (id.startsWith(entryPrefix)) {
        const entry = entries[Number(id.slice(entryPrefix.length))];
        if (entry !== undefined) return { code: entryCode(entry), moduleType: "js" };
      }
      const module = modules.get(id);
      if (module === undefined) return fail(`There is no module ${id}`);
      const { owner, path } = module;
      return { code: owner.text(path), moduleType: path.endsWith(".json") ? "json" : "js" };
    },
  };
  try {
    const build = await rolldown({
      input: Object.fromEntries(entries.map(({ file }, at) => [file, `${entryPrefix}${at}`])),
      platform: "browser",
      plugins: [plugin],
      transform: { define: { "process.env.NODE_ENV": '"production"', global: "globalThis" } },
      logLevel: "silent",
    });
    const { output } = await build.generate({
      format: "esm",
      minify: true,
      entryFileNames: "[name]",
      chunkFileNames: "shared/[hash].js",
    });
    await build.close();
    if (missing.size > 0) return { kind: "missing", missing: [...missing.values()] };
    const files = output.flatMap((one) => (one.type === "chunk" ? [{ path: one.fileName, text: one.code }] : []));
    // A few megabytes of compressed scripts can be gigabytes, which the caller is not to hold.
    if (files.reduce((sum, { text }) => sum + text.length, 0) > bytesMax)
      return { kind: "problem", detail: "the modules are larger than a document may load", file: null };
    return { kind: "files", files };
  } catch (error) {
    // It may have failed for want of a package.
    if (missing.size > 0) return { kind: "missing", missing: [...missing.values()] };
    return { kind: "problem", ...(fault ?? { detail: shortMessage(error), file: null }) };
  }
}

/** The runtime's own name of a module that a package shares with the document; null for one that the package brings. */
function sharedModule(owner: Loaded, specifier: string): string | null {
  const name = canonicalName(specifier);
  if (!JSX_MODULES.includes(name)) return null;
  const [root = ""] = name.split("/");
  if (root === "react" || root === "react-dom") return name;
  const peers = owner.manifest["peerDependencies"];
  const isPeer = typeof peers === "object" && peers !== null && Object.hasOwn(peers, rootOf(specifier) ?? "");
  // A path of a package of the runtime belongs to what the document has of it.
  return isPeer || owner.name === rootOf(specifier) ? name : null;
}

const ofRuntime = (id: string) =>
  id.startsWith(runtimePrefix) ? { id: id.slice(runtimePrefix.length), external: true } : id;

/** Not every module has a default export. */
const requiredCode = (name: string): string => {
  const from = JSON.stringify(`${runtimePrefix}${name}`);
  return `import * as all from ${from}; export * from ${from}; export default all.default;`;
};

function loadedOf({ id, name, files, dependencies }: BundledPackage): Loaded {
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const text = (path: string): string => {
    const content = contents.get(path);
    return content === undefined ? "" : textOf(unpackSync(content)).replace(/^\uFEFF/, "");
  };
  return {
    id,
    name,
    dependencies,
    text,
    has: (path) => contents.has(path),
    manifest: manifestOf(text("package.json")),
    manifestIn: (folder) =>
      contents.has(`${folder}/package.json`) ? manifestOf(text(`${folder}/package.json`)) : null,
  };
}

/** Whether the nearest package.json makes a `.js` file an ES module of Node's. */
function isNodeModule({ manifest, manifestIn }: Loaded, path: string): boolean {
  if (!path.endsWith(".js")) return false;
  const folders = path.split("/").slice(0, -1);
  for (; folders.length > 0; folders.pop()) {
    const nearest = manifestIn(folders.join("/"));
    if (nearest !== null) return nearest["type"] === "module";
  }
  return manifest["type"] === "module";
}

/** Null for JSON, which has no names. */
const parsedModule = ({ owner, path }: Module): EcmaScriptModule | null =>
  path.endsWith(".json") ? null : parseSync(path, owner.text(path)).module;

const hasDefault = ({ staticExports }: EcmaScriptModule): boolean =>
  staticExports.some(({ entries }) =>
    // `export default` has no name, and a kind of that name.
    entries.some(({ exportName: { name, kind } }) => /^default$/i.test(name ?? kind)),
  );

const isName = (name: string): boolean => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);

const shortMessage = (error: unknown): string => bundlerMessage(error)?.slice(0, 300) ?? "The modules can't be bundled";
