// Walks through the guide of the documentation: the commands of its pages in order, in one shell. Each must succeed and
// print what the lines below it say.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { stepsOf, walk, type Walked } from "./harness/document-walk.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { hung, repository, temporaryFolder } from "./harness/process.ts";

/** The pages with commands, in the order in which one continues another. */
const pages = ["first-steps", "publish", "share", "agents", "rest"];
const guideOrigin = "https://plinth.example.com";
/** Installing would change the machine; e2e/client tests it (api/client). */
const isInstalled = (command: string): boolean => /^(?:curl -fsSL .*install\.sh|npm install )/.test(command);

const texts = await Promise.all(pages.map((page) => readFile(join(repository, "docs/guide", `${page}.md`), "utf8")));
const installed = { command: 'export PATH="$PWD/cli/dist:$PATH"', prints: [] };
const steps = [installed, ...texts.flatMap((text) => stepsOf(text)).filter(({ command }) => !isInstalled(command))];

let instance: Instance;
let folder: string;
let walked: Walked;
beforeAll(async () => {
  instance = await startInstance();
  folder = await temporaryFolder("guide");
  walked = await walk({ steps, instance, origin: guideOrigin, folder });
}, 2 * hung);
afterAll(async () => {
  await instance.stop();
  await rm(folder, { recursive: true, force: true });
}, hung);

test("the guide has the commands that are tested here", () => {
  expect(steps.length).toBeGreaterThan(35);
  expect(steps.flatMap(({ prints }) => prints).length).toBeGreaterThanOrEqual(12);
});

test.each(steps.map((step, place) => [step.command, step, place] as const))("%s", (_, { prints }, place) => {
  const isLast = place === walked.outputs.length - 1;
  const why = isLast && walked.code !== 0 ? `failed with ${walked.code}: ${walked.stderr}` : "succeeded";
  expect(place < walked.outputs.length ? why : "was not reached").toBe("succeeded");
  for (const line of prints) expect(walked.outputs[place]).toContain(line.replaceAll(guideOrigin, instance.origin));
});
