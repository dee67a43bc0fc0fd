// The files that go with the documents of a list of files, without any folder, and which documents are parts of others.
// The same collector through real folders: cli/document-files/folder-files.test.ts.
import { expect, test } from "bun:test";

import { inferType } from "../document-type.ts";
import { createCollector, type DocumentFiles, type FileSource } from "./collect.ts";
import { partsAmong } from "./parts.ts";
import { commonFolder, folderOf, isWithin, joined, pathFrom } from "./paths.ts";

const encoder = new TextEncoder();

/** Files by their paths, relative to the root. */
function listOf(files: Readonly<Record<string, string>>): FileSource {
  return {
    at: async (path) => {
      if (!isWithin(path, "")) return { kind: "left-out", reason: "it is outside" };
      const text = files[path];
      return text === undefined ? { kind: "missing" } : { kind: "file", path, sizeBytes: encoder.encode(text).length };
    },
    list: async (folder) => Object.keys(files).filter((path) => folder === "" || path.startsWith(`${folder}/`)),
    read: async (path) => ({
      bytes: encoder.encode(files[path]),
      sha256: new Bun.CryptoHasher("sha256").update(files[path] ?? "").digest("hex"),
    }),
  };
}

async function collectAll(files: Readonly<Record<string, string>>): Promise<Map<string, DocumentFiles>> {
  const documents = Object.keys(files).filter((path) => inferType(path) !== null);
  const collector = createCollector({ source: listOf(files), folder: "", documents: new Set(documents) });
  const found = new Map<string, DocumentFiles>();
  for (const path of documents)
    found.set(path, await collector.collect({ path, type: inferType(path) ?? "md", content: files[path] ?? "" }));
  return found;
}

test("relative paths: files from the root, what is outside of it, what is missing, and links between documents", async () => {
  const found = await collectAll({
    "guide/setup.md": "![a](img/a.png) ![b](../b.png) ![c](../../c.png) ![d](d.png) [r](../README.md)",
    "guide/img/a.png": "a",
    "b.png": "b",
    "c.png": "c",
    "README.md": "",
  });
  const { files, documentPath, notFound, leftOut, links } = found.get("guide/setup.md") ?? {};
  expect({ documentPath, files: files?.map(({ path }) => path) }).toEqual({
    documentPath: "guide/setup.md",
    files: ["b.png", "guide/img/a.png"],
  });
  expect(notFound).toEqual([{ url: "d.png", line: 1, file: null }]);
  expect(leftOut).toEqual([{ url: "../../c.png", line: 1, file: null, reason: "it is outside", isLink: false }]);
  expect(links?.map(({ target }) => target)).toEqual(["README.md"]);
});

test("parts: modules that jsx imports, and pages that html loads and no document links to", async () => {
  const found = await collectAll({
    "app.jsx": 'import Chart from "./chart"; export default Chart',
    "chart.jsx": "export default () => null",
    "index.html": '<iframe src="frame.html"></iframe><iframe src="about.html"></iframe><a href="about.html">About</a>',
    "frame.html": "<p>Frame",
    "about.html": "<p>About",
    "a.jsx": 'import "./b"',
    "b.jsx": 'import "./a"',
  });
  expect([...partsAmong(found)]).toEqual(["chart.jsx", "frame.html"]);
  expect(found.get("index.html")?.files.map(({ path }) => path)).toEqual(["about.html", "frame.html"]);
});

test.each([
  ["", "a.png", "a.png"],
  ["", "../a.png", "../a.png"],
  ["guide", "../../a.png", "../a.png"],
  ["guide/x", "./y/../a.png", "guide/x/a.png"],
  ["guide", "docs/", "guide/docs/"],
  ["/a", "../../../b", "/b"],
  ["", ".", ""],
  ["C:/a", "../b.png", "C:/b.png"],
])("from %j, the path %j is %j", (folder, path, whole) => {
  expect(joined(folder, path)).toBe(whole);
});

test("folders: of a path, that paths share, and a path as it is written in one", () => {
  expect(["a.md", "x/a.md", "/a.md", "/x/y/"].map(folderOf)).toEqual(["", "x", "/", "/x"]);
  expect([isWithin("a", ""), isWithin("../a", ""), isWithin("/ab", "/a"), isWithin("/a/b", "/a")]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(commonFolder("/a/b/c", ["/a/b/x", "/a/d/y"])).toBe("/a");
  expect([pathFrom("/a/b", "/a/c/d"), pathFrom("", "x/y"), pathFrom("x", "x/y")]).toEqual(["../c/d", "x/y", "y"]);
});

test("files that a glob import means go with the document, what they import too, and a pattern without any is named", async () => {
  const found = await collectAll({
    "src/app.jsx": `const pages = import.meta.glob(["./pages/*.jsx", "!./pages/draft*"]);
const words = import.meta.glob("/words/*.md", { query: "?raw", eager: true });
import.meta.glob("../nowhere/*.js"); import.meta.glob(base + "/*.js");`,
    "src/pages/a.jsx": `import "./a.css"; import x from "../../shared/x";`,
    "src/pages/draft.jsx": "",
    "src/pages/a.css": "",
    "shared/x.ts": "",
    "words/one.md": "",
  });
  const { files, documentPath, notFound, imports } = found.get("src/app.jsx") as DocumentFiles;
  expect(files.map(({ path }) => path)).toEqual(["shared/x.ts", "src/pages/a.css", "src/pages/a.jsx", "words/one.md"]);
  expect(documentPath).toBe("src/app.jsx");
  expect(notFound).toEqual([{ url: "../nowhere/*.js", line: 3, file: null }]);
  expect(imports.has("src/pages/a.jsx")).toBe(true);
  expect(partsAmong(found).has("src/pages/a.jsx")).toBe(true);
});

test("all files of a folder: those that texts refer to first, then the others, and each that is not taken with its reason", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, n) => [`data/${String(n).padStart(3, "0")}.json`, "{}"]),
  );
  const files: Readonly<Record<string, string>> = {
    "index.html": '<img src="z.png"><img src="gone.png">',
    "z.png": "z",
    "objects.inv": "x",
    "named.exe": "x",
    ["a".repeat(252) + ".png"]: "long",
    ...many,
  };
  const collector = createCollector({ source: listOf(files), folder: "", documents: new Set(["index.html"]) });
  const document = { path: "index.html", type: "html", content: files["index.html"] ?? "" } as const;
  const found = await collector.collect(document, [...Object.keys(files), "was-removed.png"]);
  expect(found.files.map(({ path }) => path)).toEqual([...Object.keys(many).slice(0, 498), "z.png"]);
  expect(found.notTaken).toEqual([
    { path: "objects.inv", reason: "files of its type are not published" },
    { path: "named.exe", reason: "files of its type are not published" },
    { path: "data/498.json", reason: "a version has at most 500 files" },
    { path: "data/499.json", reason: "a version has at most 500 files" },
    { path: `${"a".repeat(252)}.png`, reason: "its path must have at most 255 bytes" },
  ]);
  expect(found.notFound.map(({ url }) => url)).toEqual(["gone.png"]);
  expect((await collector.collect(document)).notTaken).toEqual([]);
});
