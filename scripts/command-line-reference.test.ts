// The committed reference of the command line equals the one generated from its catalogue.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { commands } from "../cli/catalogue.ts";
import { reference, referencePath } from "./command-line-reference.ts";

test("docs/command-line.md is up to date (bun run docs:cli)", () => {
  expect(readFileSync(referencePath, "utf8") === reference()).toBe(true);
});

test("every command has its section, and every link leads to one", () => {
  const text = reference();
  const headings = [...text.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) =>
    heading?.toLowerCase().replaceAll(" ", "-"),
  );
  expect(headings).toEqual(expect.arrayContaining(commands.map(({ path }) => `plinth-${path.replaceAll(" ", "-")}`)));
  for (const [, target] of text.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(target);
});
