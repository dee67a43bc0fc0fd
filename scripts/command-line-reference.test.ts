// The generated reference of the command line is complete, and its links lead somewhere.
import { expect, test } from "bun:test";

import { commands } from "../cli/catalogue.ts";
import { reference } from "./command-line-reference.ts";

test("every command has its section, and every link leads to one", () => {
  const text = reference();
  const headings = [...text.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) =>
    heading?.toLowerCase().replaceAll(" ", "-"),
  );
  expect(headings).toEqual(expect.arrayContaining(commands.map(({ path }) => `plinth-${path.replaceAll(" ", "-")}`)));
  for (const [, target] of text.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(target);
});
