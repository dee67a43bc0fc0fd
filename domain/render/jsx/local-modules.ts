// The scripts beside a document that it imports, and those that they import, each compiled by itself.
import type { EcmaScriptModule } from "oxc-parser";
import { isRecord } from "@plinth/platform/malformed";

import { type FilesBeside, importedPath, isData, isScript } from "./files-beside.ts";
import { isDefault } from "./export-names.ts";
import { type CompiledModule, compileModule } from "./module.ts";
import { type Finding, type JsxProblem, locate, mostProblems } from "./problems.ts";
import { unknownName } from "./unknown.ts";

interface LocalModules {
  /** In the order in which they run. */
  readonly scripts: ReadonlyMap<string, CompiledModule>;
  /** Of all files that are imported, in the order of their first import. */
  readonly paths: readonly string[];
}

/** A name in the source that stands for a module. */
interface ModuleRequest {
  readonly value: string;
  /** The place in the source. */
  readonly start: number;
}

/** All that a module asks for, in the order of its source. */
export function requestsOf({ staticImports, staticExports, dynamicImports }: EcmaScriptModule, source: string) {
  const requests: ModuleRequest[] = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({ value: source.slice(start + 1, end - 1), start })),
  ];
  return requests.toSorted((one, other) => one.start - other.start);
}

/** The files that the compiled module asks for. */
export function localRequests({ path, compiled, code }: CompiledModule, beside: FilesBeside): string[] {
  return requestsOf(compiled, code).flatMap(({ value }) => importedPath(beside, path, value) ?? []);
}

/** Expects a document that imports some. */
export function compileLocalModules(
  document: CompiledModule,
  beside: FilesBeside,
): LocalModules | { readonly problems: JsxProblem[] } {
  const scripts = new Map<string, CompiledModule>();
  const paths = new Set<string>();
  const problems: JsxProblem[] = [];
  const open = localRequests(document, beside);
  for (let path = open.shift(); path !== undefined && problems.length < mostProblems; path = open.shift()) {
    if (paths.has(path)) continue;
    paths.add(path);
    if (!isScript(path) && !isData(path)) continue;
    const text = beside.texts.get(path);
    if (text === undefined) problems.push({ line: 1, column: 1, file: path, message: tooLarge });
    else if (isData(path)) problems.push(...located(path, text, jsonFindings(text)));
    else {
      const module = compileModule({ path, text: text.replace(/^\uFEFF/, "") }, beside);
      if ("findings" in module) problems.push(...located(path, text, module.findings));
      else {
        scripts.set(path, module);
        // A file's own imports run before what comes after it.
        open.unshift(...localRequests(module, beside));
      }
    }
  }
  if (problems.length === 0)
    for (const module of [document, ...scripts.values()])
      problems.push(...located(module.path, module.text, missingExports(module, scripts, beside)));
  return problems.length > 0 ? { problems: problems.slice(0, mostProblems) } : { scripts, paths: [...paths] };
}

const tooLarge = "The file is too large to be imported: fetch it instead.";

const located = (path: string | null, text: string, findings: Finding[]): JsxProblem[] =>
  locate(text, findings).map((problem) => (path === null ? problem : { ...problem, file: path }));

/** A finding for each name that a module imports of a script beside it that does not export it. */
function missingExports(
  { path: from, text, compiled, written }: CompiledModule,
  scripts: ReadonlyMap<string, CompiledModule>,
  beside: FilesBeside,
): Finding[] {
  return compiled.staticImports.flatMap(({ moduleRequest: { value }, entries }) => {
    const path = importedPath(beside, from, value) ?? "";
    const module = scripts.get(path);
    const names = module === undefined ? dataNames(beside, path) : exportedNames(module.compiled);
    if (names === null) return [];
    return entries.flatMap(({ importName }) => {
      const name = isDefault(importName) ? "default" : importName.name;
      if (name === null || names.includes(name)) return [];
      const at = requestsOf(written, text).find((request) => request.value === value)?.start ?? 0;
      return [{ at, message: unknownName(name, value, names, {}) }];
    });
  });
}

/** Null where it also exports what another module does. */
function exportedNames({ staticExports }: EcmaScriptModule): string[] | null {
  const entries = staticExports.flatMap((one) => one.entries);
  if (entries.some(({ importName, exportName }) => isAll(importName) && exportName.name === null)) return null;
  return entries.map(({ exportName }) => (isDefault(exportName) ? "default" : (exportName.name ?? "")));
}

/** The default export of data is all of it, and each of its members is one as well; null for another file. */
function dataNames({ texts }: FilesBeside, path: string): string[] | null {
  if (!isData(path)) return null;
  const value: unknown = JSON.parse(texts.get(path) ?? "");
  return ["default", ...(isRecord(value) ? Object.keys(value) : [])];
}

/** A finding where it is no JSON. */
function jsonFindings(text: string): Finding[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [{ at: 0, message: `It is not valid JSON: ${error.message}` }];
  }
}

const isAll = ({ kind }: { readonly kind: string }): boolean => kind.startsWith("All");
