// `import.meta.glob` of a script: the files that its patterns mean go with the document.
import type { ImportGlob } from "../import-glob.ts";
import type { Reference } from "./reference.ts";
import { isNode, type Node } from "./script-node.ts";

/** Null for another node, and for patterns that are no plain strings, which the service refuses. `firstLine` is the line of the text in its file. */
export function globReference(node: Node, firstLine: number): Reference | null {
  if (node.type !== "CallExpression" || !isGlobCall(node["callee"])) return null;
  const [first, second] = node["arguments"] as readonly unknown[];
  const patterns = isNode(first) && first.type === "ArrayExpression" ? (first["elements"] as unknown[]) : [first];
  const texts = patterns.map(textOf);
  if (!texts.every((text) => text !== null)) return null;
  const base = textOf(optionOf(second, "base")) ?? "";
  const exhaustive = optionOf(second, "exhaustive");
  const glob: ImportGlob = { patterns: texts, base, exhaustive: isNode(exhaustive) && exhaustive["value"] === true };
  const line = firstLine - 1 + (node.loc?.start.line ?? 1);
  return { url: texts.join(", "), line, use: "import", from: "file", glob };
}

function isGlobCall(callee: unknown): boolean {
  if (!isNode(callee) || callee.type !== "MemberExpression") return false;
  const { object, property } = callee;
  const isMeta = isNode(object) && object.type === "MetaProperty";
  return isMeta && isNode(property) && /^glob(?:Eager)?$/.test(String(property["name"]));
}

function textOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "StringLiteral") return String(node["value"]);
  if (node.type !== "TemplateLiteral") return null;
  const [piece, ...others] = node["quasis"] as readonly { readonly value: { readonly cooked?: string | null } }[];
  return others.length === 0 ? (piece?.value.cooked ?? null) : null;
}

function optionOf(node: unknown, name: string): unknown {
  if (!isNode(node) || node.type !== "ObjectExpression") return undefined;
  const members = node["properties"] as readonly Node[];
  return members.find(({ key }) => isNode(key) && (key["name"] ?? key["value"]) === name)?.["value"];
}
