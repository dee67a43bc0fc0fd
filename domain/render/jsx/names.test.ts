// Names that a document has from elsewhere: imported, and checked; or provided without an import.
import { describe, expect, test } from "bun:test";
import { type CompiledJsx, compileJsxSource } from "./compiler.ts";
import type { JsxProblem } from "./problems.ts";

const END = "\nexport default () => <p/>";

async function problemsOf(source: string): Promise<JsxProblem[]> {
  const outcome = await compileJsxSource(source);
  return "problems" in outcome ? outcome.problems : [];
}

async function compiled(source: string): Promise<CompiledJsx> {
  const outcome = await compileJsxSource(source);
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
  return outcome;
}

describe("a name that its module does not export", () => {
  test.each([
    ['import { Hart } from "lucide-react"; f(Hart)', 10, '"lucide-react" has no export "Hart". Did you mean "Heart"?'],
    ['import { useStat as x } from "react"; f(x)', 10, '"react" has no export "useStat". Did you mean "useState"?'],
    [
      'import { Card } from "react"; f(Card)',
      10,
      '"react" has no export "Card". "@/components/ui/card" exports one of that name.',
    ],
    [
      'import icons from "lucide-react"; f(icons)',
      8,
      '"lucide-react" has no default export; import its names in braces.',
    ],
    ['import { zzzzzzzzzzzz } from "d3"; f(zzzzzzzzzzzz)', 10, '"d3" has no export "zzzzzzzzzzzz".'],
    ['import React, { Hart as H } from "react"; f(H)', 17, '"react" has no export "Hart".'],
    ['import { "a b" as H } from "react"; f(H)', 10, '"react" has no export "a b".'],
  ])("%s", async (line, column, message) => {
    expect(await problemsOf(`// 😀\n${line}${END}`)).toEqual([{ line: 2, column, message }]);
  });

  test("is placed at the import from that module, where another module is asked for the same name before", async () => {
    const found = await problemsOf(`\nimport { map as b } from "d3"; import { map } from "react"; f(b, map)${END}`);
    expect(found.map(({ line, column }) => [line, column])).toContainEqual([2, 41]);
  });

  test("as the default export of a document", async () => {
    expect(await problemsOf('\nexport { Nothing as default } from "react"')).toEqual([
      { line: 2, column: 10, message: '"react" has no export "Nothing".' },
    ]);
  });

  test("is no problem as a type, or where nothing uses it", async () => {
    expect(
      await problemsOf(
        'import React, { FC, ReactNode, type Foo } from "react"; import type { Bar } from "./bar"; import { Unused } from "d3";' +
          "const App: FC<{ a: ReactNode }> = () => <p/>; export default App;",
      ),
    ).toEqual([]);
  });
});

describe("a name of React's that nothing declares", () => {
  test.each([
    ["export default () => <p>{useState(1)[0]}</p>", 'import { useState } from "react";'],
    ["export default () => <Fragment><Suspense /></Fragment>", 'import { Fragment, Suspense } from "react";'],
    ["export default () => <React.Fragment />", 'import React from "react";'],
    ["function App() { return <p/> } ReactDOM.createRoot(null).render(<App />)", 'import ReactDOM from "react-dom";'],
    ["createRoot(null).render(<p/>)", 'import { createRoot } from "react-dom/client";'],
    ["render(<p/>)", 'import { render } from "@plinth/mount";'],
    ["root.render(<p/>)", 'import { root } from "@plinth/mount";'],
  ])("%s", async (source, line) => {
    expect((await compiled(source)).code).toContain(line);
  });

  test.each([
    "const useState = (x) => [x]; export default () => <p>{useState(1)[0]}</p>",
    "const { a: { b: [, { useState = 1 }] }, ...memo } = f(); export default () => <p>{useState}{memo}</p>",
    "for (var useState of []) {} export default () => useState",
    "export default ({ useState }) => <p>{{ useState: 1, memo: useState.memo }.x}</p>",
    'import { useState } from "zustand"; type memo = 1; const x: memo = 1; export default () => x',
    "const render = (x) => x; const root = { render }; render(<p/>); root.render(<p/>);",
    "class root { static render() {} } export default () => root.render(1)",
  ])("but not where one is declared, or it is another's: %s", async (source) => {
    const outcome = await compileJsxSource(source);
    if ("problems" in outcome) expect(outcome.problems[0]?.message).toContain('"zustand" has no export');
    else expect(outcome.code.replace(/import \{ mount .*/, "")).not.toMatch(/from "(react|@plinth\/mount)"/);
  });
});

test("the modules are those that the compiled code imports, later ones included", async () => {
  const { modules } = await compiled(
    'import { clsx } from "clsx"; import { Heart } from "lucide-react"; import "d3";\n' +
      'const later = () => import("three"); export default () => <p className={clsx("a")} onClick={later} />',
  );
  expect(modules).toEqual(["@plinth/mount", "clsx", "d3", "react/jsx-runtime", "three"]);
});

test("module.exports is told what to write instead", async () => {
  for (const source of ["module.exports = App", "exports.App = App", "module.exports.default = App"])
    expect(await problemsOf(`const App = () => <p/>;\n  ${source};`)).toEqual([
      { line: 2, column: 3, message: "module.exports does not exist here; write `export default` and the component." },
    ]);
});
