// Every mutant of one TypeScript source. Types, texts and imports are left alone.
import { parseSync } from "oxc-parser";

import { apply, type Edit } from "./mutant.ts";
import { sqlEdits } from "./sql-edits.ts";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const comparisons: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
};
/** These hold an expression beside a type; every other node of TypeScript is a type. */
const typedExpressions = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]);

export function editsOf(file: string, source: string): Edit[] {
  const edits: Edit[] = [];
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) return [];
  const visit = (node: Node) => {
    edits.push(...editsAt(node, source));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program as unknown as Node);
  return edits;
}

/** Whether the source can be read after the edit. */
export const isReadable = (file: string, source: string, edit: Edit): boolean =>
  parseSync(file, apply(source, edit)).errors.length === 0;

function childrenOf(node: Node): Node[] {
  if (node.type === "ImportDeclaration") return [];
  return Object.entries(node).flatMap(([field, value]) => {
    if (field === "typeAnnotation" || field === "typeArguments" || field === "returnType") return [];
    return (Array.isArray(value) ? value : [value]).filter(isCode);
  });
}

function isCode(value: unknown): value is Node {
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string") return false;
  return !value.type.startsWith("TS") || typedExpressions.has(value.type);
}

function editsAt(node: Node, source: string): Edit[] {
  const { type, start, end } = node;
  const text = source.slice(start, end);
  switch (type) {
    case "IfStatement":
      return [negated(node["test"] as Node, source), ...(isGuard(node) ? [edit("guard", node, "{}")] : [])];
    case "ConditionalExpression":
      return [negated(node["test"] as Node, source)];
    case "ExpressionStatement":
      return isCall(node["expression"] as Node) ? [edit("call", node, ";")] : [];
    case "BinaryExpression":
    case "LogicalExpression":
      return swapped(node, source);
    case "Literal":
      if (typeof node["value"] === "string") return sqlEdits(source, start + 1, end - 1);
      return typeof node["value"] === "number" ? [edit("bound", node, bound(node["value"]))] : [];
    case "TemplateLiteral":
      return sqlEdits(masked(node, source), start + 1, end - 1);
    case "ReturnStatement":
      return node["argument"] === null ? [] : [edit("return", node, `return ${constant(node["argument"] as Node)};`)];
    case "ArrowFunctionExpression": {
      const body = node["body"] as Node;
      return isTruth(body) && text.includes("=>") ? [edit("return", body, "true"), edit("return", body, "false")] : [];
    }
    default:
      return [];
  }
}

const edit = (operator: Edit["operator"], { start, end }: Node, text: string): Edit => ({ operator, start, end, text });

const negated = (test: Node, source: string): Edit => edit("negate", test, `!(${source.slice(test.start, test.end)})`);

function isGuard(node: Node): boolean {
  if (node["alternate"] !== null) return false;
  const consequent = node["consequent"] as Node;
  const last = consequent.type === "BlockStatement" ? (consequent["body"] as Node[]).at(-1) : consequent;
  return last?.type === "ThrowStatement" || last?.type === "ReturnStatement" || last?.type === "ContinueStatement";
}

const isCall = (node: Node): boolean =>
  node.type === "CallExpression" || (node.type === "AwaitExpression" && isCall(node["argument"] as Node));

function swapped(node: Node, source: string): Edit[] {
  const operator = node["operator"] as string;
  const left = node["left"] as Node;
  const right = node["right"] as Node;
  const other = node.type === "LogicalExpression" ? { "&&": "||", "||": "&&" }[operator] : comparisons[operator];
  if (other === undefined) return [];
  const [from, to] = [left.end, right.start];
  const between = source.slice(from, to);
  const kind = node.type === "LogicalExpression" ? "logic" : "compare";
  return [{ operator: kind, start: from, end: to, text: between.replace(operator, other) }];
}

const bound = (value: number): string =>
  String(Number.isInteger(value) && Math.abs(value) > 10 ? value * 2 : value + 1);

function isTruth({ type, operator, value }: Node): boolean {
  if (type === "Literal") return typeof value === "boolean";
  if (type === "UnaryExpression") return operator === "!";
  if (type === "BinaryExpression") return Object.hasOwn(comparisons, operator as string);
  return type === "LogicalExpression" && operator !== "??";
}

function constant(value: Node): string {
  if (value.type === "Literal" && typeof value["value"] === "boolean") return String(!value["value"]);
  if (isTruth(value)) return value.type === "UnaryExpression" ? "true" : "false";
  return value.type === "Literal" && value["value"] === null ? "undefined as never" : "null as never";
}

/** The source with the expressions of a template as word characters, so that what they hold is not read as SQL. */
function masked(template: Node, source: string): string {
  let text = source;
  for (const { start, end } of template["expressions"] as Node[])
    text = `${text.slice(0, start - 2)}${"x".repeat(end - start + 3)}${text.slice(end + 1)}`;
  return text;
}
