// The check of the web app's texts: a text that a person reads is in `web/src/messages/`, in each language, and neither
// in a component nor in another module. It must not judge messages, tests or texts for programs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";

import { root } from "./step.ts";

export interface Found {
  readonly line: number;
  readonly text: string;
}

/** Texts for programs and agents, which are English, and contents of the demo project. */
const notShown: readonly RegExp[] = [
  /^web\/src\/messages\//,
  /\.test\.ts$/,
  /^web\/src\/lib\/server\/demo\//,
  /^web\/src\/lib\/date-words\.ts$/,
  /^web\/src\/lib\/server\/(?:for-programs|page-as-text|[\w-]+-as-markdown|page-headers|document-text)\.ts$/,
];

/** Attributes and properties whose value is read or shown. */
const shownAttributes = new Set(["aria-label", "aria-description", "aria-placeholder", "title", "placeholder", "alt"]);
/** Of a component, each of these is a text. */
const shownProperties =
  /^(?:label|title|hint|text|placeholder|description|heading|note|question|button|summary|caption|message|empty|alt|name|confirm|action|verb|what)$/i;

/** Elements whose content is code. */
const codeElements = new Set(["code", "kbd", "pre", "samp", "style", "script", "svelte:options"]);

/** Names are the same in every language; so are keys, methods, units and abbreviations in capitals. */
const names =
  /\b(?:Plinth|Markdown|GitHub|Google|Stripe|Claude(?: Code)?|Codex|Cursor|Desktop|Chromium|Chrome|Edge|Firefox|Opera|Safari|Android|Windows|macOS|Linux|PowerShell|Shell|Node\.js|npm|npx|OpenAPI|README|Deutsch|English|Ctrl|Shift|Enter|Escape|Esc|Tab|Home|End|Backspace|Delete|Space|Arrow\w+|Accept|Authorization|Bearer|Mozilla|UTC|KB|MB|GB|[A-Z]{2,}(?:_[A-Z]{2,})*s?)\b/g;

const withoutNames = (text: string): string => text.replaceAll(names, "").replaceAll(/&\w+;|#\w*/g, " ");

/** Whether something that is shown has words. */
const hasWords = (text: string): boolean => /\p{L}{2,}/u.test(withoutNames(text));

/** Whether a string in code looks like a text: a capitalized word, or three words without the signs of code. */
function isText(value: string): boolean {
  const text = withoutNames(value).trim();
  if (/[{}<>=\\]|^[./#?&@-]|:\/\/|^\w+\(|--|\bvar\(|\b\w+-\[|\/\w+\//.test(text)) return false;
  if (/^\p{Lu}\p{Ll}+(?:['’]\p{Ll}+)?(?:[\s,.…!?:;]|$)/u.test(text)) return true;
  const words = text.split(/\s+/);
  return words.length >= 3 && words.every((word) => /^[“"„(]?\p{L}+(?:['’-]\p{L}+)?[”"“).,;:!?…]*$/u.test(word));
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/** The nodes directly inside a node, with the key that each is under. */
function* inside(node: Node): Generator<readonly [string, Node]> {
  for (const [key, value] of Object.entries(node)) {
    if (key === "loc" || key === "metadata") continue;
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield [key, each];
  }
}

type Report = (start: number, text: string) => void;

const stringOf = (node: Node): string | undefined => {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return undefined;
  const quasis = node["quasis"] as { readonly value: { readonly cooked: string | null } }[];
  return quasis.map(({ value }) => value.cooked ?? "").join("#");
};

/** Texts in code. Errors that are thrown are for developers, and a compared string is a value. */
function judgeCode(node: Node, report: Report, judged: (text: string) => boolean = isText): void {
  if (node.type === "ImportDeclaration" || node.type.startsWith("TS")) {
    // `x as T` and `x satisfies T` have code inside.
    for (const key of ["expression"]) if (isNode(node[key])) judgeCode(node[key], report, judged);
    return;
  }
  if (node.type === "NewExpression" && String((node["callee"] as { name?: string }).name).endsWith("Error")) return;
  // Kit's `error()`: error pages have their own words.
  if (node.type === "CallExpression" && (node["callee"] as { name?: string }).name === "error") return;
  if (node.type === "ThrowStatement" || node.type === "SwitchCase") {
    for (const [key, each] of inside(node)) if (key !== "test") judgeCode(each, report);
    return;
  }
  if (node.type === "BinaryExpression" && /^[!=]==?$|^in$/.test(String(node["operator"]))) return;
  // A string that is looked for in another one is a value as well.
  if (node.type === "CallExpression" && /^(?:includes|indexOf|startsWith|endsWith)$/.test(calledOf(node))) {
    judgeCode(node["callee"] as Node, report);
    return;
  }
  const text = stringOf(node);
  if (text !== undefined && judged(text)) report(node.start, text);
  const isCall = node.type === "CallExpression";
  for (const [key, each] of inside(node)) {
    if (node.type === "Property" && key === "key") continue;
    if (node.type === "MemberExpression" && key === "property") continue;
    // The condition of a choice is a value, and an argument of a call may be one.
    judgeCode(each, report, key === "test" || isCall ? isText : judged);
  }
}

/** The name of the method that is called; empty for another call. */
const calledOf = ({ callee }: Node): string =>
  (callee as { property?: { name?: string } } | undefined)?.property?.name ?? "";

function judgeMarkup(node: Node, report: Report): void {
  if (node.type === "Text") {
    const text = String(node["data"]);
    if (hasWords(text)) report(node.start + text.search(/\S/), text.trim().replaceAll(/\s+/g, " "));
    return;
  }
  if (node.type === "ExpressionTag") {
    judgeCode(node["expression"] as Node, report, hasWords);
    return;
  }
  if (node.type === "RegularElement" && codeElements.has(String(node["name"]))) return;
  if (node.type === "Attribute") {
    judgeAttribute(node, report);
    return;
  }
  const isMarkup = /^[A-Z]\w*(?:Element|Block|Body|Head|Window|Document|Boundary)$|^(?:Fragment|Component|Root)$/.test(
    node.type,
  );
  const isComponent = node.type === "Component";
  for (const [key, each] of inside(node)) {
    if (key === "instance" || key === "module" || key === "css" || key === "options") continue;
    if (each.type === "Attribute" && isComponent) judgeProperty(each, String(node["name"]), report);
    else if (isMarkup && (each.type === "Fragment" || key === "attributes" || key === "nodes" || key === "fragment"))
      judgeMarkup(each, report);
    else if (each.type === "Fragment") judgeMarkup(each, report);
    else judgeCode(each, report);
  }
}

function judgeAttribute(node: Node, report: Report): void {
  if (!shownAttributes.has(String(node["name"]))) {
    judgeHandlers(node, report);
    return;
  }
  for (const [, each] of inside(node)) judgeMarkup(each, report);
}

function judgeProperty(node: Node, component: string, report: Report): void {
  if (component === "Icon" && node["name"] === "name") return;
  if (shownProperties.test(String(node["name"])) || shownAttributes.has(String(node["name"]))) {
    for (const [, each] of inside(node)) {
      if (each.type === "Text" ? isText(String(each["data"])) || / /.test(String(each["data"])) : true)
        judgeMarkup(each, report);
    }
  } else judgeHandlers(node, report);
}

/** The functions of an attribute, and lists: classes and values are no texts. */
function judgeHandlers(node: Node, report: Report): void {
  if (/^(?:class|style|href|src|id|name|value|type)$/.test(String(node["name"]))) return;
  for (const [, each] of inside(node)) if (each.type === "ExpressionTag") judgeCode(each["expression"] as Node, report);
}

interface Compiler {
  readonly parse: (source: string, options: { modern: true }) => Node;
}

const { parse } = (await import(Bun.resolveSync("svelte/compiler", join(root, "web")))) as Compiler;

/** What looks like a text in a file, in the order of its lines. */
export function literalTexts(path: string, source: string): Found[] {
  const found: { at: number; text: string }[] = [];
  const report: Report = (at, text) => void found.push({ at, text });
  if (path.endsWith(".svelte")) {
    const tree = parse(source, { modern: true });
    judgeMarkup(tree, report);
    for (const key of ["instance", "module"]) {
      const script = tree[key];
      if (isNode(script)) judgeCode(script["content"] as Node, report);
    }
  } else judgeCode(parseSync(path, source).program as unknown as Node, report);
  return found
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, text }) => ({ line: source.slice(0, at).split("\n").length, text: text.slice(0, 80) }));
}

const filesOf = (checkout: string): string[] => [
  ...new Bun.Glob("web/src/**/*.{svelte,ts}").scanSync({ cwd: checkout }),
];

/** What looks like a text in the components and modules of the web app, or in some of them, by file. */
export function findLiteralTexts(
  checkout: string,
  files: readonly string[] = filesOf(checkout),
): ReadonlyMap<string, readonly Found[]> {
  const paths = files.filter((path) => !notShown.some((pattern) => pattern.test(path))).toSorted();
  const all = paths.map((path) => [path, literalTexts(path, readFileSync(join(checkout, path), "utf8"))] as const);
  return new Map(all.filter(([, { length }]) => length > 0));
}

/** The faults, a line for each text. */
export const literalTextFaults = (found: ReadonlyMap<string, readonly Found[]>): string[] =>
  [...found].flatMap(([path, texts]) =>
    texts.map(({ line, text }) => `${path}:${line}: "${text}": write it in web/src/messages/, in each language`),
  );

if (import.meta.main) {
  const files = process.argv.slice(2);
  const faults = literalTextFaults(files.length > 0 ? findLiteralTexts(root, files) : findLiteralTexts(root));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
