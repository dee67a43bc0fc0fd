// The names that a module declares at its top level. One imported under any other name changes nothing of it: within
// functions its own declarations still come first.
import { type BindingPattern, type Program, Visitor } from "oxc-parser";

/** Every name declared at the top level, of values and of types, `var` in blocks and loops included. */
export function declaredNames(program: Program): Set<string> {
  const names = new Set<string>();
  for (const statement of program.body) {
    const exported = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
    const node = exported ? statement.declaration : statement;
    if (!node) continue;
    if (node.type === "ImportDeclaration") for (const { local } of node.specifiers) names.add(local.name);
    else if (node.type === "VariableDeclaration") for (const { id } of node.declarations) addPattern(id, names);
    else if ("id" in node && node.id?.type === "Identifier") names.add(node.id.name);
  }
  new Visitor({
    // Some belong to a function within; a name too many costs no more than an import that isn't added.
    VariableDeclaration({ kind, declarations }) {
      if (kind === "var") for (const { id } of declarations) addPattern(id, names);
    },
  }).visit(program);
  return names;
}

// On a stack of its own: patterns nest as deep as their author likes.
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
