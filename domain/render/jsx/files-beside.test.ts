// A jsx document that imports files beside it: which file an import means, what becomes of it, and what is refused.
import { describe, expect, test } from "bun:test";

import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

import { type CompiledJsx, compileJsxSource } from "./compiler.ts";
import { addressFrom, localPath } from "./files-beside.ts";
import type { JsxProblem } from "./problems.ts";

const besideOf = (files: Readonly<Record<string, string | null>>, base = "") => ({
  base,
  paths: new Set(Object.keys(files)),
  texts: new Map(Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]))),
});

async function compiled(
  source: string,
  files: Readonly<Record<string, string | null>>,
  base = "",
): Promise<CompiledJsx> {
  const outcome = await compileJsxSource(source, besideOf(files, base));
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
  return outcome;
}

async function problems(source: string, files: Readonly<Record<string, string | null>>): Promise<JsxProblem[]> {
  const outcome = await compileJsxSource(source, besideOf(files));
  return "problems" in outcome ? outcome.problems : [];
}

describe("the file that an import means", () => {
  test.each([
    ["", "./chart", "chart.jsx"],
    ["", "./chart.js", "chart.js"],
    ["src/", "./words.js", "src/words.ts"],
    ["src/", "./list.jsx", "src/list.tsx"],
    ["src/", "../data", "data.json"],
    ["src/", ".", "src/index.tsx"],
    ["src/", "..", null],
    ["src/pages/", "@/words", "src/words.ts"],
    ["src/pages/", "~/words", "src/words.ts"],
    ["", "./parts", "parts/index.js"],
    ["", "./parts/", "parts/index.js"],
    ["", "../chart", null],
    ["", "./Chart", null],
    ["", "chart", null],
    ["", "/chart.jsx", null],
  ])("in %p the import %p is %p", (directory, specifier, path) => {
    const files = [
      "chart.jsx",
      "chart.js",
      "src/words.ts",
      "src/list.tsx",
      "data.json",
      "src/index.tsx",
      "parts/index.js",
    ];
    expect(localPath({ base: "", paths: new Set(files), texts: new Map() }, directory, specifier)).toBe(path);
  });

  test.each([
    ["", "img/a b.png", "./img/a%20b.png"],
    ["src/", "src/a.css", "./a.css"],
    ["src/app/", "img/a.png", "../../img/a.png"],
    ["src/", "src2/a.png", "../src2/a.png"],
  ])("from %p the address of %p is %p", (base, path, address) => {
    expect(addressFrom(base, path)).toBe(address);
    const [document, file] = [`https://x.test/f/${base}`, `https://x.test/f/${path.replaceAll(" ", "%20")}`];
    expect(new URL(address, document).href).toBe(file);
  });
});

test("scripts and data become one module, style sheets are linked in the order of their imports, others are addresses", async () => {
  const { code, styles, modules, css } = await compiled(
    `import { Chart } from "./chart"; import "./app.css"; export default () => <main><Chart /></main>;`,
    {
      "src/chart.tsx": `import rows, { } from "../data.json" with { type: "json" };
        import { useState } from "react"; import "./chart.css"; import icon from "./icon.svg"; import type { Row } from "./row";
        import { label } from "@/lib/label";
        export function Chart() { const [n] = useState<number>(2);
          return <p className="text-red-500">{(rows as Row[]).map((row) => label(row.x * n))}<img src={icon} /></p>; }`,
      "src/lib/label.js": `export const label = (x) => "no. " + x; export const unused = "is left out";`,
      "data.json": `[{ "x": 17 }]`,
      "src/icon.svg": null,
      "src/chart.css": null,
      "src/app.css": null,
    },
    "src/",
  );
  expect(styles).toEqual(["./chart.css", "./app.css"]);
  expect(modules).toEqual(["@plinth/mount", "react", "react/jsx-runtime"]);
  expect(code).toContain('"no. "');
  expect(code).toContain("17");
  expect(code).toContain('"./icon.svg"');
  expect(code).not.toContain("is left out");
  expect(css).toContain(".text-red-500");
});

test("an import of a package says in which file it is", async () => {
  const { packages } = await compiled(`import { A } from "./a"; export default A;`, {
    "a.jsx": `\nimport confetti from "canvas-confetti"; export const A = () => <b>{confetti.name}</b>;`,
  });
  expect(packages).toEqual([{ specifier: "canvas-confetti", use: "module", file: "a.jsx", line: 2, column: 22 }]);
});

test("a place in the module leads to the line of its file", async () => {
  const { code, places } = await compiled(
    `import { A } from "./a";\n\nexport default function App() { return <A />; }`,
    {
      "a.jsx": `// one\n\nexport function A() { throw new Error("here"); }`,
    },
  );
  const map = new TraceMap({ version: 3, mappings: places.mappings, names: [], sources: [...(places.files ?? [])] });
  const placeOf = (text: string) => {
    const before = code.slice(0, code.indexOf(text)).split("\n");
    const { source, line } = originalPositionFor(map, { line: before.length, column: before.at(-1)?.length ?? 0 });
    return [source, line];
  };
  expect(placeOf("throw new Error")).toEqual(["a.jsx", 3]);
  expect(placeOf("function App")).toEqual(["", 3]);
});

test("files that import each other, and React.lazy, work as one module", async () => {
  const { code } = await compiled(
    `const Lazy = React.lazy(() => import("./a")); export default () => <Suspense><Lazy /></Suspense>;`,
    {
      "a.jsx": `import { b } from "./b"; export const a = 1; export default () => <i>{b()}</i>;`,
      "b.js": `import { a } from "./a"; export const b = () => a;`,
    },
  );
  expect(code).not.toMatch(/import\(|from "\.\//);
});

describe("what is wrong is told with its file", () => {
  test.each([
    ["a file that there is not", `import "./nowhere"; export default () => 1;`, {}, undefined, "no such file beside"],
    ["a file out of the version's", `import x from "../../a"; export default x;`, { a: "" }, undefined, "no such file"],
    [
      "a syntax error",
      `import { A } from "./a"; export default A;`,
      { "a.jsx": "export const A = <" },
      "a.jsx",
      "Unexpected",
    ],
    [
      "a name that it lacks",
      `import { B } from "./a"; export default B;`,
      { "a.jsx": "export const A = 1;" },
      undefined,
      'has no export "B"',
    ],
    [
      "a name that data lacks",
      `import { b } from "./a.json"; export default () => b;`,
      { "a.json": `{"a":1}` },
      undefined,
      'has no export "b"',
    ],
    ["bad data", `import b from "./a.json"; export default () => b;`, { "a.json": "{" }, "a.json", "not valid JSON"],
    [
      "an import of a file's",
      `import { A } from "./a"; export default A;`,
      { "a.jsx": `import fs from "fs"; export const A = fs;` },
      "a.jsx",
      "Node.js",
    ],
    [
      "a require of a file's",
      `import { A } from "./a"; export default A;`,
      { "a.js": `export const A = require("./b");` },
      "a.js",
      "require()",
    ],
    [
      "a file that is too large",
      `import a from "./a.json"; export default () => a;`,
      { "a.json": null },
      "a.json",
      "too large",
    ],
    [
      "names of a style sheet",
      `import a from "./a.css"; export default () => a;`,
      { "a.css": null },
      undefined,
      "no exports",
    ],
  ])("%s", async (_what, source, files, file, message) => {
    const [problem] = await problems(source, files);
    expect(problem?.message).toContain(message);
    expect(problem?.file).toBe(file);
  });
});

test("names of hostile files are texts: none ends the script or a comment", async () => {
  const name = "a*/alert(1)</script><!--${1}`\"'.json";
  const { code } = await compiled(`import x from ${JSON.stringify(`./${name}`)}; export default () => <b>{x}</b>;`, {
    [name]: `"</script>"`,
  });
  expect(code).not.toContain("</script");
  expect(code).not.toMatch(/^\s*alert/m);
});

describe("a style sheet that is written for Tailwind", () => {
  const source = `import "./index.css"; export default () => <p className="card text-brand">x</p>;`;

  test("is compiled with the classes: @apply, @theme, layers and what it imports; the rest is linked", async () => {
    const { css, styles } = await compiled(`import "./plain.css"; ${source}`, {
      "index.css": `@import "tailwindcss";\n@import "./more.css";\n@theme { --color-brand: #123456; }
        @layer components { .card { @apply p-4 font-bold; } } .own::after { content: "own" }`,
      "more.css": ".more { color: red }",
      "plain.css": ".plain {}",
    });
    expect(styles).toEqual(["./plain.css"]);
    for (const part of ["--color-brand", ".text-brand", ".card", "font-weight", ".own", ".more"])
      expect(css).toContain(part);
    expect(css).not.toContain("@apply");
  });

  test("of Tailwind 3 is compiled too", async () => {
    const { css } = await compiled(source, {
      "index.css": "@tailwind base;\n@tailwind components;\n@tailwind utilities;\nbody { @apply bg-slate-50; }",
    });
    expect(css).toContain("body");
    expect(css).not.toMatch(/@tailwind|@apply/);
  });

  test("with an unknown class, or an import that there is not, is refused by its name", async () => {
    for (const text of [".a { @apply no-such-class; }", '@import "./gone.css"; .a { @apply p-4; }']) {
      const [problem] = await problems(source, { "index.css": text });
      expect(problem?.file).toBe("index.css");
      expect(problem?.message).toMatch(/no-such-class|gone\.css/);
    }
  });

  test("loads no code and ends no style element", async () => {
    const { css } = await compiled(source, {
      "index.css": `@plugin "./evil.js"; @config "../x.js"; .a { @apply p-4; content: "</style><script>" }`,
    });
    expect(css).not.toContain("</style");
    expect(css).not.toMatch(/evil|x\.js/);
  });
});
