import { expect, test } from "bun:test";
import { isPasted, numbered, pastedFile, pastedName } from "./pasted-file.ts";

test.each([
  ["# Notes\n\nA list", "pasted.md"],
  ["", "pasted.md"],
  ["<!DOCTYPE html><p>Hi", "pasted.html"],
  ["\n  <html lang=en>", "pasted.html"],
  ["<p>only a part", "pasted.md"],
  ["<title>Only</title><h1>x</h1>", "pasted.html"],
  ["<!-- saved from a.example -->\n<!-- twice -->\n<!doctype html>", "pasted.html"],
  ["<!-- a note -->\n# Notes", "pasted.md"],
  ['<svg viewBox="0 0 1 1"/>', "pasted.html"],
  ["<scripted> is no tag", "pasted.md"],
  ["const App = () => null;\nexport { App as default };", "pasted.jsx"],
  ["export {\n  a,\n  App as default,\n};", "pasted.jsx"],
  ['import { useState } from "react";\n\nexport default function App() {}', "pasted.jsx"],
  ["We export default values to CSV", "pasted.md"],
])("%j is %s", async (text, name) => {
  const file = pastedFile(text);
  expect([file.name, pastedName(text)]).toEqual([name, name]);
  expect(await file.text()).toBe(text);
});

test("pasted files are numbered, and no other file counts as one", async () => {
  const taken = new Set<string>();
  for (const expected of ["pasted.md", "pasted-2.md", "pasted-3.md"]) {
    const file = numbered(pastedFile("Text"), (name) => taken.has(name));
    taken.add(file.name);
    expect([file.name, file.type, await file.text(), isPasted(file.name)]).toEqual([
      expected,
      "text/markdown",
      "Text",
      true,
    ]);
  }
  expect(["pasted.txt", "pasted-notes.md", "a/pasted.md", "not-pasted.md"].map(isPasted)).toEqual(Array(4).fill(false));
});

test("hostile text is told in time", () => {
  const began = performance.now();
  for (const one of ["\n", "<!---->", "<!-- ", "export {a\n", "export "]) pastedName(one.repeat(2 ** 22 / one.length));
  expect(performance.now() - began).toBeLessThan(20_000);
});
