// Tells which components of a module can be shown without props, as far as its source says: by their parameters, the
// types of these, and `defaultProps`.
import { type Expression, type ParamPattern, type Program, type Statement, type TSType, Visitor } from "oxc-parser";

interface Component {
  readonly params: readonly ParamPattern[];
  /** The type of its props where the variable has it: `const Card: FC<Props>`. */
  readonly props: TSType | null;
}

/** The names of those components that render without props. */
export function withoutRequiredProps(program: Program, names: readonly string[]): string[] {
  const declared = program.body.flatMap((statement) => {
    const inner =
      statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration"
        ? statement.declaration
        : statement;
    return inner === null || inner === undefined ? [] : [inner as Statement];
  });
  const defaults = defaultPropsIn(declared);
  return names.filter((name) => {
    const found = declared.flatMap((statement) => componentIn(statement, name) ?? [])[0];
    if (found === undefined) return false;
    if (found === "class") return !declared.some((statement) => isClassWithProps(statement, name));
    return isOptional(found, declared, defaults.get(name) ?? new Set());
  });
}

function componentIn(statement: Statement, name: string): Component | "class" | null {
  if (statement.type === "FunctionDeclaration" && statement.id?.name === name)
    return { params: statement.params, props: null };
  if (statement.type === "ClassDeclaration" && statement.id?.name === name) return "class";
  if (statement.type !== "VariableDeclaration") return null;
  for (const { id, init } of statement.declarations) {
    if (id.type !== "Identifier" || id.name !== name || init === null) continue;
    const annotation = id.typeAnnotation?.typeAnnotation;
    const [props = null] = annotation?.type === "TSTypeReference" ? (annotation.typeArguments?.params ?? []) : [];
    // `FC` alone has no props.
    return annotation !== undefined && annotation !== null && props === null
      ? { params: [], props }
      : functionIn(init, props);
  }
  return null;
}

/** Of `memo(function () { … })` and its like the function within. */
function functionIn(value: Expression, props: TSType | null): Component | null {
  if (value.type === "ArrowFunctionExpression" || value.type === "FunctionExpression")
    return { params: value.params, props };
  const [first] = value.type === "CallExpression" ? value.arguments : [];
  return first === undefined || first.type === "SpreadElement" ? null : functionIn(first, props);
}

/** The members of `Card.defaultProps = { … }`, by the component. */
function defaultPropsIn(statements: readonly Statement[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const statement of statements) {
    if (statement.type !== "ExpressionStatement" || statement.expression.type !== "AssignmentExpression") continue;
    const { left, right } = statement.expression;
    if (left.type !== "MemberExpression" || left.computed || left.property.type !== "Identifier") continue;
    if (left.object.type !== "Identifier" || left.property.name !== "defaultProps") continue;
    if (right.type === "ObjectExpression") found.set(left.object.name, new Set(right.properties.flatMap(keyOf)));
  }
  return found;
}

const keyOf = (member: { type: string; key?: unknown }): string[] => {
  const key = member.key as { readonly name?: string; readonly value?: unknown } | undefined;
  const name = key?.name ?? key?.value;
  return typeof name === "string" ? [name] : [];
};

function isOptional(
  { params: [first], props }: Component,
  statements: readonly Statement[],
  defaults: ReadonlySet<string>,
): boolean {
  if (first === undefined || first.type === "AssignmentPattern") return true;
  if (first.type === "RestElement" || first.type === "TSParameterProperty") return false;
  const type = props ?? first.typeAnnotation?.typeAnnotation ?? null;
  const required = type === null ? null : requiredMembers(type, statements, 0);
  if (required !== null) return required.every((name) => defaults.has(name));
  return (
    first.type === "ObjectPattern" &&
    first.properties.every(
      (property) =>
        property.type === "RestElement" ||
        property.value.type === "AssignmentPattern" ||
        keyOf(property).some((name) => defaults.has(name)),
    )
  );
}

/** Types of React's whose members a caller may leave out. */
const ofElements = /^(?:React\.)?(?:\w*HTMLAttributes|SVGProps|ComponentProps\w*|PropsWithChildren|HTMLProps)$/;
const deepest = 5;

/** The members that a caller must give; null where the source does not say. */
function requiredMembers(type: TSType, statements: readonly Statement[], depth: number): string[] | null {
  if (depth > deepest) return null;
  if (type.type === "TSTypeLiteral") return requiredIn(type.members);
  if (type.type === "TSIntersectionType")
    return joined(type.types.map((one) => requiredMembers(one, statements, depth + 1)));
  if (type.type !== "TSTypeReference") return null;
  const name = typeName(type.typeName);
  const own = type.typeArguments?.params ?? [];
  if (/(?:^|\.)Partial$/.test(name)) return [];
  if (/(?:^|\.)PropsWithChildren$/.test(name))
    return joined(own.map((one) => requiredMembers(one, statements, depth + 1)));
  if (ofElements.test(name)) return [];
  for (const statement of statements) {
    if (statement.type === "TSTypeAliasDeclaration" && statement.id.name === name)
      return requiredMembers(statement.typeAnnotation, statements, depth + 1);
    if (statement.type === "TSInterfaceDeclaration" && statement.id.name === name)
      return requiredIn(statement.body.body);
  }
  return null;
}

const joined = (parts: readonly (string[] | null)[]): string[] | null =>
  parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);

const requiredIn = (members: readonly { type: string; key?: unknown; optional?: boolean }[]): string[] =>
  members.filter(({ type, optional }) => type !== "TSIndexSignature" && optional !== true).flatMap(keyOf);

/** `A.B`, or empty for what is no name. */
function typeName(node: { type: string; name?: string; left?: unknown; right?: unknown }): string {
  if (node.type === "Identifier") return node.name ?? "";
  if (node.type !== "TSQualifiedName") return "";
  return `${typeName(node.left as typeof node)}.${(node.right as { name: string }).name}`;
}

/** Whether the class of that name reads `this.props`, or names the type of them. */
function isClassWithProps(statement: Statement, name: string): boolean {
  if (statement.type !== "ClassDeclaration" || statement.id?.name !== name) return false;
  let reads = false;
  new Visitor({
    MemberExpression({ object, property }) {
      if (object.type === "ThisExpression" && property.type === "Identifier" && property.name === "props") reads = true;
    },
  }).visit({
    type: "Program",
    body: [statement],
    sourceType: "module",
    hashbang: null,
    start: 0,
    end: 0,
  });
  return reads;
}
