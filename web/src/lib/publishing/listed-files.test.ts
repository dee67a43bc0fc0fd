// Dropped and chosen files by their paths, and the files that go with their documents: the collector of the command line
// (cli/document-files/), which reads folders there.
import { expect, test } from "bun:test";

import { inferType } from "@plinth/contract/publishing/document-type";

import { listFiles, listLimits } from "./listed-files.ts";
import { filesWith } from "./listed-source.ts";

/** A file of a chosen folder. */
function chosen(path: string, text = ""): File {
  const file = new File([text], path.slice(path.lastIndexOf("/") + 1));
  return Object.defineProperty(file, "webkitRelativePath", { value: path.includes("/") ? path : "" });
}

type Tree = { readonly [name: string]: string | Tree };

/** What a browser gives for a dropped folder, in portions of 2. */
function entryOf(path: string, tree: string | Tree): FileSystemEntry {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const about = { name, fullPath: path, isFile: typeof tree === "string", isDirectory: typeof tree !== "string" };
  if (typeof tree === "string")
    return { ...about, file: (found: FileCallback) => found(new File([tree], name)) } as FileSystemFileEntry;
  return {
    ...about,
    createReader() {
      const entries = Object.entries(tree).map(([inside, one]) => entryOf(`${path}/${inside}`, one));
      return { readEntries: (found: FileSystemEntriesCallback) => found(entries.splice(0, 2)) };
    },
  } as FileSystemDirectoryEntry;
}

test("a dropped folder is the root of its paths; hidden files and node_modules are skipped", async () => {
  const tree = {
    "README.md": "a",
    "a.png": "b",
    guide: { "x.md": "c" },
    ".git": { config: "d" },
    node_modules: { x: { "y.js": "e" } },
    ".DS_Store": "f",
  };
  const { files, skipped, hasFolder, loose } = await listFiles([entryOf("/docs", tree)]);
  expect([...files.keys()]).toEqual(["README.md", "a.png", "guide/x.md"]);
  expect({ skipped, hasFolder, loose: loose.size }).toEqual({
    skipped: [".DS_Store", ".git", "node_modules"],
    hasFolder: true,
    loose: 0,
  });
});

test("several folders keep their names, files of no folder are loose, and a folder after others keeps its name", async () => {
  const several = await listFiles([entryOf("/a", { "x.md": "" }), entryOf("/b", { "x.md": "" })]);
  expect([...several.files.keys()]).toEqual(["a/x.md", "b/x.md"]);
  const { files, loose } = await listFiles([chosen("x.md"), chosen("x.png")]);
  expect([[...files.keys()], [...loose]]).toEqual([
    ["x.md", "x.png"],
    ["x.md", "x.png"],
  ]);
  expect([...(await listFiles([chosen("img/x.png")], true)).files.keys()]).toEqual(["img/x.png"]);
  // As macOS writes an ä.
  expect([...(await listFiles([chosen("d/a\u0308.md")])).files.keys()]).toEqual(["ä.md"]);
});

test("more files than are looked at, and folders that nest too deep, are cut", async () => {
  const many = Array.from({ length: listLimits.files + 1 }, (_, n) => chosen(`d/${n}.png`));
  const list = await listFiles(many);
  expect([list.files.size, list.isCut]).toEqual([listLimits.files, true]);
  let deep: Tree = { "x.md": "" };
  for (let level = 0; level < listLimits.depth; level++) deep = { d: deep };
  expect(await listFiles([entryOf("/d", deep)])).toMatchObject({ isCut: true });
});

async function found(files: readonly File[]) {
  const list = await listFiles(files);
  const paths = [...list.files.keys()].filter((path) => inferType(path) !== null);
  const documents = await Promise.all(
    paths.map(async (path) => ({
      path,
      type: inferType(path) ?? ("md" as const),
      text: (await list.files.get(path)?.text()) ?? "",
    })),
  );
  return (await filesWith(list, documents)).map(({ files, notFound, leftOut, documentPath }) => ({
    documentPath,
    files: files.map(({ path, place }) => (path === place ? path : `${path} < ${place}`)),
    notFound: notFound.map(({ url }) => url),
    leftOut: leftOut.map(({ url, reason }) => `${url}: ${reason}`),
  }));
}

test("documents of a folder take their files, with hashes; what is outside, hidden or missing is said", async () => {
  const files = [
    chosen("d/guide/x.md", "![a](../img/a.png) ![b](../../b.png) ![c](.c.png) ![d](d.png) ![e](../node_modules/e.png)"),
    chosen("d/img/a.png", "a"),
    chosen("d/.c.png", "c"),
  ];
  expect(await found(files)).toEqual([
    {
      documentPath: "guide/x.md",
      files: ["img/a.png"],
      notFound: ["d.png"],
      leftOut: [
        "../../b.png: it is outside of what you chose",
        ".c.png: it is hidden",
        "../node_modules/e.png: it is in node_modules",
      ],
    },
  ]);
  const list = await listFiles(files);
  const [one] = await filesWith(list, [{ path: "guide/x.md", type: "md", text: "![a](../img/a.png)" }]);
  expect(one?.files[0]).toMatchObject({
    sha256: new Bun.CryptoHasher("sha256").update("a").digest("hex"),
    sizeBytes: 1,
  });
});

test("loose files are found by their names, those of a folder by their paths alone", async () => {
  const text = "![a](img/a.png) ![b](img/b.png)";
  expect(await found([chosen("x.md", text), chosen("a.png", "a")])).toMatchObject([
    { files: ["img/a.png < a.png"], notFound: ["img/b.png"] },
  ]);
  expect(await found([chosen("d/x.md", text), chosen("d/a.png", "a")])).toMatchObject([
    { files: [], notFound: ["img/a.png", "img/b.png"] },
  ]);
});

test("jsx takes its modules, and a file over 20 MB is left out", async () => {
  const large = new File([new Uint8Array(20_000_001)], "large.mp4");
  Object.defineProperty(large, "webkitRelativePath", { value: "d/large.mp4" });
  const [app] = await found([
    chosen("d/app.jsx", 'import "./src/chart"; export default () => <video src="large.mp4" />'),
    chosen("d/src/chart.ts", "export {}"),
    large,
  ]);
  expect(app).toMatchObject({ files: ["src/chart.ts"], leftOut: ["large.mp4: it is larger than 20 MB"] });
});
