// The files that go with a document, in real folders: what is taken, what is not found, and what is left out.
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { inferType } from "@plinth/contract/publishing/document-type";
import type { ReferencePlace } from "@plinth/contract/publishing/references/collect";

import { digestOf } from "../files/digest.ts";
import { emptyDirectory } from "../testing/line.ts";
import { createFolderCollector, rootFor } from "./folder-files.ts";

type Files = Readonly<Record<string, string>>;

/** A folder with these files. */
function folderOf(files: Files): string {
  const folder = emptyDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

interface Options {
  /** Below the folder. */
  readonly start?: string;
  readonly pushed?: readonly string[];
}

/** What goes with one document of the folder; paths are relative to the folder. */
async function collect(folder: string, name: string, content: string, { start = "", pushed = [] }: Options = {}) {
  const path = join(folder, name);
  const collector = await createFolderCollector({
    root: folder,
    folder: join(folder, start),
    pushed: new Set(pushed.map((one) => join(folder, one))),
    env: { PATH: process.env["PATH"] },
  });
  const { files, ...rest } = await collector.collect({ path, type: inferType(name) ?? "md", content });
  const placeOf = ({ url, line, file }: ReferencePlace) => `${file === null ? "" : `${file}:`}${line} ${url}`;
  return {
    files: files.map((file) => file.path),
    documentPath: rest.documentPath,
    notFound: rest.notFound.map(placeOf),
    leftOut: rest.leftOut.map((one) => `${placeOf(one)}: ${one.reason}`),
    links: rest.links.map(({ url, target }) => `${url} → ${target?.slice(folder.length + 1) ?? "site"}`),
    fileLinks: rest.fileLinks,
    imports: [...rest.imports].map((one) => one.slice(folder.length + 1)),
    hashes: files.map(({ sha256, sizeBytes }) => ({ sha256, sizeBytes })),
    secrets: files.flatMap(({ secrets }) => secrets.map(({ kind, line }) => `${kind} ${line}`)),
  };
}

test("markdown takes its images and the files it links to, once each, and nothing that these refer to", async () => {
  const folder = folderOf({
    "img/a.png": "a",
    "data.csv": "1,2",
    "page.css": "p{background:url(b.png)}",
    "b.png": "b",
  });
  const found = await collect(folder, "report.md", "![a](img/a.png) ![a](./img/a.png)\n[d](data.csv) [s](page.css)\n");
  expect(found).toMatchObject({
    files: ["data.csv", "img/a.png", "page.css"],
    documentPath: "report.md",
    fileLinks: 2,
  });
  expect(found.hashes[0]).toEqual(digestOf("1,2"));
});

test("html takes styles, scripts, modules and pages with all that these refer to", async () => {
  const folder = folderOf({
    "css/site.css": '@import "type.css"; body { background: url(../img/bg.png) }',
    "css/type.css": "@font-face { src: url(fonts/a.woff2) }",
    "css/fonts/a.woff2": "font",
    "img/bg.png": "bg",
    "js/app.js": 'import "./part.js"; fetch("data.json"); const late = "img/late.png";',
    "js/part.js": 'import("./lazy.mjs")',
    "js/lazy.mjs": "",
    "data.json": "{}",
    "img/late.png": "late",
    "about.html": '<img src="img/team.jpg"><a href="index.html">Home</a>',
    "img/team.jpg": "team",
  });
  const html =
    '<link rel=stylesheet href="css/site.css"><script type=module src="js/app.js"></script><a href="about.html">x';
  const found = await collect(folder, "index.html", html);
  expect(found.files).toEqual([
    "about.html",
    "css/fonts/a.woff2",
    "css/site.css",
    "css/type.css",
    "data.json",
    "img/bg.png",
    "img/late.png",
    "img/team.jpg",
    "js/app.js",
    "js/lazy.mjs",
    "js/part.js",
  ]);
  expect({ notFound: found.notFound, leftOut: found.leftOut, links: found.links }).toEqual({
    notFound: [],
    leftOut: [],
    links: [],
  });
});

test("jsx takes what it imports, with or without the extension, what that imports, and images", async () => {
  const folder = folderOf({
    "chart.jsx": 'import "./chart.css"; import { sum } from "./lib"; export default 1',
    "chart.css": "p { background: url(dot.svg) }",
    "dot.svg": "<svg/>",
    "lib/index.ts": "export const sum = 1",
    "data.json": "[]",
    "logo.png": "logo",
    "rows.csv": "1",
  });
  const jsx = `import Chart from "./chart"; import d from "./data.json"; import x from "./gone";
fetch("rows.csv"); export default () => <img src="./logo.png"/>`;
  const found = await collect(folder, "app.jsx", jsx);
  expect(found.files).toEqual([
    "chart.css",
    "chart.jsx",
    "data.json",
    "dot.svg",
    "lib/index.ts",
    "logo.png",
    "rows.csv",
  ]);
  expect(found.imports).toEqual(["chart.jsx", "data.json", "gone", "chart.css", "lib/index.ts"]);
  expect(found.notFound).toEqual(["1 ./gone"]);
});

test("jsx takes what it imports by the alias of its sources, and leaves modules of the service alone", async () => {
  const folder = folderOf({
    "src/lib/words.ts": 'import "./other.js"; export const w = 1',
    "src/lib/other.ts": "export {}",
  });
  const jsx = 'import { w } from "@/lib/words"; import { Card } from "@/components/ui/card"; export default w';
  const found = await collect(folder, "app.jsx", jsx);
  expect(found.files).toEqual(["src/lib/other.ts", "src/lib/words.ts"]);
  expect(found.notFound).toEqual([]);
});

test("what is not there is told with its place, but not what a script only mentions", async () => {
  const folder = folderOf({ "a.css": "p {\n  background: url(gone.png)\n}" });
  const html = '\n<link rel=stylesheet href="a.css">\n<img src="x/y.png"><script>const a = "maybe.png"</script>';
  expect((await collect(folder, "p.html", html)).notFound).toEqual(["3 x/y.png", "a.css:2 gone.png"]);
});

test("a <base> moves all relative URLs; one of another site leaves none", async () => {
  const folder = folderOf({ "sub/a.png": "", "a.png": "", "c.css": "p { background: url(a.png) }" });
  expect((await collect(folder, "p.html", '<base href="sub/"><img src="a.png">')).files).toEqual(["sub/a.png"]);
  expect((await collect(folder, "p.html", '<base href="https://x.example/"><img src="a.png">')).files).toEqual([]);
  expect((await collect(folder, "p.html", '<base href="sub/"><link rel=stylesheet href="../c.css">')).files).toEqual([
    "a.png",
    "c.css",
  ]);
});

describe("links", () => {
  test("to markdown, to documents of the push, to folders and to nothing are links between documents", async () => {
    const folder = folderOf({ "b.md": "", "c.html": "", "docs/x.md": "", "d.pdf": "" });
    const text =
      "[b](b.md) [c](c.html#x) [d](docs/) [e](docs) [f](gone.md) [g](gone) [h](/abs) [i](d.pdf) [self](a.md)";
    const found = await collect(folder, "a.md", text);
    expect(found.links).toEqual([
      "b.md → b.md",
      "c.html#x → c.html",
      "docs/ → docs/",
      "docs → docs",
      "gone.md → gone.md",
      "gone → gone",
      "/abs → site",
    ]);
    expect({ files: found.files, fileLinks: found.fileLinks }).toEqual({ files: ["d.pdf"], fileLinks: 1 });
  });

  test("of a page to a page: a file of it, unless that page is pushed too", async () => {
    const folder = folderOf({ "two.html": "", "three.html": "" });
    const html = '<a href="two.html">2</a><a href="three.html">3</a>';
    const found = await collect(folder, "one.html", html, { pushed: ["three.html"] });
    expect({ files: found.files, links: found.links }).toEqual({
      files: ["two.html"],
      links: ["three.html → three.html"],
    });
  });
});

describe("the folder", () => {
  test("files above the document move the paths to the folder that has all", async () => {
    const folder = folderOf({ "assets/logo.png": "", "docs/guide/pic.png": "" });
    const text = "![l](../../assets/logo.png) ![p](pic.png)";
    expect(await collect(folder, "docs/guide/setup.md", text, { start: "docs" })).toMatchObject({
      files: ["assets/logo.png", "docs/guide/pic.png"],
      documentPath: "docs/guide/setup.md",
    });
    expect(await collect(folder, "docs/guide/setup.md", "![p](pic.png)", { start: "docs" })).toMatchObject({
      files: ["guide/pic.png"],
      documentPath: "guide/setup.md",
    });
  });

  test("the root is the repository, else the working directory around it, else the folder itself", () => {
    expect(rootFor("/a/b", "/a", "/a/b")).toBe("/a");
    expect(rootFor("/a/b", null, "/a")).toBe("/a");
    expect(rootFor("/a/b", null, "/a/bc")).toBe("/a/b");
  });
});

describe("left out", () => {
  test("what is outside the root, hidden, in node_modules, of another type, and paths from the root of a site", async () => {
    const outer = folderOf({
      "secret.png": "s",
      "in/.hidden/a.png": "",
      "in/.env": "",
      "in/node_modules/x/x.js": "",
      "in/tool.exe": "",
      "in/dir.png/x": "",
    });
    const folder = join(outer, "in");
    symlinkSync(join(outer, "secret.png"), join(folder, "link.png"));
    symlinkSync(outer, join(folder, "up"));
    const html = `<img src="../secret.png"><img src="link.png"><img src="up/secret.png"><img src=".hidden/a.png">
<a href=".env">e</a><script src="node_modules/x/x.js"></script><a href="tool.exe">t</a><img src="/logo.png"><img src="dir.png">`;
    const found = await collect(folder, "p.html", html);
    expect(found.files).toEqual([]);
    expect(found.leftOut).toEqual([
      `1 ../secret.png: it is outside of ${folder}`,
      "1 link.png: it is a link that leads out of the folder",
      "1 up/secret.png: it is a link that leads out of the folder",
      "1 .hidden/a.png: it is hidden",
      "2 .env: it is hidden",
      "2 node_modules/x/x.js: it is in node_modules",
      "2 tool.exe: files of its type are not published",
      "2 /logo.png: its path begins at the root of a site",
    ]);
    expect(found.notFound).toEqual(["2 dir.png"]);
  });

  test("a link that stays in the folder is followed, unless it leads to something hidden", async () => {
    const folder = folderOf({ "real/a.png": "a", ".private/b.png": "b" });
    symlinkSync(join(folder, "real"), join(folder, "alias"));
    symlinkSync(join(folder, ".private/b.png"), join(folder, "b.png"));
    const found = await collect(folder, "p.md", "![a](alias/a.png) ![b](b.png)");
    expect({ files: found.files, leftOut: found.leftOut }).toEqual({
      files: ["alias/a.png"],
      leftOut: ["1 b.png: it is hidden"],
    });
  });

  test.each([true, false])(
    "what git ignores, git at hand: %p; not where the document is ignored too",
    async (hasGit) => {
      const folder = folderOf({
        ".gitignore": "out/\n*.tmp.png\n",
        "a.tmp.png": "",
        "b.png": "",
        "out/c.png": "",
        "sub/.gitignore": "d.png\n",
        "sub/d.png": "",
      });
      if (hasGit) Bun.spawnSync(["git", "init", "--quiet"], { cwd: folder });
      else mkdirSync(join(folder, ".git"));
      const text = "![a](a.tmp.png) ![b](b.png) ![c](out/c.png) ![d](sub/d.png)";
      const found = await collect(folder, "p.md", text);
      expect({ files: found.files, leftOut: found.leftOut }).toEqual({
        files: ["b.png"],
        leftOut: ["1 a.tmp.png: git ignores it", "1 out/c.png: git ignores it", "1 sub/d.png: git ignores it"],
      });
      writeFileSync(join(folder, "out/p.md"), "");
      expect((await collect(folder, "out/p.md", "![c](c.png) ![a](../a.tmp.png)", { start: "out" })).files).toEqual([
        "a.tmp.png",
        "out/c.png",
      ]);
    },
  );

  test("files that are too large, too many, or too much together", async () => {
    const folder = folderOf({ "big.mp4": "", "a.mp4": "" });
    truncateSync(join(folder, "big.mp4"), 20_000_001);
    const names = Array.from({ length: 6 }, (_, n) => `part${n}.mp4`);
    for (const name of names) {
      writeFileSync(join(folder, name), "");
      truncateSync(join(folder, name), 20_000_000);
    }
    const found = await collect(folder, "p.md", ["big.mp4", ...names].map((name) => `[x](${name})`).join(" "));
    expect(found.files).toEqual(names.slice(0, 5));
    expect(found.leftOut).toEqual([
      "1 big.mp4: it is larger than 20 MB",
      "1 part5.mp4: the files of a version have at most 100 MB",
    ]);
    const many = folderOf(Object.fromEntries(Array.from({ length: 502 }, (_, n) => [`i/${n}.png`, `${n}`])));
    const images = Array.from({ length: 502 }, (_, n) => `![x](i/${n}.png)`).join("\n");
    const all = await collect(many, "p.md", images);
    expect({ count: all.files.length, leftOut: all.leftOut }).toEqual({
      count: 500,
      leftOut: ["501 i/500.png: a version has at most 500 files", "502 i/501.png: a version has at most 500 files"],
    });
  });

  test("a path that the service does not take", async () => {
    const deep = Array.from({ length: 6 }, () => "d".repeat(50)).join("/");
    const folder = folderOf({ [`${deep}/a.png`]: "" });
    expect((await collect(folder, "p.md", `![a](${deep}/a.png)`)).leftOut).toEqual([
      `1 ${deep}/a.png: its path must have at most 255 bytes`,
    ]);
  });
});

test("secrets in text files are found, in images not looked for", async () => {
  const key = `ghp_${"aB3dE5fG7h".repeat(4).slice(0, 36)}`;
  const folder = folderOf({ "a.js": `\nconst key = "${key}"`, "b.png": key });
  expect((await collect(folder, "p.html", '<script src="a.js"></script><img src="b.png">')).secrets).toHaveLength(1);
});

test("a glob import takes files of folders beside and above, but none that is hidden, in node_modules or outside", async () => {
  const folder = folderOf({
    "app/pages/a.jsx": `import { words } from "../../shared/words"; export default words;`,
    "app/pages/.hidden.jsx": "",
    "app/pages/node_modules/x.jsx": "",
    "shared/words.ts": "export const words = 1;",
    "shared/more.json": "{}",
  });
  writeFileSync(join(dirname(folder), "outside.json"), "{}");
  const source = `import.meta.glob("./pages/**/*.jsx"); import.meta.glob("../shared/*.json"); import.meta.glob("../../*.json");`;
  const found = await collect(folder, "app/main.jsx", source, { start: "app" });
  expect(found.files).toEqual(["app/pages/a.jsx", "shared/more.json", "shared/words.ts"]);
  expect(found.documentPath).toBe("app/main.jsx");
  expect(found.imports).toEqual(["app/pages/a.jsx", "shared/more.json", "shared/words.ts"]);
  expect(found.notFound).toEqual(["1 ../../*.json"]);
  expect(found.leftOut).toEqual([]);
});
