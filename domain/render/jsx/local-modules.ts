// The scripts beside a document that it imports, and those that they import, each compiled by itself.
import type { EcmaScriptModule } from "oxc-parser";
import { isRecord } from "@plinth/platform/malformed";

import { type FilesBeside, importedFile, type ImportedFile, isData, isScript, isStyleModule } from "./files-beside.ts";
import { isDefault } from "./export-names.ts";
import { type CompiledModule, compileModule } from "./module.ts";
import { type Finding, type JsxProblem, locate, mostProblems } from "./problems.ts";
import { compileStyleModule, type StyleModule } from "./style-modules.ts";
import { unknownName } from "./unknown.ts";

export interface LocalModules {
  /** In the order in which they run. */
  readonly scripts: ReadonlyMap<string, CompiledModule>;
  /** In the order of their first import. */
  readonly styleModules: ReadonlyMap<string, StyleModule>;
  /** Of all files that are imported as modules, in the order of their first import. */
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
export function localRequests({ path, compiled, code }: CompiledModule, beside: FilesBeside): ImportedFile[] {
  return requestsOf(compiled, code).flatMap(({ value }) => importedFile(beside, path, value) ?? []);
}

/** Expects a document that imports some. */
export async function compileLocalModules(
  document: CompiledModule,
  beside: FilesBeside,
): Promise<LocalModules | { readonly problems: JsxProblem[] }> {
  const scripts = new Map<string, CompiledModule>();
  const styleModules = new Map<string, StyleModule>();
  const paths = new Set<string>();
  const problems: JsxProblem[] = [];
  const open = localRequests(document, beside);
  for (let next = open.shift(); next !== undefined && problems.length < mostProblems; next = open.shift()) {
    const { path, as } = next;
    if (as === "address" || (as === "module" && paths.has(path))) continue;
    if (as === "module") paths.add(path);
    const isRead = as === "text" || isScript(path) || isData(path) || isStyleModule(path);
    if (!isRead) continue;
    const text = beside.texts.get(path);
    if (text === undefined) problems.push({ line: 1, column: 1, file: path, message: tooLarge });
    else if (as === "text") continue;
    else if (isData(path)) problems.push(...located(path, text, jsonFindings(text)));
    else if (isStyleModule(path)) {
      const compiled = await compileStyleModule(path, beside);
      if ("names" in compiled) styleModules.set(path, compiled);
      else problems.push(compiled);
    } else {
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
      problems.push(...located(module.path, module.text, missingExports(module, { scripts, styleModules }, beside)));
  if (problems.length > 0) return { problems: problems.slice(0, mostProblems) };
  return { scripts, styleModules, paths: [...paths] };
}

const tooLarge = "The file is too large to be imported, or it is no text: fetch it instead.";

const located = (path: string | null, text: string, findings: Finding[]): JsxProblem[] =>
  locate(text, findings).map((problem) => (path === null ? problem : { ...problem, file: path }));

/** A finding for each name that a module imports of a script beside it that does not export it. */
function missingExports(
  { path: from, text, compiled, written }: CompiledModule,
  { scripts, styleModules }: Omit<LocalModules, "paths">,
  beside: FilesBeside,
): Finding[] {
  return compiled.staticImports.flatMap(({ moduleRequest: { value }, entries }) => {
    const { path = "", as } = importedFile(beside, from, value) ?? {};
    const module = as === "module" ? scripts.get(path) : undefined;
    const style = as === "module" ? styleModules.get(path) : undefined;
    const names =
      as === "text" || as === "address"
        ? ["default"]
        : style !== undefined
          ? ["default", ...Object.keys(style.names)]
          : module === undefined
            ? dataNames(beside, path)
            : exportedNames(module.compiled);
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
