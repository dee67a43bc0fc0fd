import { expect, test } from "bun:test";
import { pastedFile } from "./pasted-file.ts";

test.each([
  ["# Notes\n\nA list", "pasted.md"],
  ["", "pasted.md"],
  ["<!DOCTYPE html><p>Hi", "pasted.html"],
  ["\n  <html lang=en>", "pasted.html"],
  ["<p>only a part", "pasted.md"],
  ['import { useState } from "react";\n\nexport default function App() {}', "pasted.jsx"],
  ["We export default values to CSV", "pasted.md"],
])("%j is %s", async (text, name) => {
  const file = pastedFile(text);
  expect(file.name).toBe(name);
  expect(await file.text()).toBe(text);
});
