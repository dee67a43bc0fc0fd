// Rewrites a module's exports in its source, so that it mounts its default export and exports nothing. Removed code is
// replaced by blanks, so that every other position stays the author's.
import type MagicString from "magic-string";
import type { ExportDefaultDeclaration, ExportNamedDeclaration, Program } from "oxc-parser";

import { isStyleImport } from "./package-imports.ts";

/**
 * Drops every export to a plain declaration and gives the expression that is the default export,
 * null where the module has none. `spare` is an identifier the source does not use.
 */
export function rewriteExports(program: Program, text: MagicString, spare: string): string | null {
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
export function dropStyleImports(program: Program, text: MagicString): void {
  for (const node of program.body)
    if (node.type === "ImportDeclaration" && isStyleImport(node.source.value)) put(text, node.start, node.end, ";");
}

/** Puts a text in the place of another one, which becomes blanks: its lines stay, and its columns where there is room. */
export function put(text: MagicString, start: number, end: number, replacement: string): void {
  const blank = text.original.slice(start, end).replaceAll(/[^\n\r\u2028\u2029]/g, " ");
  const fits = /^ *$/.test(blank.slice(0, replacement.length));
  text.overwrite(start, end, fits ? replacement + blank.slice(replacement.length) : blank + replacement);
}
