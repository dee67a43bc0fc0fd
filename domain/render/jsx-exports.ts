// Rewrites a module's exports on its source, so that it mounts its default export and exports nothing.
import type MagicString from "magic-string";
import type { ExportDefaultDeclaration, ExportNamedDeclaration, Program } from "oxc-parser";

/**
 * Drops every export to a plain declaration and gives the expression that is the default export,
 * null where the module has none. `spare` is an identifier the source does not use.
 */
export function rewriteExports(program: Program, text: MagicString, spare: string): string | null {
  let component: string | null = null;
  for (const node of program.body) {
    if (node.type === "ExportDefaultDeclaration") component = keepDefault(node, text, spare) ?? component;
    if (node.type === "ExportNamedDeclaration") component = keepNamed(node, text, spare) ?? component;
    if (node.type === "ExportAllDeclaration") text.remove(node.start, node.end);
  }
  return component;
}

function keepDefault(node: ExportDefaultDeclaration, text: MagicString, spare: string): string | null {
  const { declaration } = node;
  if (declaration.type === "TSInterfaceDeclaration" || declaration.type === "TSDeclareFunction") {
    text.remove(node.start, node.end);
    return null;
  }
  const named = declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration";
  if (named && declaration.id) {
    text.remove(node.start, declaration.start);
    return declaration.id.name;
  }
  // A semicolon of our own ends it, as an anonymous function or class needs none as an export.
  text.overwrite(node.start, declaration.start, `const ${spare} = `);
  text.appendLeft(node.end, ";");
  return spare;
}

function keepNamed(node: ExportNamedDeclaration, text: MagicString, spare: string): string | null {
  if (node.declaration) {
    text.remove(node.start, node.declaration.start);
    return null;
  }
  const specifier = node.specifiers.find(
    ({ exported, exportKind }) =>
      exportKind !== "type" && (exported.type === "Literal" ? exported.value : exported.name) === "default",
  );
  if (!specifier || node.exportKind === "type") {
    text.remove(node.start, node.end);
    return null;
  }
  const local = text.original.slice(specifier.local.start, specifier.local.end);
  if (!node.source) {
    text.remove(node.start, node.end);
    return local;
  }
  text.overwrite(node.start, node.end, `import { ${local} as ${spare} } from ${node.source.raw ?? '"react"'};`);
  return spare;
}
