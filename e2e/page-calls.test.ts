// API calls of a page: at most three, all made at once (docs/reference/experience.md §4, "Budgets").
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { pageRoutes } from "./stress/pages-routes.ts";
import { addressOf, openPagesFixtures, type PagesFixtures } from "./stress/pages-fixtures.ts";
import { fewestWaves, startWaveProxy, type WaveProxy } from "./harness/call-waves.ts";
import { hung } from "./harness/process.ts";
import { sampleWithFirst, testRandom } from "./harness/test-seed.ts";
import { startWeb, type Web } from "./harness/web.ts";

setDefaultTimeout(2 * hung);

let fixtures: PagesFixtures;
let proxy: WaveProxy;
let web: Web;

beforeAll(async () => {
  fixtures = await openPagesFixtures();
  proxy = startWaveProxy(fixtures.origin);
  web = await startWeb(proxy.origin);
});
afterAll(async () => {
  await web.stop();
  await proxy.stop();
  await fixtures.stop();
});

/** Addresses that only lead on to one of the others. */
const leadsOn: ReadonlySet<string> = new Set(["/dashboard", "/settings", "/share/{editor}"]);
const asked = pageRoutes.filter(
  ({ path, shownTo, site, key }) => shownTo.length > 0 && site === undefined && key === undefined && !leadsOn.has(path),
);

// By the seed of the run; `TEST_SAMPLES=all bun run test e2e/page-calls` has all.
test.each(
  sampleWithFirst(
    asked.map(({ path, shownTo }) => [path, shownTo] as const),
    20,
    testRandom("page calls"),
  ),
)("%s asks at most three things, at once", async (path, [viewer]) => {
  const cookie = viewer === undefined ? undefined : fixtures.sessions.get(viewer);
  const { waves, status } = await fewestWaves(proxy, web.origin, await addressOf(fixtures, path), cookie);
  // A history leads on to a page that says in its address what it shows, and asks for itself.
  expect(status).toBe(path.endsWith("/history") ? 307 : 200);
  // The documentation is the same for everyone.
  if (path.startsWith("/docs")) expect(waves).toEqual([]);
  else if (cookie !== undefined) expect(waves.length).toBeGreaterThan(0);
  expect(waves.length, JSON.stringify(waves)).toBeLessThanOrEqual(1);
  expect(waves.flat().length, JSON.stringify(waves)).toBeLessThanOrEqual(3);
});
