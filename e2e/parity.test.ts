// The same scenario by REST, by the compiled command line, by MCP and by the web in Chromium: each step has the same
// outcome, and the final state and events are the same except for the surface. Each runs on a separate instance. REST and
// one other in each run; `TEST_SAMPLES=all bun run test e2e/parity.test` has all.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";

import { openBrowser } from "./harness/browser.ts";
import { hung } from "./harness/process.ts";
import { sample, testRandom } from "./harness/test-seed.ts";
import { commandLineSurface } from "./parity/command-line.ts";
import { mcpSurface } from "./parity/mcp.ts";
import { restSurface } from "./parity/rest.ts";
import { runScenario, type ScenarioRun } from "./parity/run.ts";
import { webSurface } from "./parity/web.ts";

/** A scenario has a hundred steps. */
const long = 5 * hung;
setDefaultTimeout(long);

let browser: Browser | undefined;
let byRest: ScenarioRun;
beforeAll(async () => {
  byRest = await runScenario(restSurface);
}, long);
afterAll(() => browser?.close());

test("REST: the scenario ends in the state the others are compared with", () => {
  expect(byRest.events.length).toBeGreaterThan(20);
  expect(byRest.uses).toHaveLength(3);
});

const runs: Readonly<Record<string, () => Promise<ScenarioRun>>> = {
  "command line": () => runScenario(commandLineSurface),
  MCP: () => runScenario(mcpSurface),
  web: async () => {
    const opened = (browser = await openBrowser());
    return runScenario((instance, participants) => webSurface(opened, instance, participants));
  },
};

test.each(sample(Object.entries(runs), 1, testRandom("parity")))(
  "%s: the same outcomes, state and events as REST",
  async (_, run) => {
    expect(await run()).toEqual(byRest);
  },
);
