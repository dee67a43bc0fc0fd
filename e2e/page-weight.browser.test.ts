// Pages of the whole app in Chromium. What each loads, including an artifact's frame, in gzip: script and styles within
// their budgets, nothing from other hosts, and the editor only when a visitor uses it. And the short form of `bun run stress
// pages`, here because both need the same visitors and documents.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";

import { pages, shortLooks, takeLooks } from "./stress/pages.ts";
import { pageRoutes } from "./stress/pages-routes.ts";
import { addressOf, openPagesFixtures, type PagesFixtures, type Viewer } from "./stress/pages-fixtures.ts";
import { openBrowser, openFreshContext } from "./harness/browser.ts";
import { pageBudgets, scriptBudget } from "./harness/page-budgets.ts";
import { weighPage, type PageWeight } from "./harness/page-weight.ts";
import { hung } from "./harness/process.ts";
import { sampleWithFirst, testRandom, testSeed } from "./harness/test-seed.ts";

setDefaultTimeout(3 * hung);

let browser: Browser;
let fixtures: PagesFixtures;

beforeAll(async () => {
  [fixtures, browser] = await Promise.all([openPagesFixtures({ env: { CHROMIUM_PATH: "off" } }), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await fixtures.stop();
});

/** As that viewer sees it, and after `then`. */
async function weigh(path: string, viewer: Viewer, then?: (page: Page) => Promise<unknown>): Promise<PageWeight> {
  const context = await openFreshContext(browser, fixtures.origin, fixtures.sessions.get(viewer));
  try {
    context.setDefaultTimeout(hung);
    const page = await context.newPage();
    const weighing = weighPage(page, fixtures.origin);
    await page.goto(await addressOf(fixtures, path), { waitUntil: "load" });
    // Later requests count as well.
    await weighing.settled();
    await then?.(page);
    if (then !== undefined) await weighing.settled();
    return await weighing.weight();
  } finally {
    await context.close();
  }
}

/** Only the first of paths that differ in their owner; the viewer with the most access opens it. */
const weighedPages = new Map<string, [path: string, viewer: Viewer]>();
for (const { path, shownTo, site, key } of pageRoutes) {
  // A redirect is weighed at its target.
  if (site !== undefined || key !== undefined || path.startsWith("/share/")) continue;
  const pattern = path.replace(/\b(?:ada|acme)\b/, ":owner").replace(/\b(?:reports|launch|empty)\b/, ":project");
  if (shownTo[0] !== undefined && !weighedPages.has(pattern)) weighedPages.set(pattern, [path, shownTo[0]]);
}

/** The number of pages, by the seed of the run; `TEST_SAMPLES=all bun run test e2e/page-weight` weighs all. */
const weighed = 6;

test.each(sampleWithFirst([...weighedPages.values()], weighed, testRandom("page-weight")))(
  "%s is within the budgets of script and styles, and requests nothing from other hosts",
  async (path, viewer) => {
    const { script, styles, elsewhere, files } = await weigh(path, viewer);
    const said = JSON.stringify([...files]);
    expect(elsewhere).toEqual([]);
    // A page without either would not have been weighed at all.
    expect(script, said).toBeGreaterThan(500);
    expect(styles, said).toBeGreaterThan(5000);
    expect(script, said).toBeLessThanOrEqual(scriptBudget(path));
    expect(styles, said).toBeLessThanOrEqual(pageBudgets.styles);
  },
);

test.each<[path: string, viewer: Viewer]>([
  ["/ada/reports/doc-3", "nobody"],
  ["/ada/reports/doc-0", "nobody"],
  ["/acme/launch/doc-4", "nobody"],
  ["/ada/reports/doc-3?view=source", "nobody"],
  ["/ada/reports/doc-3/history", "nobody"],
  ["/", "nobody"],
  ["/docs", "nobody"],
  ["/dashboard/ada", "owner"],
])("%s, with its frame, is within the budget of fonts", async (path, viewer) => {
  const { fonts, files } = await weigh(path, viewer);
  const loaded = [...files].filter(([name]) => name.endsWith(".woff2"));
  console.info(`${path}: ${fonts} bytes in ${loaded.length} fonts`);
  const said = JSON.stringify(loaded);
  expect(loaded.length, said).toBeGreaterThan(0);
  expect(loaded.length, said).toBeLessThanOrEqual(pageBudgets.fontFiles);
  expect(fonts, said).toBeLessThanOrEqual(pageBudgets.fonts);
});

test(pages.claim, () => takeLooks(shortLooks(testSeed("pages")), { browser, fixtures, folder: undefined }));

test("a markdown artifact takes 15 KB of script at most, and its source view no more", async () => {
  for (const query of ["", "?view=source"]) {
    const { script, files } = await weigh(`/ada/reports/doc-3${query}`, "nobody");
    expect(script, JSON.stringify([...files])).toBeLessThanOrEqual(15 * 1024);
  }
});

test("the editor is loaded on its first use, and the search on its key", async () => {
  const path = "/ada/reports/doc-3/edit";
  const untouched = await weigh(path, "owner");
  const reach = async (page: Page) => {
    await page.getByRole("textbox", { name: /^Markdown of/ }).focus();
    // The language comes after the editor, and colours the text.
    await page.locator(".cm-line span").first().waitFor();
  };
  const reached = await weigh(path, "owner", reach);
  const searched = await weigh(path, "owner", async (page) => {
    await reach(page);
    await page.keyboard.press("Control+f");
    await page.locator(".cm-search").waitFor();
  });
  expect(reached.script).toBeGreaterThan(untouched.script + 50_000);
  expect(searched.script).toBeGreaterThan(reached.script + 3000);
});
