// Finds the content of a module without a default export: its own render call, or the component that is meant.
import type { Program, Statement } from "oxc-parser";
import type { ModuleNames } from "./scope.ts";

/** Names of a component's wrapper that leave it a component. */
const WRAPPERS = new Set(["memo", "forwardRef", "lazy"]);

const ROOTS = /(^|\.)(createRoot|hydrateRoot)$/;

/** Whether it creates its own root, or passes an element to any function called `render`. */
export const rendersItself = ({ called, rendersElement }: ModuleNames): boolean =>
  rendersElement || called.has("ReactDOM.render") || [...called].some((name) => ROOTS.test(name));

/** The top-level component that is meant: `App`, else the only one exported, else the last. Null where there is none. */
export function likelyComponent(program: Program): string | null {
  const exported: string[] = [];
  const all: string[] = [];
  for (const statement of program.body) {
    const names = componentNames(statement);
    all.push(...names);
    if (statement.type === "ExportNamedDeclaration") exported.push(...names);
  }
  if (all.includes("App")) return "App";
  return (exported.length === 1 ? exported[0] : all.at(-1)) ?? null;
}

/** The components that a statement at the top level declares: functions and classes with a capital letter first. */
export function componentNames(statement: Statement): string[] {
  const exported = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
  const node = exported ? statement.declaration : statement;
  if (node?.type === "FunctionDeclaration" || node?.type === "ClassDeclaration")
    return node.id && isCapital(node.id.name) ? [node.id.name] : [];
  if (node?.type !== "VariableDeclaration") return [];
  return node.declarations.flatMap(({ id, init }) =>
    id.type === "Identifier" && isCapital(id.name) && init && isComponent(init) ? [id.name] : [],
  );
}

function isComponent(value: { type: string }): boolean {
  if (value.type !== "CallExpression") return /^(Arrow)?FunctionExpression$|^ClassExpression$/.test(value.type);
  const { callee } = value as { callee?: { type: string; name?: string; property?: { name?: string } } };
  return WRAPPERS.has((callee?.type === "MemberExpression" ? callee.property?.name : callee?.name) ?? "");
}

const isCapital = (name: string): boolean => /^\p{Lu}/u.test(name);
