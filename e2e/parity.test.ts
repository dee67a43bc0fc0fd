// The same story by REST, by the compiled command line, by MCP and by the web in Chromium: each step says the same, and it
// ends in the same state and in the same events but for the surface. Each runs on an instance of its own.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";

import { openBrowser } from "./harness/browser.ts";
import { hung } from "./harness/process.ts";
import { commandLineSurface } from "./parity/command-line.ts";
import { mcpSurface } from "./parity/mcp.ts";
import { restSurface } from "./parity/rest.ts";
import { runScenario, type ScenarioRun } from "./parity/run.ts";
import { webSurface } from "./parity/web.ts";

/** A story has a hundred parts. */
const long = 5 * hung;
setDefaultTimeout(long);

let browser: Browser;
let byRest: ScenarioRun;
beforeAll(async () => {
  [browser, byRest] = await Promise.all([openBrowser(), runScenario(restSurface)]);
}, long);
afterAll(() => browser.close());

test("by REST it leaves what the others are compared with", () => {
  expect(byRest.events.length).toBeGreaterThan(20);
  expect(byRest.uses).toHaveLength(2);
});

test("the command line says, leaves and records the same", async () => {
  expect(await runScenario(commandLineSurface)).toEqual(byRest);
});

test("MCP says, leaves and records the same", async () => {
  expect(await runScenario(mcpSurface)).toEqual(byRest);
});

test("the web says, leaves and records the same", async () => {
  expect(await runScenario((instance, participants) => webSurface(browser, instance, participants))).toEqual(byRest);
});
