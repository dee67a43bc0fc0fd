// The names that a module declares at its top level, and the names that it uses. An import under any name that it
// doesn't declare changes nothing in the module: within functions its own declarations still come first.
import { type BindingPattern, type CallExpression, type Program, Visitor } from "oxc-parser";

export interface ModuleNames {
  /** Declared at the top level, values and types, `var` in blocks and loops included. */
  readonly declared: ReadonlySet<string>;
  /** Every identifier there is, a property's name as well. */
  readonly used: ReadonlySet<string>;
  /** The called names, as `name` or `object.name`. */
  readonly called: ReadonlySet<string>;
  /** Whether a call passes an element to any function called `render`. */
  readonly rendersElement: boolean;
}

/** Reads them in one pass, as a large document has a million nodes. */
export function moduleNames(program: Program): ModuleNames {
  const declared = topLevelNames(program);
  const used = new Set<string>();
  const called = new Set<string>();
  let rendersElement = false;
  new Visitor({
    Identifier: ({ name }) => void used.add(name),
    JSXIdentifier: ({ name }) => void used.add(name),
    CallExpression(call) {
      const name = calledName(call);
      if (name === null) return;
      called.add(name);
      if (/(^|\.)render$/.test(name) && call.arguments[0]?.type.startsWith("JSX")) rendersElement = true;
    },
    // Some belong to a function within; a name too many costs no more than an import that isn't added.
    VariableDeclaration({ kind, declarations }) {
      if (kind === "var") for (const { id } of declarations) addPattern(id, declared);
    },
  }).visit(program);
  return { declared, used, called, rendersElement };
}

/** Of what is called on anything but a name, the object is left out: `.name`. */
function calledName({ callee }: CallExpression): string | null {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return null;
  return `${callee.object.type === "Identifier" ? callee.object.name : ""}.${callee.property.name}`;
}

function topLevelNames(program: Program): Set<string> {
  const names = new Set<string>();
  for (const statement of program.body) {
    const exported = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
    const node = exported ? statement.declaration : statement;
    if (!node) continue;
    if (node.type === "ImportDeclaration") for (const { local } of node.specifiers) names.add(local.name);
    else if (node.type === "VariableDeclaration") for (const { id } of node.declarations) addPattern(id, names);
    else if ("id" in node && node.id?.type === "Identifier") names.add(node.id.name);
  }
  return names;
}

// An explicit stack, because patterns can be nested arbitrarily deep.
function addPattern(pattern: BindingPattern, names: Set<string>): void {
  const open: (BindingPattern | null)[] = [pattern];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node?.type === "Identifier") names.add(node.name);
    else if (node?.type === "AssignmentPattern") open.push(node.left);
    else if (node?.type === "ArrayPattern")
      open.push(...node.elements.map((element) => (element?.type === "RestElement" ? element.argument : element)));
    else if (node?.type === "ObjectPattern")
      open.push(
        ...node.properties.map((property) => (property.type === "RestElement" ? property.argument : property.value)),
      );
  }
}
