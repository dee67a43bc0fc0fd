// Finds what a jsx module may not do: reach for other modules, or use what the frame does not have.
import { isImportable } from "@plinth/runtime/module-aliases";
import { type EcmaScriptModule, type MemberExpression, type Program, Visitor } from "oxc-parser";
import { isData, isStyleModule, isStyleSheet } from "./files-beside.ts";
import { isStyleImport } from "./package-imports.ts";
import type { Finding } from "./problems.ts";
import { unknownModule } from "./unknown.ts";

/** What a module can import. */
interface Importable {
  readonly knows: (specifier: string) => boolean;
  /** The path of the file beside the document; null for what is none. */
  readonly fileOf: (specifier: string) => string | null;
}

/** Lists every re-export, import(), require and decorator that cannot work; `missingModules` has the imports. */
export function forbiddenUses(program: Program, { knows, fileOf }: Importable): Finding[] {
  const findings: Finding[] = [];
  const refuse = ({ start }: { start: number }, message: string) => findings.push({ at: start, message });
  const checkSource = (source: { start: number; value: string }) => {
    if (!knows(source.value)) findings.push(unknownModule(source.value, source.start));
  };
  const checkAttributes = (node: { start: number; value?: unknown }, attributes: unknown[]) => {
    // `with { type: "json" }` says what a file of data is in any case.
    const isOfData = typeof node.value === "string" && isData(fileOf(node.value) ?? "");
    if (attributes.length > 0 && !isOfData) refuse(node, "Import attributes are not supported.");
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
      if (node.specifiers.length > 0 && (isStyleImport(node.source.value) || isLinked(fileOf(node.source.value))))
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

const isLinked = (path: string | null): boolean => path !== null && isStyleSheet(path) && !isStyleModule(path);

/**
 * A finding for each import of a missing module that the compiled code still has: the compiler drops an import of types,
 * and one that nothing uses.
 */
export function missingModules(
  compiled: EcmaScriptModule,
  written: EcmaScriptModule,
  knows: Importable["knows"],
): Finding[] {
  const imported = new Set(compiled.staticImports.map(({ moduleRequest }) => moduleRequest.value));
  return written.staticImports
    .filter(({ moduleRequest: { value } }) => imported.has(value) && !knows(value))
    .map(({ moduleRequest: { value, start } }) => unknownModule(value, start));
}

/** `module.exports`, `module.exports.x`, `exports.x`. */
function isCommonJs({ object, property }: MemberExpression): boolean {
  if (object.type === "MemberExpression") return isCommonJs(object);
  if (object.type !== "Identifier") return false;
  return object.name === "exports" || (object.name === "module" && "name" in property && property.name === "exports");
}
