import { expect, test } from "bun:test";

import { archivePlan } from "./archive-plan.ts";
import { zipOf, type ZipPart } from "@plinth/support/zip-of";
import { zipEntries } from "./zip.ts";

type Part = string | ZipPart;

/** The document, its files and what is not taken; or the refusal. */
function planOf(parts: readonly Part[], documentPath?: string, type: "html" | "md" | "jsx" = "html") {
  const named = parts.map((part) => (typeof part === "string" ? { name: part } : part));
  const plan = archivePlan(zipEntries(zipOf(named)), { type, documentPath });
  if ("message" in plan) return `${plan.field} ${plan.message}`;
  const { document, files, notTaken } = plan;
  return {
    document: `${document.path} of ${document.entry.name}`,
    files: files.map(({ path }) => path),
    notTaken: notTaken.map(({ path, reason }) => `${path}: ${reason}`),
  };
}

test("its index page is the document, at its root or in its only folder", () => {
  const taken = { files: ["a/index.html", "b.png"], notTaken: [] };
  expect(planOf(["b.png", "index.html", "a/index.html"])).toEqual({ document: "index.html of index.html", ...taken });
  expect(planOf(["r/", "r/b.png", "r/index.html", "r/a/index.html", "__MACOSX/r/._b.png", "r/.DS_Store"])).toEqual({
    document: "index.html of r/index.html",
    ...taken,
  });
});

test("the document that is named, of any type, in a folder of the archive too", () => {
  expect(planOf(["site/app.jsx", "site/chart.jsx", "lib/x.js"], "site/app.jsx", "jsx")).toEqual({
    document: "site/app.jsx of site/app.jsx",
    files: ["lib/x.js", "site/chart.jsx"],
    notTaken: [],
  });
  expect(planOf(["r/docs/a.md", "r/b.png"], "docs/a.md", "md")).toMatchObject({ files: ["b.png"] });
});

test.each([
  [
    ["a.html"],
    undefined,
    "html",
    "archiveSha256 is the hash of a zip without an index.html; name its document by documentPath",
  ],
  [
    ["a/index.html", "b/x.png"],
    undefined,
    "html",
    "archiveSha256 is the hash of a zip without an index.html; name its document by documentPath",
  ],
  [["index.html"], undefined, "md", "documentPath is required: index.html, which the archive has, is not md"],
  [["index.html"], "a.md", "md", "documentPath is no file of the archive"],
  [["index.html"], "index.html", "jsx", "documentPath is not jsx"],
  [["index.html", "index.html"], undefined, "html", "archiveSha256 is the hash of a zip with two entries of one name"],
  [
    [{ name: "index.html", flags: 1 }],
    undefined,
    "html",
    "archiveSha256 has a document that cannot be read: it is encrypted",
  ],
] as const)("%j with the document %j of %s: %s", (parts, documentPath, type, message) => {
  expect(planOf(parts, documentPath, type)).toBe(message);
});

test("what is not taken is named with its reason, as of a folder that is pushed", () => {
  const plan = planOf([
    "index.html",
    "ok.png",
    ".env",
    "a/.git/config",
    "node_modules/x/index.js",
    "../up.png",
    "/root.png",
    "c/../d.png",
    "con.png",
    "tool.exe",
    { name: "link.png", mode: 0o120777 },
    { name: "large.png", sizeBytes: 20_000_001 },
    "dir.png",
    "dir.png/x.png",
    `${"n".repeat(300)}.png`,
  ]);
  expect(plan).toEqual({
    document: "index.html of index.html",
    files: ["dir.png", "ok.png"],
    notTaken: [
      "../up.png: its path must not contain an empty part, `.` or `..`",
      ".env: it is hidden",
      "/root.png: its path must be relative",
      "c/../d.png: its path must not contain an empty part, `.` or `..`",
      "con.png: its path must not contain a name that Windows reserves, as `con.png` is",
      "dir.png/x.png: its path leads through another file",
      "large.png: it is larger than 20 MB",
      "link.png: it is no regular file",
      `${"n".repeat(300)}.png: its path must have at most 255 bytes`,
      "node_modules/x/index.js: it is in node_modules",
      "tool.exe: files of its type are not published",
    ],
  });
});

test("no more files, and no more bytes, than a version has", () => {
  const many = Array.from({ length: 502 }, (_, n) => `f${String(n).padStart(3, "0")}.txt`);
  expect(planOf(["index.html", ...many])).toMatchObject({
    files: many.slice(0, 500),
    notTaken: ["f500.txt: a version has at most 500 files", "f501.txt: a version has at most 500 files"],
  });
  const large = Array.from({ length: 7 }, (_, n) => ({ name: `${n}.bin.gz`, sizeBytes: 16_000_000 }));
  expect(planOf(["index.html", ...large])).toMatchObject({
    files: large.slice(0, 6).map(({ name }) => name),
    notTaken: ["6.bin.gz: the files of a version have at most 100 MB"],
  });
});
