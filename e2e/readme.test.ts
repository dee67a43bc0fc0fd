// Walks the README: the commands of its walk as they stand there, in order, in one shell. Each must succeed and print what
// the lines below it say.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { stepsOf, testWalk } from "./harness/document-walk.ts";
import { repository } from "./harness/process.ts";
import { sharedInstance } from "./harness/shared.ts";

/** The sections that a reader follows from the top to the bottom. */
const walkedSections = ["From nothing to a page", "Surfaces"];
/** Where the README's instance is. */
const readmeOrigin = "http://localhost:3000";

const readme = await readFile(join(repository, "README.md"), "utf8");
const steps = walkedSections.flatMap((title) => stepsOf(sectionOf(title), { withTables: true }));

test("the README has the walk that is tested here", () => {
  const commands = steps.map(({ command }) => command);
  expect(commands).toEqual(expect.arrayContaining(["plinth login", "plinth schema --compact"]));
  expect(commands.filter((command) => command.startsWith("plinth push")).length).toBeGreaterThanOrEqual(4);
  expect(commands.filter((command) => command.startsWith("curl")).length).toBeGreaterThanOrEqual(5);
  expect(steps.flatMap(({ prints }) => prints).length).toBeGreaterThanOrEqual(8);
});

testWalk(steps, { origin: readmeOrigin, open: () => sharedInstance() });

/** The text below a heading, as far as the next one. */
function sectionOf(title: string): string {
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (section === undefined) throw new Error(`The README has no section "${title}"`);
  return section;
}
