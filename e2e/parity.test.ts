// The same scenario by REST, by the compiled command line, by MCP and by the web in Chromium: each step has the same
// outcome, and the final state and events are the same except for the surface. Each runs on a separate instance.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";

import { openBrowser } from "./harness/browser.ts";
import { hung } from "./harness/process.ts";
import { commandLineSurface } from "./parity/command-line.ts";
import { mcpSurface } from "./parity/mcp.ts";
import { restSurface } from "./parity/rest.ts";
import { runScenario, type ScenarioRun } from "./parity/run.ts";
import { webSurface } from "./parity/web.ts";

/** A scenario has a hundred steps. */
const long = 5 * hung;
setDefaultTimeout(long);

let browser: Browser;
let byRest: ScenarioRun;
beforeAll(async () => {
  [browser, byRest] = await Promise.all([openBrowser(), runScenario(restSurface)]);
}, long);
afterAll(() => browser.close());

test("REST: the scenario ends in the state the others are compared with", () => {
  expect(byRest.events.length).toBeGreaterThan(20);
  expect(byRest.uses).toHaveLength(2);
});

test("command line: the same outcomes, state and events as REST", async () => {
  expect(await runScenario(commandLineSurface)).toEqual(byRest);
});

test("MCP: the same outcomes, state and events as REST", async () => {
  expect(await runScenario(mcpSurface)).toEqual(byRest);
});

test("web: the same outcomes, state and events as REST", async () => {
  expect(await runScenario((instance, participants) => webSurface(browser, instance, participants))).toEqual(byRest);
});
