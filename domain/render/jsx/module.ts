// Compiles one module: the document itself, or a script beside it.
import { MOUNT_MODULE } from "@plinth/runtime/jsx-modules";
import { isImportable } from "@plinth/runtime/module-aliases";
import MagicString from "magic-string";
import { type EcmaScriptModule, type ParserOptions, type Program, parseSync } from "oxc-parser";
import { type SourceMap, transformSync } from "oxc-transform";

import { missingNames } from "./export-names.ts";
import { dropStyleImports, rewriteExports } from "./exports.ts";
import { type FilesBeside, importedPath } from "./files-beside.ts";
import { forbiddenUses, missingModules } from "./imports.ts";
import { isPackageImport } from "./package-imports.ts";
import type { Finding } from "./problems.ts";
import { providedImports } from "./provided.ts";
import { moduleNames } from "./scope.ts";
import { likelyComponent, rendersItself } from "./shown.ts";

export interface ModuleSource {
  /** Among the files; null of the document. */
  readonly path: string | null;
  readonly text: string;
}

export interface CompiledModule extends ModuleSource {
  readonly program: Program;
  /** What it imports and exports, as it is written. */
  readonly written: EcmaScriptModule;
  /** The same of the compiled code, which imports no types. */
  readonly compiled: EcmaScriptModule;
  readonly code: string;
  readonly map: SourceMap | undefined;
}

export type ModuleOutcome = CompiledModule | { readonly findings: Finding[] };

const NOTHING_SHOWN =
  "This document has no default export and no component, so there is nothing to show. End it with `export default` " +
  "and a component.";

/** Compiles hostile source, or finds what is wrong with it; names that it imports from other files are not checked yet. */
export function compileModule({ path, text: source }: ModuleSource, beside: FilesBeside): ModuleOutcome {
  const file = path ?? "document.tsx";
  const options = { lang: languageOf(file), sourceType: "module" } as const;
  const parsed = parseSync(file, source, { ...options, showSemanticErrors: true });
  if (parsed.errors.length > 0) return { findings: parsed.errors.map(toFinding) };

  const { program } = parsed;
  const fileOf = (specifier: string) => importedPath(beside, path, specifier);
  const knows = (specifier: string) =>
    fileOf(specifier) !== null || isImportable(specifier) || isPackageImport(specifier);
  const findings = [...forbiddenUses(program, { knows, fileOf }), ...forbiddenPragmas(parsed.comments)];
  const names = moduleNames(program);
  const text = new MagicString(source);
  let mounted = "";
  if (path === null) {
    const spare = unusedName(source);
    const component = rewriteExports(program, text, spare) ?? (rendersItself(names) ? "" : likelyComponent(program));
    if (component === null) findings.push({ at: 0, message: NOTHING_SHOWN });
    else if (component !== "")
      mounted = `import { mount as ${spare}mount } from "${MOUNT_MODULE}";\n${spare}mount(${component});\n`;
  }
  dropStyleImports(program, text);
  text.append(`\n${providedImports(names)}\n${mounted}`);
  const compiled = transformSync(file, text.toString(), {
    ...options,
    sourcemap: true,
    jsx: { runtime: "automatic", importSource: "react", throwIfNamespace: false },
  });
  // Its places would be those of the rewritten text, and these are the author's: only what follows was added.
  if (compiled.errors.length > 0) return { findings: findings.length > 0 ? findings : compiled.errors.map(toFinding) };
  const { module } = parseSync("document.js", compiled.code, { lang: "js", sourceType: "module" });
  findings.push(...missingModules(module, parsed.module, knows));
  if (findings.length === 0) findings.push(...missingNames(module, parsed.module));
  if (findings.length > 0) return { findings };
  return {
    path,
    text: source,
    program,
    written: parsed.module,
    compiled: module,
    code: compiled.code,
    map: compiled.map,
  };
}

/** In a script without types `<T>` and `a < b > (c)` are what they are in JavaScript. */
function languageOf(path: string): NonNullable<ParserOptions["lang"]> {
  if (/\.m?ts$/i.test(path)) return "ts";
  return /\.(?:m?js|jsx)$/i.test(path) ? "jsx" : "tsx";
}

interface SyntaxFault {
  message: string;
  helpMessage: string | null;
  labels: { start: number }[];
}

function toFinding({ message, helpMessage, labels }: SyntaxFault): Finding {
  // Of several places the last is the one to change: the second of two declarations.
  return {
    at: labels.at(-1)?.start ?? 0,
    message: helpMessage ? `${message} ${helpMessage}` : message,
  };
}

// A pragma would make the compiled code import a module that the source never names.
function forbiddenPragmas(comments: { value: string; start: number }[]): Finding[] {
  return comments
    .filter(({ value }) => /@jsxImportSource\s+(?!react(?:\s|$))/.test(value))
    .map(({ start }) => ({
      at: start,
      message: "@jsxImportSource is not supported; JSX is React's here.",
    }));
}

function unusedName(source: string): string {
  const taken = new Set(source.matchAll(/plinth\$(\d*)/g).map(([, number]) => number));
  let number = "";
  for (let next = 1; taken.has(number); next++) number = String(next);
  return `plinth$${number}`;
}
