import { expect, test } from "bun:test";

import { documentTree, isFolder, type TreeFolder } from "./document-tree.ts";

const documents = (paths: readonly string[]) =>
  paths.map((sourcePath) => ({
    artifactId: `art_${sourcePath}`,
    slug: sourcePath,
    type: "md" as const,
    title: sourcePath,
    sourcePath,
    url: `https://plinth.test/o/p/${sourcePath}`,
  }));

const outline = ({ index, entries }: TreeFolder): unknown[] => [
  ...(index === null ? [] : [`index ${index.sourcePath}`]),
  ...entries.map((entry) => (isFolder(entry) ? { [entry.name]: outline(entry) } : entry.sourcePath)),
];

test("folders stand where their first document stands, and begin with their index page", () => {
  const paths = ["README.md", "a.md", "guide/README.md", "guide/setup.md", "guide/deep/x/y.md", "z.md"];
  expect(outline(documentTree(documents(paths)))).toEqual([
    "README.md",
    "a.md",
    { guide: ["index guide/README.md", "guide/setup.md", { deep: [{ x: ["guide/deep/x/y.md"] }] }] },
    "z.md",
  ]);
});

test("a second index page of a folder is a document of it", () => {
  expect(outline(documentTree(documents(["g/index.html", "g/README.md"])))).toEqual([
    { g: ["index g/index.html", "g/README.md"] },
  ]);
});
