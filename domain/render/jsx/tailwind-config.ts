// `tailwind.config = {…}` of a jsx document, as pages with Tailwind's script write it: read as plain values, because nothing of
// a document is run where it is compiled, and taken out of its code.
import type { Argument, CallExpression, Expression, ObjectExpression, Program, Statement } from "oxc-parser";

import type { Finding } from "./problems.ts";
import { isTailwindPlugin, tailwindPluginNames } from "./tailwind-plugins.ts";

/** A plug-in by its name, with the options that it was called with. */
export interface PluginUse {
  readonly plugin: string;
  readonly options: ConfigValue | undefined;
}

export type ConfigValue =
  | string
  | number
  | boolean
  | null
  | readonly ConfigValue[]
  | { readonly [name: string]: ConfigValue };

export interface TailwindConfig {
  readonly values: { readonly [name: string]: ConfigValue };
  readonly plugins: readonly PluginUse[];
}

interface ConfigStatement {
  readonly start: number;
  readonly end: number;
  readonly read: TailwindConfig | Finding;
}

/** The last of them, as it would be at run time; all are in `statements`. */
export function tailwindConfigs(program: Program): readonly ConfigStatement[] {
  return program.body.flatMap((statement): ConfigStatement[] => {
    const value = assignedConfig(statement);
    if (value === null) return [];
    const { start, end } = statement;
    try {
      return [{ start, end, read: configOf(value) }];
    } catch (error) {
      if (!(error instanceof NotPlain)) throw error;
      return [{ start, end, read: { at: error.at, message: error.message } }];
    }
  });
}

/** A value that is no plain one. */
class NotPlain extends Error {
  constructor(
    readonly at: number,
    message = "tailwind.config has plain values alone here: nothing of a document is run to compile it.",
  ) {
    super(message);
  }
}

const globals = new Set(["window", "globalThis", "self"]);

/** What `tailwind.config = …` or `window.tailwind.config = …` assigns. */
function assignedConfig(statement: Statement): Expression | null {
  if (statement.type !== "ExpressionStatement" || statement.expression.type !== "AssignmentExpression") return null;
  const { left, right, operator } = statement.expression;
  if (operator !== "=" || left.type !== "MemberExpression" || namePath(left) !== "tailwind.config") return null;
  return right;
}

/** `a.b` of such an expression, without the global object at its start; empty for another one. */
function namePath(node: Expression): string {
  if (node.type === "TSAsExpression" || node.type === "ParenthesizedExpression") return namePath(node.expression);
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return "";
  const object = node.object.type === "Super" ? "" : namePath(node.object);
  return globals.has(object) ? node.property.name : `${object}.${node.property.name}`;
}

const prefixRefused = "Of tailwind.config a document has no prefix: its classes are those of Tailwind.";

function configOf(node: Expression): TailwindConfig {
  if (node.type !== "ObjectExpression") throw new NotPlain(node.start);
  const plugins: PluginUse[] = [];
  const values: Record<string, ConfigValue> = {};
  for (const { name, value } of membersOf(node)) {
    if (name === "prefix") throw new NotPlain(value.start, prefixRefused);
    if (name !== "plugins") values[name] = valueOf(value);
    else if (value.type !== "ArrayExpression") throw new NotPlain(value.start);
    else for (const element of value.elements) plugins.push(pluginOf(element, value.start));
  }
  return { values, plugins };
}

/** `require("@tailwindcss/forms")`, or that with its options: `require(…)({ strategy: "class" })`. */
function pluginOf(node: Argument | null, at: number): PluginUse {
  if (node?.type !== "CallExpression") throw new NotPlain(node?.start ?? at);
  const isCalled = node.callee.type === "CallExpression";
  const [options] = isCalled ? node.arguments : [];
  const plugin = requiredName(isCalled ? (node.callee as CallExpression) : node);
  if (!isTailwindPlugin(plugin))
    throw new NotPlain(node.start, `Of Tailwind's plug-ins a document has ${tailwindPluginNames.join(", ")}.`);
  return { plugin, options: options === undefined ? undefined : valueOf(options) };
}

function requiredName({ callee, arguments: [first] }: CallExpression): string {
  const isRequire = callee.type === "Identifier" && callee.name === "require";
  return isRequire && first?.type === "Literal" && typeof first.value === "string" ? first.value : "";
}

function valueOf(node: Argument): ConfigValue {
  switch (node.type) {
    case "Literal":
      if (node.value === null && !("regex" in node) && !("bigint" in node)) return null;
      if (typeof node.value === "string" || typeof node.value === "number" || typeof node.value === "boolean")
        return node.value;
      break;
    case "TemplateLiteral":
      if (node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? "";
      break;
    case "UnaryExpression":
      if (node.operator === "-") return -Number(valueOf(node.argument));
      break;
    case "ArrayExpression":
      return node.elements.map((element) => {
        if (element === null) throw new NotPlain(node.start);
        return valueOf(element);
      });
    case "ObjectExpression":
      return Object.fromEntries(membersOf(node).map(({ name, value }) => [name, valueOf(value)]));
    case "TSAsExpression":
    case "ParenthesizedExpression":
      return valueOf(node.expression);
    default:
  }
  throw new NotPlain(node.start);
}

function membersOf({ properties }: ObjectExpression): { name: string; value: Expression }[] {
  return properties.map((property) => {
    if (property.type !== "Property" || property.computed || property.method) throw new NotPlain(property.start);
    const { key, value } = property;
    const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
    if (name === "__proto__") throw new NotPlain(property.start);
    return { name, value };
  });
}
