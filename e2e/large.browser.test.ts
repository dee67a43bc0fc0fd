// Pages with much content in Chromium: 5,000 artifacts in a workspace, 1,000 versions in a history, very long titles
// and foreign scripts, and empty pages. The number of drawn elements is limited, and the reader's position is kept; the
// benchmark measures the times. `TEST_SAMPLES=all bun run test e2e/large` has every title on every page.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";

import { openContext, untilScriptRuns } from "./harness/browser.ts";
import { hardTitles, seedLargeWorkspace, type LargeWorkspace } from "./harness/large-workspace.ts";
import { createArtifact, createPerson, createProject, signIn, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";
import { sample, sampleWithFirst, testRandom } from "./harness/test-seed.ts";

setDefaultTimeout(3 * hung);

/** The highest number of elements of a page, at any size. */
const mostNodes = 3500;

const site = testSite();
let owner: Person;
let session: string;
let large: LargeWorkspace;
let page: Page;
let home: string;

beforeAll(async () => {
  owner = await createPerson(site.instance, "team");
  large = await seedLargeWorkspace(site.instance, owner);
  session = await signIn(site.instance, owner.userId);
  home = `/dashboard/${owner.username}`;
  const context = await openContext(site.browser, site.instance.origin, session);
  context.setDefaultTimeout(hung);
  page = await context.newPage();
});

const nodes = () => page.evaluate(() => document.querySelectorAll("*").length);
const items = () => page.getByRole("list", { name: "Artifacts" }).getByRole("listitem");
const rail = () => page.getByRole("navigation", { name: "Versions" }).getByRole("list");
const scrolled = () => rail().evaluate((list) => list.scrollTop);
const headings = async () => items().getByRole("heading").allInnerTexts();
/** The space kept for the scroll bar is no part of the scroll width. */
const overflow = () =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

test("a dashboard of 5,000 draws a page of them, and pages go on and back without losing what was asked for", async () => {
  await page.goto(`${home}?type=md`);
  expect(await items().count()).toBe(48);
  expect(await nodes()).toBeLessThan(mostNodes);
  const first = await headings();
  await page.getByRole("link", { name: "Older" }).click();
  await page.waitForURL(/cursor=/);
  await page.getByRole("link", { name: "Newest" }).waitFor();
  const second = await headings();
  expect(second.filter((title) => first.includes(title))).toEqual([]);
  expect(await nodes()).toBeLessThan(mostNodes);
  expect(new URL(page.url()).searchParams.get("type")).toBe("md");
  await page.goBack();
  await page.waitForURL((url) => !url.searchParams.has("cursor"));
  await page.getByRole("heading", { name: first[0] ?? "", exact: true }).waitFor();
  expect(await headings()).toEqual(first);
});

test("a page of them is chosen whole", async () => {
  await page.goto(home);
  await page.getByRole("checkbox").first().check();
  // A range has a start after the page's script has handled the press.
  await page.getByText("1 selected").waitFor();
  await page
    .getByRole("checkbox")
    .last()
    .click({ modifiers: ["Shift"] });
  await page.getByText("48 selected").waitFor();
  await page.keyboard.press("Escape");
});

test("a history of 1,000 draws a page of versions; what is shown stays in sight, and a next page begins at its top", async () => {
  await page.goto(`${large.historyPath}/history`);
  await page.getByText("1,000 versions").waitFor();
  expect(await nodes()).toBeLessThan(mostNodes);
  expect(await rail().getByRole("listitem").count()).toBe(101);
  const shown = () => rail().locator("[data-shown]");
  await page.goto(`${large.historyPath}/history?to=${large.versions - 90}`);
  await rail().getByRole("link", { name: "Older versions" }).waitFor();
  const isInSight = () =>
    shown().evaluate((row) => {
      const [of, within] = [row.getBoundingClientRect(), row.parentElement?.getBoundingClientRect()];
      return within !== undefined && of.top >= within.top - 1 && of.bottom <= within.bottom + 1;
    });
  // The server draws it, and the script moves it.
  while (!(await isInSight())) await Bun.sleep(50);
  expect(await scrolled()).toBeGreaterThan(0);
  await rail().getByRole("link", { name: "Older versions" }).click();
  await page.waitForURL(/list=900/);
  await rail()
    .getByRole("radio", { name: `From version ${large.versions - 100}` })
    .waitFor();
  expect(await scrolled()).toBe(0);
  expect(new URL(page.url()).searchParams.get("to")).toBe(String(large.versions - 90));
  expect(await nodes()).toBeLessThan(mostNodes);
});

test("stepping past a page of versions turns it, and a version long gone by is found in the list at once", async () => {
  await page.goto(`${large.historyPath}/history?to=${large.versions - 99}`);
  const shown = (versionNumber: number) =>
    rail().locator("[data-shown]").getByText(`v${versionNumber}`, { exact: true }).waitFor();
  await shown(large.versions - 99);
  await page.keyboard.press("[");
  await shown(large.versions - 100);
  await untilScriptRuns(page);
  await page.keyboard.press("]");
  await shown(large.versions - 99);
  await page.goto(`${large.historyPath}/history?to=57`);
  await shown(57);
  await rail().getByRole("link", { name: "Newer versions" }).click();
  await rail().getByRole("radio", { name: "From version 200" }).waitFor();
  await page.getByRole("navigation", { name: "Versions" }).getByRole("link", { name: "Newest" }).click();
  await rail()
    .getByRole("radio", { name: `From version ${large.versions}` })
    .waitFor();
  expect(new URL(page.url()).searchParams.get("to")).toBe("57");
});

test("the picker of an artifact with 1,000 versions lists a page of them, and goes on", async () => {
  await page.goto(large.historyPath);
  await page.locator("summary", { hasText: `v${large.versions}` }).click();
  const rows = page.getByRole("navigation", { name: "Versions" }).getByRole("listitem");
  await page.getByRole("button", { name: "Older versions" }).click();
  while ((await rows.count()) !== 40) await Bun.sleep(50);
  expect(await nodes()).toBeLessThan(mostNodes);
});

test.each(sample(["", "?view=list"], 1, testRandom("large", "view")))(
  "titles as hard as they come fit a screen of 360 px and hide no control%s",
  async (view) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${home}/p/large-11${view}`);
    const shown = await headings();
    for (const title of hardTitles) expect(shown.map((one) => one.trim())).toContain(title.trim());
    expect(await overflow()).toBeLessThanOrEqual(0);
    for (const item of await items().all()) {
      const menu = await item.locator("summary").boundingBox();
      expect(menu?.width).toBeGreaterThan(20);
      expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(360);
    }
  },
);

test("so do the pages of an artifact with such a title", async () => {
  await page.setViewportSize({ width: 360, height: 800 });
  const { slug } = await createProject(owner);
  for (const title of sampleWithFirst(hardTitles, 2, testRandom("large", "titles"))) {
    const { url } = await createArtifact(owner, slug, { type: "md", title, content: "# One" });
    const { pathname } = new URL(url);
    for (const path of [
      pathname,
      `${pathname}/history`,
      `${pathname}/edit`,
      `${pathname}/settings`,
      `/search?q=${slug}`,
    ]) {
      await page.goto(path);
      expect([path, title, await overflow()]).toEqual([path, title, 0]);
    }
  }
});

test("where there is nothing, the page says what to do about it", async () => {
  const empty = await createPerson(site.instance, "team");
  const their = await site.newPage(await signIn(site.instance, empty.userId));
  await their.goto(`/dashboard/${empty.username}`);
  await their.getByRole("heading", { name: "Publish your first artifact" }).waitFor();
  const { slug } = await createProject(empty);
  await their.goto(`/dashboard/${empty.username}/p/${slug}`);
  await their.getByRole("heading", { name: "Publish your first artifact" }).waitFor();
  const { url } = await createArtifact(empty, slug, { type: "md", title: "One", content: "# One" });
  await their.goto(`${new URL(url).pathname}/history`);
  await their.getByText("There's only one version, so there's nothing to compare yet.").waitFor();
});
