// Finds what a jsx module may not do: reach for other modules, or use what the frame does not have.
import { type Program, Visitor } from "oxc-parser";
import { IMPORTABLE, unknownModule } from "./jsx-modules.ts";
import type { Finding } from "./jsx-problems.ts";

/** Lists every import, re-export, require, import.meta and decorator that cannot work. */
export function forbiddenUses(program: Program): Finding[] {
  const findings: Finding[] = [];
  const refuse = ({ start }: { start: number }, message: string) => findings.push({ at: start, message });
  const checkSource = (source: { start: number; value: string }, attributes: unknown[]) => {
    if (!IMPORTABLE.includes(source.value)) refuse(source, unknownModule(source.value));
    if (attributes.length > 0) refuse(source, "Import attributes are not supported.");
  };
  new Visitor({
    ImportDeclaration(node) {
      if (node.importKind === "type") return; // erased before it runs
      if (node.phase) refuse(node, `"import ${node.phase}" is not supported.`);
      checkSource(node.source, node.attributes);
    },
    ExportNamedDeclaration(node) {
      if (node.source && node.exportKind !== "type") checkSource(node.source, node.attributes);
    },
    ExportAllDeclaration(node) {
      if (node.exportKind !== "type") checkSource(node.source, node.attributes);
    },
    ImportExpression(node) {
      if (node.source.type !== "Literal" || typeof node.source.value !== "string") {
        return refuse(node, "import() needs the module's name as a plain string.");
      }
      if (node.phase) refuse(node, `"import.${node.phase}" is not supported.`);
      checkSource({ start: node.source.start, value: node.source.value }, node.options ? [node.options] : []);
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== "Identifier" || callee.name !== "require") return;
      if (first?.type !== "Literal" || typeof first.value !== "string") return;
      refuse(callee, `require() does not exist here. ${requireHint(first.value)}`);
    },
    TSImportEqualsDeclaration(node) {
      if (node.moduleReference.type !== "TSExternalModuleReference") return;
      refuse(node, `import = require() does not exist here. ${requireHint(node.moduleReference.expression.value)}`);
    },
    MetaProperty(node) {
      if (node.meta.name === "import") refuse(node, "import.meta is not available in a document.");
    },
    Decorator(node) {
      refuse(node, "Decorators are not supported.");
    },
    TSExportAssignment(node) {
      refuse(node, '"export =" is not supported; write "export default".');
    },
  }).visit(program);
  return findings;
}

function requireHint(specifier: string): string {
  return IMPORTABLE.includes(specifier) ? "Write it as an import." : unknownModule(specifier);
}
