// The files that a script refers to: its imports, what it fetches, and texts that are paths. Runs nothing of the script.
import { parse, type ParserPlugin } from "@babel/parser";

import { afterAlias } from "../import-path.ts";

import { globReference } from "./glob-reference.ts";
import type { Reference, ReferenceUse } from "./reference.ts";
import { isNode, type Node } from "./script-node.ts";

/** `jsx` also has what its elements show; `js` is a script of a page, `ts` a module that jsx imports. */
export type ScriptKind = "js" | "jsx" | "ts";

/** Characters. A longer script is a bundled library, and parsing it takes seconds. */
const longest = 1024 * 1024;

const plugins: Readonly<Record<ScriptKind, readonly ParserPlugin[]>> = {
  js: ["jsx"],
  jsx: ["jsx", "typescript"],
  ts: ["typescript"],
};

/** `firstLine` is the line of the text in its file. A text that does not parse refers to nothing. */
export function scriptReferences(text: string, kind: ScriptKind, firstLine = 1): Reference[] {
  if (text.length > longest) return [];
  const root = parseScript(text, kind);
  if (root === null) return [];
  const found: Reference[] = [];
  const taken = new Set<Node>();
  const add = (value: unknown, use: ReferenceUse, from: Reference["from"]): void => {
    const url = textOf(value);
    if (url === null || taken.has(value as Node)) return;
    taken.add(value as Node);
    found.push({ url, line: firstLine - 1 + ((value as Node).loc?.start.line ?? 1), use, from });
  };
  // A list and no recursion: a script nests as deep as it likes.
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    visit(node, add);
    const glob = globReference(node, firstLine);
    if (glob !== null) found.push(glob);
    waiting.push(...childrenOf(node).toReversed());
  }
  return found.filter(isReference).toSorted((one, other) => one.line - other.line);
}

function parseScript(text: string, kind: ScriptKind): Node | null {
  try {
    return parse(text, {
      sourceType: "unambiguous",
      plugins: [...plugins[kind]],
      errorRecovery: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      attachComment: false,
    }) as unknown as Node;
  } catch {
    return null;
  }
}

type Add = (value: unknown, use: ReferenceUse, from: Reference["from"]) => void;

/** Before the children of the node, so that a text is taken with what is known of it. */
function visit(node: Node, add: Add): void {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      if (node["importKind"] !== "type" && node["exportKind"] !== "type") add(node["source"], "import", "file");
      break;
    case "CallExpression":
    case "OptionalCallExpression":
    case "NewExpression":
      visitCall(node, add);
      break;
    case "JSXAttribute":
      visitAttribute(node, add);
      break;
    case "StringLiteral":
    case "TemplateLiteral":
      add(node, "mention", "document");
      break;
    default:
  }
}

function visitCall({ callee, arguments: given }: Node, add: Add): void {
  const [first, second] = Array.isArray(given) ? (given as readonly Node[]) : [];
  const name = nameOf(callee);
  if (name === "import" || name === "require") add(first, "import", "file");
  else if (name === "fetch" || name === "Worker" || name === "Audio") add(first, "load", "document");
  else if (name === "URL" && second?.type === "MemberExpression" && nameOf(second["object"]) === "import.meta")
    add(first, "load", "file");
}

/** The name of a function, as a global or as a member of the global object; empty for others. */
function nameOf(value: unknown): string {
  if (!isNode(value)) return "";
  if (value.type === "Import") return "import";
  if (value.type === "MetaProperty") return "import.meta";
  if (value.type === "Identifier" || value.type === "JSXIdentifier") return String(value["name"]);
  const isMember = value.type === "MemberExpression" || value.type === "OptionalMemberExpression";
  return isMember && /^(?:window|globalThis|self)$/.test(nameOf(value["object"])) ? nameOf(value["property"]) : "";
}

const loaded = new Set(["src", "poster", "data", "background"]);

function visitAttribute({ name, value }: Node, add: Add): void {
  const text = isNode(value) && value.type === "JSXExpressionContainer" ? value["expression"] : value;
  const attribute = nameOf(name);
  if (loaded.has(attribute)) add(text, "load", "document");
  else if (attribute === "href") add(text, "link", "document");
}

/**
 * The value of a string or of a template without expressions; null for others. Of a sum and of a template with
 * expressions, the first text where it has the whole path: `"data.json?t=" + now`.
 */
function textOf(value: unknown): string | null {
  if (!isNode(value)) return null;
  if (value.type === "StringLiteral") return String(value["value"]);
  if (value.type === "BinaryExpression") return pathBeforeQuery(firstOf(value));
  if (value.type !== "TemplateLiteral") return null;
  const [piece, ...others] = value["quasis"] as readonly { readonly value: { readonly cooked?: string | null } }[];
  const text = piece?.value.cooked ?? null;
  return others.length === 0 ? text : pathBeforeQuery(text);
}

const pathBeforeQuery = (text: string | null): string | null => (text?.includes("?") ? text : null);

/** The leftmost string of a sum. */
function firstOf(sum: Node): string | null {
  let first: unknown = sum;
  while (isNode(first) && first.type === "BinaryExpression" && first["operator"] === "+") first = first["left"];
  return isNode(first) && first.type === "StringLiteral" ? String(first["value"]) : null;
}

/** A module without `./` is a package; a text without an extension, or with spaces around, is no path. */
const isReference = ({ url, use, glob }: Reference): boolean =>
  use === "import"
    ? glob !== undefined || /^\.{1,2}(?:\/|$)/.test(url) || afterAlias(url) !== null
    : use !== "mention" || /^[^\s:*?"<>|][^:*?"<>|\n]{0,250}\.\w{2,12}$/.test(url);

const notChildren = new Set(["loc", "errors", "comments", "tokens", "extra"]);

const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([name, value]) =>
    notChildren.has(name) ? [] : Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
