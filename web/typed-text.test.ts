// A field keeps what is typed into it before the page's script runs: Svelte sets a `value` that is not bound again then.
import { expect, test } from "bun:test";
import { parse, type AST } from "svelte/compiler";

/** Nothing is typed into these. */
const others: ReadonlySet<string> = new Set(["hidden", "checkbox", "radio", "submit", "button", "file"]);

interface Node {
  readonly type: string;
  readonly start: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

function* nodesIn(value: unknown): Generator<Node> {
  if (isNode(value)) yield value;
  if (typeof value === "object" && value !== null)
    for (const inside of Object.values(value) as unknown[]) yield* nodesIn(inside);
}

const isField = (node: Node): node is AST.RegularElement =>
  node.type === "RegularElement" && ["input", "textarea"].includes((node as AST.RegularElement).name);

/** The text of an attribute; null where it is not a plain text. */
function textOf({ attributes }: AST.RegularElement, name: string): string | null {
  for (const attribute of attributes)
    if (attribute.type === "Attribute" && attribute.name === name && Array.isArray(attribute.value)) {
      const [part] = attribute.value;
      return part?.type === "Text" ? part.data : null;
    }
  return null;
}

/** The lines of fields whose `value` is neither bound nor a default. */
function losing(source: string): number[] {
  const fields = [...nodesIn(parse(source, { modern: true }).fragment)].filter(isField);
  return fields
    .filter((field) => !others.has(textOf(field, "type") ?? ""))
    .filter(({ attributes }) => attributes.some((one) => one.type === "Attribute" && one.name === "value"))
    .map(({ start }) => source.slice(0, start).split("\n").length);
}

test("a field that loses text is found", () => {
  expect(losing('<input name="a" value={a} />\n<textarea value={b}></textarea>')).toEqual([1, 2]);
  expect(losing('<input bind:value={a} /><input defaultValue={a} /><input type="hidden" value={a} />')).toEqual([]);
});

test("no field of the web app loses what is typed before its script runs", async () => {
  const found: string[] = [];
  let files = 0;
  for await (const path of new Bun.Glob("src/**/*.svelte").scan(import.meta.dir)) {
    files++;
    const source = await Bun.file(`${import.meta.dir}/${path}`).text();
    found.push(...losing(source).map((line) => `${path}:${line}`));
  }
  expect(files).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
