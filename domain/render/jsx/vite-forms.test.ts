// Forms of Vite's projects beyond plain imports: import.meta, files by patterns, queries and CSS modules.
import { describe, expect, test } from "bun:test";
import { runInThisContext } from "node:vm";

import { type CompiledJsx, compileJsxSource } from "./compiler.ts";
import { mayImportFiles } from "./files-beside.ts";

const besideOf = (files: Readonly<Record<string, string | null>>, base = "") => ({
  base,
  paths: new Set(Object.keys(files)),
  texts: new Map(Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]))),
});

type Files = Readonly<Record<string, string | null>>;

async function compiled(source: string, files: Files = {}, base = ""): Promise<CompiledJsx> {
  const outcome = await compileJsxSource(source, besideOf(files, base));
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
  return outcome;
}

async function messageOf(source: string, files: Files = {}): Promise<string> {
  const outcome = await compileJsxSource(source, besideOf(files));
  const [problem] = "problems" in outcome ? outcome.problems : [];
  return problem === undefined ? "" : `${problem.file ?? ""} ${problem.message}`;
}

/** What the document's code gives `tell`, once it has run without its mount. */
async function told(source: string, files: Files = {}, base = ""): Promise<unknown[]> {
  const { code } = await compiled(`${source}\nexport default () => null;`, files, base);
  const script = code.replaceAll(/^import .*$/gm, "").replaceAll(/^plinth\$\d*mount\(.*$/gm, "");
  const values: unknown[] = [];
  const warned: unknown[] = [];
  const runs = runInThisContext(`(async (tell, document, console, mount) => { ${script} })`) as (
    ...given: unknown[]
  ) => Promise<void>;
  await runs(
    (value: unknown) => void values.push(value),
    { baseURI: "https://files.test/v/src/" },
    { warn: (text: unknown) => void warned.push(text) },
    () => null,
  );
  return [...(await Promise.all(values)), ...warned];
}

describe("import.meta", () => {
  test("env is that of a production build, before any line of the module as well, and names what is not set", async () => {
    const source = `
const { MODE, DEV } = import.meta.env;
tell([MODE, DEV, import.meta.env.PROD, import.meta.env.SSR, import.meta.env["BASE_URL"], import.meta.env?.VITE_API]);
tell((import.meta as any).env.VITE_KEY ?? "none");`;
    expect(await told(source)).toEqual([
      ["production", false, true, false, "/", undefined],
      "none",
      "import.meta.env.VITE_API, import.meta.env.VITE_KEY are undefined: a document is built without variables.",
    ]);
    expect(await told("tell(import.meta.env.MODE)")).toEqual(["production"]);
  });

  test("hot is undefined, and url leads to what is beside the module", async () => {
    const source = `
import { address } from "./lib/words";
if (import.meta.hot) tell("hot");
tell(new URL("./logo.png", import.meta.url).href); tell(address);`;
    const files = { "src/lib/words.ts": `export const address = new URL("../a.png", import.meta.url).href;` };
    expect(await told(source, files, "src/")).toEqual([
      "https://files.test/v/src/logo.png",
      "https://files.test/v/src/a.png",
    ]);
  });

  test("places after a use stay the author's", async () => {
    const source = "export default () => import.meta.env.MODE + nothing.here;";
    const { code } = await compiled(source);
    const line = code.split("\n").find((one) => one.includes("nothing.here"));
    expect(line).toContain("plinth$env()");
  });
});

describe("import.meta.glob", () => {
  const files = {
    "pages/a.jsx": `export default "A"; export const title = "a";`,
    "pages/b.jsx": `export default "B"; export const title = "b";`,
    "pages/b.test.jsx": `import { test } from "vitest"; test();`,
    "words/one.md": "# One",
    "img/x.png": null,
  };

  test.each([
    [
      `const all = import.meta.glob("./pages/?.jsx"); tell(Object.keys(all)); tell(all["./pages/a.jsx"]().then((m) => m.title));`,
      [["./pages/a.jsx", "./pages/b.jsx"], "a"],
    ],
    [
      `tell(import.meta.glob(["./pages/*.jsx", "!**/*.test.jsx"], { eager: true, import: "default" }))`,
      [{ "./pages/a.jsx": "A", "./pages/b.jsx": "B" }],
    ],
    [`tell(import.meta.glob("./pages/b.jsx", { eager: true })["./pages/b.jsx"].title)`, ["b"]],
    [`tell(import.meta.glob("./pages/?.jsx", { import: "title" })["./pages/b.jsx"]())`, ["b"]],
    [
      `tell(import.meta.glob("./words/*", { query: "?raw", import: "default", eager: true }))`,
      [{ "./words/one.md": "# One" }],
    ],
    [`tell(import.meta.glob<string>("/words/*", { as: "raw", eager: true }))`, [{ "/words/one.md": "# One" }]],
    [`tell(import.meta.glob("./img/*.png", { query: "?url", import: "default" })["./img/x.png"]())`, ["./img/x.png"]],
    [`tell(import.meta.globEager("./img/*.png"))`, [{ "./img/x.png": { default: "./img/x.png" } }]],
    [`tell(import.meta.glob("./*.jsx", { base: "./pages", eager: true, import: "title" })["./a.jsx"])`, ["a"]],
    [`tell(import.meta.glob("./nowhere/*"))`, [{}]],
  ])("%s", async (source, values) => {
    const bare = { ...files };
    if (source.includes("./*.jsx")) Reflect.deleteProperty(bare, "pages/b.test.jsx");
    expect(await told(source, bare)).toEqual(values);
  });

  test("a document is none of its files, and too many files are refused", async () => {
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`p/${at}.json`, "1"]));
    expect(await messageOf(`const x = import.meta.glob("./p/*"); export default x;`, many)).toContain("501 files");
    expect(await told(`tell(Object.keys(import.meta.glob("./*.png")))`, { "a.png": null })).toEqual([["./a.png"]]);
  });

  test("a text that has any, or imports a folder alone, may import files", () => {
    for (const source of [
      'import.meta.glob("/x/*")',
      'import x from ".."',
      "import x from '.'",
      'import.meta.glob("**/x")',
    ])
      expect(mayImportFiles(source)).toBe(true);
    expect(mayImportFiles('import x from "react"; const y = "..."')).toBe(false);
  });
});

describe("queries of imports", () => {
  test("ask for the text or the address of a file", async () => {
    const source = `import text from "./a.md?raw"; import code from "./b.jsx?raw"; import url from "./b.jsx?url";
import css from "./c.css?inline"; tell([text, code, url, css]);`;
    const files = { "a.md": "# </script>", "b.jsx": "no jsx (", "c.css": "p{}" };
    expect(await told(source, files)).toEqual([["# </script>", "no jsx (", "./b.jsx", "p{}"]]);
    const { styles } = await compiled(`${source.replace("tell(", "void (")} export default () => null`, files);
    expect(styles).toBeUndefined();
  });

  test("are refused where there is no text, and have a default export alone", async () => {
    expect(await messageOf(`import a from "./a.png?raw"; export default a`, { "a.png": null })).toContain(
      "a.png The file",
    );
    expect(await messageOf(`import { b } from "./a.md?raw"; export default b`, { "a.md": "" })).toContain(
      'no export "b"',
    );
    expect(await messageOf(`import a from "./b.md?raw"; export default a`, { "a.md": "" })).toContain("no such file");
  });
});

describe("a parent folder", () => {
  test("is imported from within what was pushed, its index as well, and nothing above it", async () => {
    const files = { "lib/words.ts": `export const word = "up";`, "index.js": `export { word } from "./lib/words";` };
    const source = `import { word } from ".."; import { word as again } from "../lib/words"; tell([word, again]);`;
    expect(await told(source, files, "pages/")).toEqual([["up", "up"]]);
    expect(await messageOf(`import x from "../a"; export default x`, { "a.js": "" })).toContain("no such file");
  });
});

describe("a CSS module", () => {
  const card = `.card { composes: box from "./base.module.css"; background: url(./up.png); animation: spin 1s }
.card-title { composes: card; color: red } :global(.dark) .card { color: blue } @keyframes spin { to { rotate: 1turn } }`;
  const files = {
    "src/parts/card.module.css": card,
    "src/parts/base.module.css": `@import "./reset.css"; .box { border: 0 }`,
    "src/parts/reset.css": "p { margin: 0 }",
    "src/parts/up.png": null,
  };

  test("gives names that no other file has, with what they compose, and its rules are part of the document", async () => {
    const source = `import styles from "./parts/card.module.css"; import { card } from "./parts/card.module.css";
import * as all from "./parts/card.module.css"; tell([styles, card, all.card === card]);`;
    const [[names, card, isSame]] = (await told(source, files, "src/")) as [[Record<string, string>, string, boolean]];
    expect(isSame).toBe(true);
    expect(names?.["card"]).toBe(card);
    const [own, box] = card.split(" ");
    expect(names?.["card-title"]).toMatch(new RegExp(`^\\S+_card-title ${own} ${box}$`));
    const { css, styles } = await compiled(
      `${source.replace("tell(", "void (")} export default () => null`,
      files,
      "src/",
    );
    for (const rule of [`.${own} {`, `.${box} {`, `.dark .${own}`, `url("./parts/up.png")`, "p {\n  margin: 0", "spin"])
      expect(css).toContain(rule);
    expect(css).not.toMatch(/\.card\b|composes|@keyframes spin/);
    expect(styles).toBeUndefined();
  });

  test("of two files with the same names are apart, and Tailwind's rules in one are compiled", async () => {
    const two = { "a.module.css": ".x { color: red }", "b.module.css": ".x { @apply p-4 font-bold; }" };
    const source = `import a from "./a.module.css"; import b from "./b.module.css"; tell([a.x, b.x]);`;
    const [[a, b]] = (await told(source, two)) as [[string, string]];
    expect(a).not.toBe(b);
    const { css } = await compiled(`${source.replace("tell(", "void (")} export default () => null`, two);
    expect(css).toContain(`.${a} {`);
    expect(css).toMatch(new RegExp(`\\.${b} \\{\\s+padding`));
    expect(css).not.toContain("@apply");
  });

  test("that is wrong, lacks a name or imports nothing that there is, is refused with its place", async () => {
    const refused = async (text: string, line = `import s from "./a.module.css"; export default () => s`) =>
      messageOf(line, { "a.module.css": text });
    expect(await refused(".a { color: red; } }")).toStartWith("a.module.css ");
    expect(await refused('.a { composes: b from "./b.css" }')).toContain("b.css");
    expect(await refused(".a {}", `import { b } from "./a.module.css"; export default () => b`)).toContain(
      'no export "b"',
    );
  });

  test("ends no style element and loads nothing from elsewhere", async () => {
    const { css } = await compiled(`import s from "./a.module.css"; export default () => s.a`, {
      "a.module.css": `.a { content: "</style><script>" }`,
    });
    expect(css).not.toContain("</style");
  });
});
