// Compiles one module: the document itself, or a script beside it.
import { MOUNT_MODULE } from "@plinth/runtime/jsx-modules";
import { isImportable } from "@plinth/runtime/module-aliases";
import MagicString from "magic-string";
import {
  type EcmaScriptModule,
  type ExportDefaultDeclaration,
  type ExportNamedDeclaration,
  type ParserOptions,
  parseSync,
  type Program,
} from "oxc-parser";
import { type SourceMap, transformSync } from "oxc-transform";

import { missingNames } from "./export-names.ts";
import { type FilesBeside, importedPath } from "./files-beside.ts";
import { forbiddenUses, missingModules } from "./imports.ts";
import { isPackageImport, isStyleImport } from "./package-imports.ts";
import type { Finding } from "./problems.ts";
import { moduleNames, type ModuleNames } from "./scope.ts";
import { likelyComponent, rendersItself } from "./default-component.ts";

// Rewrites a module's exports in its source, so that it mounts its default export and exports nothing. Removed code is
// replaced by blanks, so that every other position stays the author's.

/**
 * Drops every export to a plain declaration and gives the expression that is the default export,
 * null where the module has none. `spare` is an identifier the source does not use.
 */
function rewriteExports(program: Program, text: MagicString, spare: string): string | null {
  let component: string | null = null;
  for (const node of program.body) {
    if (node.type === "ExportDefaultDeclaration") component = keepDefault(node, text, spare) ?? component;
    if (node.type === "ExportNamedDeclaration") component = keepNamed(node, text, spare) ?? component;
    if (node.type === "ExportAllDeclaration") put(text, node.start, node.end, ";");
  }
  return component;
}

function keepDefault(node: ExportDefaultDeclaration, text: MagicString, spare: string): string | null {
  const { declaration } = node;
  if (declaration.type === "TSInterfaceDeclaration" || declaration.type === "TSDeclareFunction") {
    put(text, node.start, node.end, ";");
    return null;
  }
  const named = declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration";
  if (named && declaration.id) {
    put(text, node.start, declaration.start, "");
    return declaration.id.name;
  }
  put(text, node.start, declaration.start, `let ${spare}=`);
  // A semicolon of our own ends it, as an anonymous function or class needs none as an export.
  if (text.original[node.end - 1] !== ";") text.appendLeft(node.end, ";");
  return spare;
}

function keepNamed(node: ExportNamedDeclaration, text: MagicString, spare: string): string | null {
  if (node.declaration) {
    put(text, node.start, node.declaration.start, "");
    return null;
  }
  put(text, node.start, node.end, ";");
  if (node.exportKind === "type") return null;
  const specifier = node.specifiers.find(
    ({ exported, exportKind }) =>
      exportKind !== "type" && (exported.type === "Literal" ? exported.value : exported.name) === "default",
  );
  if (!specifier) return null;
  const local = text.original.slice(specifier.local.start, specifier.local.end);
  if (!node.source) return local;
  text.append(`\nimport { ${local} as ${spare} } from ${JSON.stringify(node.source.value)};`);
  return spare;
}

/** Removes imports of styles, which a link element loads. */
function dropStyleImports(program: Program, text: MagicString): void {
  for (const node of program.body)
    if (node.type === "ImportDeclaration" && isStyleImport(node.source.value)) put(text, node.start, node.end, ";");
}

/** Puts a text in the place of another one, which becomes blanks: its lines stay, and its columns where there is room. */
function put(text: MagicString, start: number, end: number, replacement: string): void {
  const blank = text.original.slice(start, end).replaceAll(/[^\n\r\u2028\u2029]/g, " ");
  const fits = /^ *$/.test(blank.slice(0, replacement.length));
  text.overwrite(start, end, fits ? replacement + blank.slice(replacement.length) : blank + replacement);
}

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
  readonly code: string;
  readonly map: SourceMap | undefined;
}

type ModuleOutcome = CompiledModule | { readonly findings: Finding[] };

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
