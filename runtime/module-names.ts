// The names that a module exports, asked of the module itself.
import { readFile } from "node:fs/promises";

const IDENTIFIER = /^[a-zA-Z_$][\w$]*$/;

/** Sorted, `default` among them where there is one. Loads the module, which must do without a browser. */
export async function exportedNames(source: string): Promise<string[]> {
  const exported = (await import(source)) as Record<string, unknown>;
  return Object.keys(exported)
    .filter((name) => name !== "__esModule" && name !== "module.exports" && IDENTIFIER.test(name))
    .filter((name) => name !== "default" || !isCompiledModule(exported["default"]))
    .sort();
}

/** The same of a source of our own that needs a browser to be loaded. */
export async function writtenNames(source: string): Promise<string[]> {
  return new Bun.Transpiler({ loader: "ts" }).scan(await readFile(source, "utf8")).exports.sort();
}

// An ES module compiled to CommonJS has no real default export: importing it gives all its exports as the default. A
// namespace that a module exports as its default, as zod does, is a real one.
function isCompiledModule(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("__esModule" in value)) return false;
  return Object.prototype.toString.call(value) !== "[object Module]";
}
