// Finds what a jsx module may not do: reach for other modules, or use what the frame does not have.
import { isImportable } from "@plinth/runtime/module-aliases";
import { type EcmaScriptModule, type MemberExpression, type Program, Visitor } from "oxc-parser";
import { isPackageImport, isStyleImport } from "./package-imports.ts";
import type { Finding } from "./problems.ts";
import { unknownModule } from "./unknown.ts";

/** Lists every re-export, import(), require, import.meta and decorator that cannot work; `missingModules` has the imports. */
export function forbiddenUses(program: Program): Finding[] {
  const findings: Finding[] = [];
  const refuse = ({ start }: { start: number }, message: string) => findings.push({ at: start, message });
  const checkSource = (source: { start: number; value: string }) => {
    if (!isKnown(source.value)) findings.push(unknownModule(source.value, source.start));
  };
  const checkAttributes = (node: { start: number }, attributes: unknown[]) => {
    if (attributes.length > 0) refuse(node, "Import attributes are not supported.");
  };
  const refuseRequire = (node: { start: number }, what: string, specifier: string) => {
    const { message, ...unknown } = unknownModule(specifier, node.start);
    if (isImportable(specifier)) refuse(node, `${what} does not exist here. Write it as an import.`);
    else findings.push({ ...unknown, message: `${what} does not exist here. ${message}` });
  };
  new Visitor({
    ImportDeclaration(node) {
      if (node.importKind === "type") return; // erased before it runs
      if (node.phase) refuse(node, `"import ${node.phase}" is not supported.`);
      checkAttributes(node.source, node.attributes);
      if (node.specifiers.length > 0 && isStyleImport(node.source.value))
        refuse(node, `A style has no exports. Write \`import ${JSON.stringify(node.source.value)};\`.`);
    },
    ExportNamedDeclaration({ source, exportKind, attributes }) {
      if (!source || exportKind === "type") return;
      checkSource(source);
      checkAttributes(source, attributes);
    },
    ExportAllDeclaration({ source, exportKind, attributes }) {
      if (exportKind === "type") return;
      checkSource(source);
      checkAttributes(source, attributes);
    },
    ImportExpression(node) {
      if (node.source.type !== "Literal" || typeof node.source.value !== "string") {
        return refuse(node, "import() needs the module's name as a plain string.");
      }
      if (node.phase) refuse(node, `"import.${node.phase}" is not supported.`);
      checkSource({ start: node.source.start, value: node.source.value });
      checkAttributes(node.source, node.options ? [node.options] : []);
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== "Identifier" || callee.name !== "require") return;
      if (first?.type !== "Literal" || typeof first.value !== "string") return;
      refuseRequire(callee, "require()", first.value);
    },
    TSImportEqualsDeclaration(node) {
      if (node.moduleReference.type !== "TSExternalModuleReference") return;
      refuseRequire(node, "import = require()", node.moduleReference.expression.value);
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

/**
 * A finding for each import of a missing module that the compiled code still has: the compiler drops an import of types,
 * and one that nothing uses.
 */
export function missingModules(compiled: EcmaScriptModule, written: EcmaScriptModule): Finding[] {
  const imported = new Set(compiled.staticImports.map(({ moduleRequest }) => moduleRequest.value));
  return written.staticImports
    .filter(({ moduleRequest: { value } }) => imported.has(value) && !isKnown(value))
    .map(({ moduleRequest: { value, start } }) => unknownModule(value, start));
}

const isKnown = (specifier: string): boolean => isImportable(specifier) || isPackageImport(specifier);

/** `module.exports`, `module.exports.x`, `exports.x`. */
function isCommonJs({ object, property }: MemberExpression): boolean {
  if (object.type === "MemberExpression") return isCommonJs(object);
  if (object.type !== "Identifier") return false;
  return object.name === "exports" || (object.name === "module" && "name" in property && property.name === "exports");
}
