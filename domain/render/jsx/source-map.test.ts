import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { expect, test } from "bun:test";
import { compileJsxSource } from "./compiler.ts";

/** Where each `mark()` of the compiled code was written, as `line:column`, both from 1. */
async function marks(source: string): Promise<string[]> {
  const outcome = await compileJsxSource(source);
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
  const map = new TraceMap({ version: 3, names: [], sources: ["source"], mappings: outcome.places.mappings });
  return outcome.code.split("\n").flatMap((text, index) =>
    [...text.matchAll(/mark\(/g)].map((match) => {
      const { line, column } = originalPositionFor(map, { line: index + 1, column: match.index });
      return `${line}:${(column ?? 0) + 1}`;
    }),
  );
}

test.each([
  ["export default function App() { return mark() }", "1:40"],
  ["export default () => mark();", "1:22"],
  ["\n\nexport   default () => mark()", "3:24"],
  ["export // a page\n default /* b\n */ mark()", "3:5"],
  ["export const a = 1; export default class A { b() { mark() } }", "1:52"],
  ["export * from 'react'; export { useState } from 'react'; mark(); export default () => null", "1:58"],
  ["const App = () => null; export {\n App as default\n}; mark()", "3:4"],
  ["type A = { b: number };\n\ninterface C {}\nconst a = <p>\n  {mark() as any}\n</p>; export default a", "5:4"],
  ["const s = '😀'; mark(); export default () => null", "1:17"],
  ["const a = 1\r\nmark()\r\nexport default () => null", "2:1"],
  ["const App = () => <p>{mark()}</p>", "1:23"],
  ["useState(1);\nrender(<p>{mark()}</p>)", "2:12"],
])("a position is the author's after any rewriting before it: %j", async (source, place) => {
  expect(await marks(source)).toEqual([place]);
});

test("the components at the top level are told with their lines", async () => {
  const outcome = await compileJsxSource(
    "const COLOURS = ['a'];\nfunction row() {}\nexport const Row = memo(() => (\n  <p/>\n));\r\nclass Old {}\nexport default function App() {\n}",
  );
  expect(outcome).toHaveProperty("places.components", [
    ["Row", 3, 5],
    ["Old", 6, 6],
    ["App", 7, 8],
  ]);
});
