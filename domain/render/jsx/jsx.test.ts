import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { UI_THEME } from "@plinth/runtime/jsx-modules";
import { compileJsx, JsxError, type JsxProblem } from "../../threads/jsx.ts";
import { closeThreads } from "../../threads/pool.ts";
import { work } from "../../threads/test/work.ts";
import { inlineScriptText } from "../inline-script.ts";

// The limit is of processor time, which a busy machine gives slowly: past this a test has hung.
setDefaultTimeout(120_000);
afterAll(closeThreads);

async function problemsOf(source: string): Promise<JsxProblem[]> {
  const outcome = await compileJsx(source, work()).catch((error: unknown) => error);
  if (!(outcome instanceof JsxError)) throw new Error(`Compiled, or failed otherwise: ${JSON.stringify(outcome)}`);
  return outcome.problems;
}

const directory = await mkdtemp(join(tmpdir(), "plinth-jsx-"));
afterAll(() => rm(directory, { recursive: true }));

let modules = 0;

async function importText(code: string): Promise<Record<string, unknown>> {
  const file = join(directory, `${modules++}.mjs`);
  await Bun.write(file, code);
  return (await import(file)) as Record<string, unknown>;
}

/** Runs compiled code as a module whose mount keeps what it was given, and gives that. */
async function mounted(source: string): Promise<unknown> {
  const { code } = await compileJsx(source, work());
  expect(code).not.toMatch(/^\s*export\b/m);
  const mount = join(directory, `mount-${modules++}.mjs`);
  await Bun.write(mount, "export let value; export const mount = (exported) => { value = exported; };");
  const resolve = (name: string) => (name === "@plinth/mount" ? mount : Bun.resolveSync(name, dirname(UI_THEME)));
  await importText(code.replaceAll(/(?<=from )"([@\w/-]+)";$/gm, (_match, name: string) => `"${resolve(name)}";`));
  return ((await import(mount)) as { value: unknown }).value;
}

describe("the default export is mounted", () => {
  test.each([
    "export default function App() { return <p>ok</p> }",
    "export default function () { return <p>ok</p> }",
    "export default () => <p>ok</p>",
    "export default () => <p>ok</p>;\n// the end",
    "export default (() => <p>ok</p>)",
    "export default async () => <p>ok</p>",
    "const App = () => <p>ok</p>; export default App",
    "const App = () => <p>ok</p>\nexport default App\n",
    "export { App as default }; function App() { return <p>ok</p> }",
    'const App = () => <p>ok</p>; export { App as default, App as "other name" }',
    "export const helper = 1, more = 2; export function f() {} export class C {} export default () => <p>{helper}</p>",
    "interface P { n: number } export type Q = P; export enum E { A } export default ({ n }: P) => <p>{n as number}</p>",
    "const plinth$ = 1; const plinth$mount = 2; export default () => <p>{plinth$}</p>",
    "const late = await Promise.resolve(1); export default () => <p>{late}</p>",
    "export default () => null\n/* comment */ export {}",
    "export * from 'react'; export { useState } from 'react'; export default () => <p/>",
    "import type { X } from './types'; export default (p: X) => <p/>",
  ])("%s", async (source) => {
    expect(await mounted(source)).toBeFunction();
  });

  test("a class, a wrapped component and an element", async () => {
    expect(
      await mounted('import { Component } from "react"; export default class extends Component {}'),
    ).toBeFunction();
    expect(await mounted("import React from 'react'; export default React.memo(() => null)")).toHaveProperty("compare");
    expect(await mounted("export default <p>ok</p>")).toHaveProperty("type", "p");
    expect(await mounted("export { Fragment as default } from 'react'")).toBeSymbol();
  });

  test("without one, a problem says so", async () => {
    const missing = [{ line: 1, column: 1, message: expect.stringContaining("no default export") }];
    expect(await problemsOf("const app = () => <p/>; const COLOURS = ['red']")).toEqual(missing);
    expect(await problemsOf("")).toEqual(missing);
    expect(await problemsOf("export const a = 1")).toEqual(missing);
    expect(await problemsOf("export default interface A {}")).toEqual(missing);
  });
});

describe("what a document may not reach", () => {
  const END = "\nexport default () => <p/>";
  test.each([
    ['import x from "fs/promises"; f(x)', 15, "a module of Node.js"],
    ['import "./secret.ts"', 8, "cannot be imported"],
    ['import x from "/etc/passwd"; f(x)', 15, "cannot be imported"],
    ['import x from "file:///etc/passwd"; f(x)', 15, "cannot be imported"],
    ['import x from "data:text/javascript,1"; f(x)', 15, "cannot be imported"],
    ['import x from "https://evil.example/x.js"; f(x)', 15, "cannot be imported"],
    ['import x from "node:fs"; f(x)', 15, "a module of Node.js"],
    ['import x from "@plinth/mount"; f(x)', 15, "cannot be imported"],
    ['import x from "@/components/ui/buton"; f(x)', 15, 'Did you mean "@/components/ui/button"?'],
    ['import x from "next/headers"; f(x)', 15, "cannot be imported"],
    ['import css from "leaflet/dist/leaflet.css"; f(css)', 1, "A style has no exports"],
    ['import x from "react-dom/clinet"; f(x)', 15, 'Did you mean "react-dom/client"?'],
    ['import x from "react" with { type: "macro" }', 15, "attributes are not supported"],
    ['import x from "./steal.ts" with { type: "macro" }', 15, "attributes are not supported"],
    ['import x from "./a.json" with { type: "json" }; f(x)', 15, "attributes are not supported"],
    ['import defer * as x from "react"', 1, "not supported"],
    ['export { x } from "./secret"', 19, "cannot be imported"],
    ['export * from "./secret"', 15, "cannot be imported"],
    ['export * as x from "./secret"', 20, "cannot be imported"],
    ['const x = import("./secret")', 18, "cannot be imported"],
    ['const x = import("re" + "act")', 11, "plain string"],
    ["const x = import(`react`)", 11, "plain string"],
    ['const x = import("react", { with: {} })', 18, "attributes are not supported"],
    ['const x = require("fs")', 11, "require() does not exist here"],
    ['const x = require("react")', 11, "Write it as an import"],
    ['import x = require("fs")', 1, "does not exist here"],
    ["const x = import.meta.dirname", 11, "Of import.meta a document has env, glob, hot and url alone"],
    ["const x = import.meta", 11, "Of import.meta a document has env, glob, hot and url alone"],
    ["const x = import.meta.glob(dir + '/*.js')", 11, "as plain values"],
    ["const x = import.meta.glob('./*.js', { eager })", 11, "as plain values"],
    ["const x = import.meta.glob('pages/*.js')", 11, "begins with ./"],
    ["const x = import.meta.glob('./*.svg', { query: '?react' })", 11, "?raw and ?url alone"],
    ["@dec class A {}", 1, "Decorators are not supported"],
    ["/** @jsxImportSource evil */", 1, "@jsxImportSource is not supported"],
  ])("%s", async (line, column, message) => {
    const problems = await problemsOf(`// é 😀\n${line}${END}`);
    expect(problems[0]).toMatchObject({ line: 2, column, message: expect.stringContaining(message) });
  });

  test.each([
    ["react-dom/serve", null, ""],
    ["@/components/ui/buton", "@/components/ui/button", ' Did you mean "@/components/ui/button"?'],
    ["next/cache", null, ""],
    ["path", null, " It is a module of Node.js, which browsers do not have."],
    ["@/components/ui/clock", null, " There is no such file beside the document."],
    ["./y", null, " There is no such file beside the document."],
    ["./app.css", null, " Tailwind's classes work as they are; rules of your own go into a <style> element."],
  ])("an unknown import is named, and the nearest module where one is near: %s", async (module, suggestion, advice) => {
    for (const line of [`import x from "${module}"; f(x)`, `import "${module}"`]) {
      const [problem, ...more] = await problemsOf(`${line}${END}`);
      expect(more).toEqual([]);
      expect(problem?.message).toBe(`"${module}" cannot be imported.${advice}`);
      expect(problem?.unknownImport).toEqual({ module, suggestion });
    }
  });

  test("packages that the runtime lacks are named with their places, and their styles are dropped from the code", async () => {
    const { code, modules, packages } = await compileJsx(
      `import L from "leaflet"; import "leaflet/dist/leaflet.css";
import { RGBELoader } from "three/examples/jsm/loaders/RGBELoader.js"; import unused from "unused";
import type { X } from "types-only"; export { y } from "@scope/name/deep";
const late = () => import("left-pad");
export default () => <p onClick={late}>{String(L) + RGBELoader}</p>;`,
      work(),
    );
    expect(packages).toEqual([
      { specifier: "leaflet", use: "module", line: 1, column: 15 },
      { specifier: "leaflet/dist/leaflet.css", use: "style", line: 1, column: 33 },
      { specifier: "three/examples/jsm/loaders/RGBELoader.js", use: "module", line: 2, column: 28 },
      { specifier: "left-pad", use: "module", line: 4, column: 27 },
    ]);
    expect(modules).toEqual(["@plinth/mount", "react/jsx-runtime"]);
    expect(code).not.toContain("leaflet.css");
  });

  test("a document may import only so many packages", async () => {
    const imports = Array.from({ length: 51 }, (_, at) => `import p${at} from "package-${at}";`).join("");
    const used = Array.from({ length: 51 }, (_, at) => `p${at}`).join("+");
    const [problem] = await problemsOf(`${imports} export default () => <p>{${used}}</p>`);
    expect(problem?.message).toBe("A document may import 50 packages, their paths counted.");
  });

  test("an import that nothing uses, or only types do, may be of anything", async () => {
    const { code, modules } = await compileJsx(
      'import fs, { type T } from "fs"; import { Props } from "./types"; export default (props: Props) => <p/>',
      work(),
    );
    expect(modules).toEqual(["@plinth/mount", "react/jsx-runtime"]);
    expect(code).not.toContain("fs");
  });

  test("a message quotes only a part of an endless name", async () => {
    const name = "a".repeat(100_000);
    const [problem] = await problemsOf(`let ${name} = 1; let ${name} = 2${END}`);
    expect(problem?.message).toStartWith("Identifier `aaa");
    expect(problem?.message.length).toBeLessThanOrEqual(2_001);
  });

  test("nested deep inside functions, types and JSX all are found, in order, twenty at most", async () => {
    const source = `export default () => <p onClick={() => { if (1) import("./a") }}>{[() => require("b")]}</p>`;
    expect((await problemsOf(source)).map(({ message }) => message.split(" ")[0])).toEqual(['"./a"', "require()"]);
    expect(await problemsOf('import "./x";'.repeat(50) + END)).toHaveLength(20);
  });
});

describe("what does not compile", () => {
  test("has its line and column, counted from 1", async () => {
    expect(await problemsOf("const a = '😀';\nexport default () => <p>\n")).toEqual([
      expect.objectContaining({ line: 2, column: 25 }),
    ]);
    expect(await problemsOf("const a = 1;\nconst  a = 2;\nexport default () => null")).toEqual([
      { line: 2, column: 8, message: "Identifier `a` has already been declared" },
    ]);
    expect((await problemsOf("return 1"))[0]?.line).toBe(1);
  });

  test.each([
    ["unary", (n: number) => `x=${"!".repeat(n)}1`],
    ["parentheses", (n: number) => `x=${"(".repeat(n)}1${")".repeat(n)}`],
    ["elements", (n: number) => `x=${"<a>".repeat(n)}${"</a>".repeat(n)}`],
    ["binary", (n: number) => `x=1${"+1".repeat(n)};export default x`],
    ["members", (n: number) => `x=a${".b".repeat(n)};export default x`],
    ["types", (n: number) => `type A=${"B<".repeat(n)}1${">".repeat(n)}`],
  ])("a deep nest of %s is a problem, not the end of the server", async (_name, nest) => {
    for (const depth of [1_000, 20_000, 200_000]) {
      const outcome = await compileJsx(nest(depth), work()).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(JsxError);
    }
    expect(await mounted("export default () => <p/>")).toBeFunction();
  });

  test("2 MB of source ends within the limit", async () => {
    const source = `${"const f = () => { return <p>a</p> };\n".replaceAll("f", "f0")}${"f0();\n".repeat(340_000)}`;
    await compileJsx(`${source}export default f0`, work()).catch((error: unknown) =>
      expect(error).toBeInstanceOf(JsxError),
    );
  });
});

describe("compiled text inside a script element", () => {
  const DANGEROUS = /<(\/script|script|!--)/i;

  test.each([
    ["string", `export default "</script><script>alert(1)</script><!--"`],
    ["escaped string", String.raw`export default "\</script>\\</script>\\\</script>"`],
    ["template", "export default `</script ${1} <!-- <SCRIPT>`"],
    ["escaped template", "export default `\\</script>\\\\</script>`"],
    ["JSX text", "export default (<p>&lt;/script&gt; &lt;!-- {'</script>'}</p>).props.children.join('')"],
    ["JSX attribute", 'export default (<p title="</script><!--" />).props.title'],
    ["object key", 'export default Object.keys({ "</script>": 1 })[0]'],
    ["regular expression", "export default '<!--</script>'.match(/<!--[</script>]+/)[0]"],
    ["escaped regular expression", "export default '<!--<script'.match(/\\<!--\\<script/)[0]"],
    ["separators", "export default '\u2028' + `\u2029<!--`"],
  ])("%s", async (_name, source) => {
    const { code } = await compileJsx(source, work());
    expect(code).not.toMatch(DANGEROUS);
    const isJsx = source.includes("<p");
    const expected = isJsx ? expect.stringContaining("</script>") : (await importText(source))["default"];
    expect(await mounted(source)).toEqual(expected);
  });

  test("operators that only look like markup", async () => {
    const source =
      "let b = 2, script = 1; const x = 1 <!--b; const y = 3 </script/.lastIndex; export default [x, y, b]";
    expect((await compileJsx(source, work())).code).not.toMatch(DANGEROUS);
    expect(await mounted(source)).toEqual([false, false, 1]);
  });

  test("comments and directives", async () => {
    const source = '"</script>"; /*! </script> <!-- */ // </script>\nexport default () => null';
    expect((await compileJsx(source, work())).code).not.toMatch(DANGEROUS);
  });

  test("leaves everything else as it is", () => {
    expect(inlineScriptText("a < b && c</d/.x && `<p></p>`")).toBe("a < b && c</d/.x && `<p></p>`");
  });
});
