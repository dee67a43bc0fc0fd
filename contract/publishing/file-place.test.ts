import { expect, test } from "bun:test";

import { indexDirectory, missingPage, placeOf } from "./file-place.ts";

const paths = new Set([
  "report/style.css",
  "report/guide/index.html",
  "report/about.html",
  "report/both.html",
  "report/both/index.html",
  "report/img/a.png",
  "report/404.html",
]);
const placed = { paths, index: "report/" };
const file = (path: string) => ({ kind: "file", path }) as const;

test.each([
  ["report/style.css", file("report/style.css")],
  ["report/", { kind: "document" }],
  ["report/index.html", { kind: "document" }],
  ["report", { kind: "folder" }],
  ["report/guide/", file("report/guide/index.html")],
  ["report/guide", { kind: "folder" }],
  ["report/about", file("report/about.html")],
  ["report/both", file("report/both.html")],
  ["report/both/", file("report/both/index.html")],
  ["report/img/", null],
  ["report/img", null],
  ["report/about.html/", null],
  ["", null],
  ["index.html", null],
] as const)("%j leads where it does on GitHub Pages", (path, place) => {
  expect(placeOf(path, placed)).toEqual(place);
});

test("a document that is no index page is not at the index page of its directory", () => {
  const other = { paths, index: null };
  expect(["report/", "report/index.html", "report"].map((path) => placeOf(path, other))).toEqual([null, null, null]);
  expect([missingPage(placed), missingPage(other)]).toEqual(["report/404.html", null]);
});

test.each([
  ["html", null, "site/", "site/"],
  ["html", "site/index.html", "site/", "site/"],
  ["html", "index.html", "", ""],
  ["html", "site/about.html", "site/", null],
  ["md", null, "", null],
] as const)("an %s document with the source path %j in %j is the index page of %j", (type, sourcePath, base, index) => {
  expect(indexDirectory(type, sourcePath, base)).toBe(index);
});
