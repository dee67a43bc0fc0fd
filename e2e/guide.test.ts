// Walks through the guide of the documentation: the commands of its pages in order, in one shell. Each must succeed and
// print what the lines below it say.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { stepsOf, testWalk } from "./harness/document-walk.ts";
import { startInstance } from "./harness/instance.ts";
import { repository } from "./harness/process.ts";

/** The pages with commands, in the order in which one continues another. */
const pages = ["first-steps", "publish", "share", "agents", "rest"];
const guideOrigin = "https://plinth.example.com";
/** Installing would change the machine; e2e/client tests it (api/client). */
const isInstalled = (command: string): boolean => /^(?:curl -fsSL .*install\.sh|npm install )/.test(command);

const texts = await Promise.all(pages.map((page) => readFile(join(repository, "docs/guide", `${page}.md`), "utf8")));
const installed = { command: 'export PATH="$PWD/cli/dist:$PATH"', prints: [] };
const steps = [installed, ...texts.flatMap((text) => stepsOf(text)).filter(({ command }) => !isInstalled(command))];

test("the guide has the commands that are tested here", () => {
  expect(steps.length).toBeGreaterThan(35);
  expect(steps.flatMap(({ prints }) => prints).length).toBeGreaterThanOrEqual(12);
});

testWalk(steps, { origin: guideOrigin, open: () => startInstance() });
