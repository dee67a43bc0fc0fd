// What a module without a default export shows: what it renders itself, or the one component that is meant.
import { type Expression, type Program, type Statement, Visitor } from "oxc-parser";

/** Names of a component's wrapper that leave it a component. */
const WRAPPERS = new Set(["memo", "forwardRef", "lazy"]);

/** Whether it makes a root of its own, or hands an element to a `render` of whatever kind. */
export function rendersItself(program: Program): boolean {
  let renders = false;
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      const called = callee.type === "MemberExpression" && !callee.computed ? callee.property : callee;
      if (called.type !== "Identifier") return;
      if (called.name === "createRoot" || called.name === "hydrateRoot") renders = true;
      if (called.name === "render" && first && (first.type.startsWith("JSX") || isReactDom(callee))) renders = true;
    },
  }).visit(program);
  return renders;
}

const isReactDom = (callee: Expression): boolean =>
  callee.type === "MemberExpression" && callee.object.type === "Identifier" && callee.object.name === "ReactDOM";

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
