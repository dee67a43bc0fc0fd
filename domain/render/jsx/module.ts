// Compiles one module: the document itself, or a script beside it.
import { MOUNT_MODULE } from "@plinth/runtime/jsx-modules";
import { isImportable } from "@plinth/runtime/module-aliases";
import MagicString from "magic-string";
import { type EcmaScriptModule, type ParserOptions, parseSync, type Program } from "oxc-parser";
import { type SourceMap, transformSync } from "oxc-transform";

import { missingNames } from "./export-names.ts";
import { type FilesBeside, importedFile, importedPath } from "./files-beside.ts";
import { importMetaCode, importMetaUses } from "./import-meta.ts";
import { forbiddenUses, missingModules } from "./imports.ts";
import { isPackageImport } from "./package-imports.ts";
import { dropStyleImports, put, rewriteExports } from "./module-exports.ts";
import type { Finding } from "./problems.ts";
import { moduleNames, type ModuleNames } from "./scope.ts";
import { tailwindConfigs, type TailwindConfig } from "./tailwind-config.ts";
import { rendersItself, shownComponent } from "./default-component.ts";

/**
 * The names that a document may use without importing them: React's own, as pages that load React by a script tag have
 * them, and the `render` and `root` of playgrounds.
 */
const REACT_NAMES = new Set(
  (
    "Children Component Fragment PureComponent StrictMode Suspense cloneElement createContext createElement createRef " +
    "forwardRef isValidElement lazy memo startTransition useActionState useCallback useContext useDebugValue " +
    "useDeferredValue useEffect useEffectEvent useId useImperativeHandle useInsertionEffect useLayoutEffect useMemo " +
    "useOptimistic useReducer useRef useState useSyncExternalStore useTransition"
  ).split(" "),
);

/** One line of imports for each name used and declared nowhere at the top level; "" where there is none. */
function providedImports({ declared, used, called }: ModuleNames): string {
  const free = (name: string): boolean => used.has(name) && !declared.has(name);
  const imports: string[] = [];
  if (free("React")) imports.push('import React from "react";');
  const named = [...REACT_NAMES].filter(free);
  if (named.length > 0) imports.push(`import { ${named.join(", ")} } from "react";`);
  if (free("ReactDOM")) imports.push('import ReactDOM from "react-dom";');
  if (free("createPortal")) imports.push('import { createPortal } from "react-dom";');
  if (free("createRoot")) imports.push('import { createRoot } from "react-dom/client";');
  const mount = [
    ...(free("render") && called.has("render") ? ["render"] : []),
    ...(free("root") && called.has("root.render") ? ["root"] : []),
  ];
  if (mount.length > 0) imports.push(`import { ${mount.join(", ")} } from "${MOUNT_MODULE}";`);
  return imports.join("\n");
}

interface ModuleSource {
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
  /** Of the document alone. */
  readonly tailwind: { readonly config: TailwindConfig; readonly at: number } | null;
  readonly code: string;
  readonly map: SourceMap | undefined;
}

type ModuleOutcome = CompiledModule | { readonly findings: Finding[] };

/** Refuses a document by the components that may be meant. */
const nothingShown = (candidates: readonly string[]): string =>
  candidates.length === 0
    ? "This document has no default export and no component, so there is nothing to show. End it with `export default` " +
      "and a component."
    : `This document has no default export, and exports several components: ${candidates.join(", ")}. Write ` +
      "`export default` before the one to show.";

/** Compiles hostile source, or finds what is wrong with it; names that it imports from other files are not checked yet. */
export function compileModule({ path, text: source }: ModuleSource, beside: FilesBeside): ModuleOutcome {
  const file = path ?? "document.tsx";
  const options = { lang: languageOf(file), sourceType: "module" } as const;
  const parsed = parseSync(file, source, { ...options, showSemanticErrors: true });
  if (parsed.errors.length > 0) return { findings: parsed.errors.map(toFinding) };

  const { program } = parsed;
  const fileOf = (specifier: string) => importedPath(beside, path, specifier);
  const knows = (specifier: string) =>
    importedFile(beside, path, specifier) !== null || isImportable(specifier) || isPackageImport(specifier);
  const meta = importMetaUses(program, source);
  const configs = path === null ? tailwindConfigs(program) : [];
  const findings = [
    // A plug-in is named by `require`, which is never called.
    ...forbiddenUses(program, { knows, fileOf }).filter(
      ({ at }) => !configs.some(({ start, end }) => at >= start && at < end),
    ),
    ...forbiddenPragmas(parsed.comments),
    ...meta.findings,
    ...configs.flatMap(({ read }) => ("message" in read ? [read] : [])),
  ];
  const names = moduleNames(program);
  const text = new MagicString(source);
  const spare = unusedName(source);
  const metaCode = importMetaCode(meta, { path, beside, spare });
  if ("findings" in metaCode) findings.push(...metaCode.findings);
  else for (const { start, end, text: replacement } of metaCode.edits) put(text, start, end, replacement);
  for (const { start, end } of configs) put(text, start, end, ";");
  let mounted = "";
  if (path === null) {
    const exported = rewriteExports(program, text, spare);
    const shown = exported ?? (rendersItself(names) ? "" : shownComponent(program));
    if (typeof shown !== "string") findings.push({ at: 0, message: nothingShown(shown) });
    else if (shown !== "")
      mounted = `import { mount as ${spare}mount } from "${MOUNT_MODULE}";\n${spare}mount(${shown});\n`;
  }
  dropStyleImports(program, text);
  const added = "code" in metaCode ? metaCode.code : "";
  text.append(`\n${providedImports(names)}\n${added}\n${mounted}`);
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
  const last = configs.at(-1);
  const tailwind = last === undefined || "message" in last.read ? null : { config: last.read, at: last.start };
  return {
    path,
    text: source,
    program,
    written: parsed.module,
    compiled: module,
    tailwind,
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
