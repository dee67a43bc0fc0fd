// Finds what a jsx module may not do: reach for other modules, or use what the frame does not have.
import { type MemberExpression, type Program, Visitor } from "oxc-parser";
import { IMPORTABLE } from "@plinth/runtime/jsx-modules";
import type { Finding } from "./problems.ts";
import { importableModules, unknownModule } from "./unknown.ts";

/** Lists every import, re-export, require, import.meta and decorator that cannot work. */
export function forbiddenUses(program: Program): Finding[] {
  const findings: Finding[] = [];
  const refuse = ({ start }: { start: number }, message: string) => findings.push({ at: start, message });
  // What there is is told once, with the first of them.
  const toldUnknown = (specifier: string) => {
    const message = unknownModule(specifier);
    return findings.some((finding) => finding.message.endsWith(list)) ? message : `${message} ${list}`;
  };
  const list = importableModules();
  const requireHint = (specifier: string) =>
    IMPORTABLE.includes(specifier) ? "Write it as an import." : toldUnknown(specifier);
  const checkSource = (source: { start: number; value: string }, attributes: unknown[]) => {
    if (!IMPORTABLE.includes(source.value)) refuse(source, toldUnknown(source.value));
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
    AssignmentExpression({ left }) {
      if (left.type === "MemberExpression" && isCommonJs(left)) {
        refuse(left, "module.exports does not exist here; write `export default` and the component.");
      }
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

/** `module.exports`, `module.exports.x`, `exports.x`. */
function isCommonJs({ object, property }: MemberExpression): boolean {
  if (object.type === "MemberExpression") return isCommonJs(object);
  if (object.type !== "Identifier") return false;
  return object.name === "exports" || (object.name === "module" && "name" in property && property.name === "exports");
}
