// Finds the content of a module without a default export: its own render call, or the component that is meant.
import type { Program, Statement } from "oxc-parser";
import { withoutRequiredProps } from "./required-props.ts";
import type { ModuleNames } from "./scope.ts";

/** Names of a component's wrapper that leave it a component. */
const WRAPPERS = new Set(["memo", "forwardRef", "lazy"]);

const ROOTS = /(^|\.)(createRoot|hydrateRoot)$/;

/** Whether it creates its own root, or passes an element to any function called `render`. */
export const rendersItself = ({ called, rendersElement }: ModuleNames): boolean =>
  rendersElement || called.has("ReactDOM.render") || [...called].some((name) => ROOTS.test(name));

/**
 * The top-level component that is meant: `App`, else the only one exported, else the only one exported that takes no required
 * props, else the last of a module that exports none. Otherwise those that may be meant; none where there is no component.
 */
export function shownComponent(program: Program): string | readonly string[] {
  const all = program.body.flatMap(componentNames);
  if (all.includes("App")) return "App";
  const exported = program.body.flatMap((statement) => exportedNames(statement).filter((name) => all.includes(name)));
  if (exported.length < 2) return exported[0] ?? all.at(-1) ?? [];
  const [only, ...more] = withoutRequiredProps(program, exported);
  return only === undefined || more.length > 0 ? exported : only;
}

/** The local names that a statement exports. */
function exportedNames(statement: Statement): string[] {
  if (statement.type !== "ExportNamedDeclaration" || statement.source !== null) return [];
  const named = statement.specifiers.flatMap(({ local }) => (local.type === "Identifier" ? [local.name] : []));
  return [...componentNames(statement), ...named];
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
