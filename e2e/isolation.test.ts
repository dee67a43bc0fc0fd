// A document of any type cannot read anything of the instance, reach another server, or navigate a page other than its
// own frame.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import {
  attemptNames,
  hostileDocument,
  leavingDocuments,
  startCollector,
  type Collector,
} from "./harness/escape-attempts.ts";
import { hung } from "./harness/process.ts";
import { openSharedSiteAlone } from "./harness/site.ts";
import { sample, testRandom } from "./harness/test-seed.ts";
import { testSite } from "./harness/test-site.ts";
import { createArtifact } from "./harness/people.ts";

setDefaultTimeout(2 * hung);

const site = testSite(() => openSharedSiteAlone());
let collector: Collector;
beforeAll(() => {
  collector = startCollector();
});
afterAll(() => collector.stop());

/** Opens the page of a new artifact as a visitor with a cookie and storage of this origin. */
async function open(type: "md" | "html" | "jsx", content: string): Promise<{ page: Page; url: string }> {
  const { url } = await createArtifact(site.owner, site.projectSlug, { type, content });
  const page = await site.newPage("session=to-be-kept", { isFresh: true });
  await page.addInitScript(() => {
    if (window === window.top)
      for (const storage of [localStorage, sessionStorage]) storage.setItem("kept", "the app's");
  });
  await page.goto(url, { waitUntil: "load", timeout: hung });
  return { page, url };
}

/** What the app's origin stores in the visitor's browser. */
const keptBy = (page: Page): Promise<unknown> =>
  page.evaluate("[document.cookie, localStorage.getItem('kept'), sessionStorage.getItem('kept')]");

async function frameOf(page: Page) {
  const element = await page.waitForSelector("iframe[src*='/_content/']", { state: "attached", timeout: hung });
  const tokens = await element.getAttribute("sandbox");
  const frame = await element.contentFrame();
  if (frame === null) throw new Error("the element holds no frame");
  return {
    frame,
    tokens: new Set(tokens?.split(" ")),
    allow: await element.getAttribute("allow"),
    referrer: await element.getAttribute("referrerpolicy"),
  };
}

const tokensOf = {
  html: ["allow-scripts", "allow-forms", "allow-modals", "allow-pointer-lock"],
  jsx: ["allow-scripts", "allow-forms", "allow-modals", "allow-pointer-lock"],
  md: ["allow-scripts"],
} as const;

for (const type of ["html", "jsx"] as const) {
  test(`${type}: every attempt is refused and nothing leaves`, async () => {
    const { page, url } = await open(type, hostileDocument(type, collector.origin, site.instance.origin));
    const { frame, tokens, allow, referrer } = await frameOf(page);
    expect([...tokens].toSorted()).toEqual([...tokensOf[type]].toSorted());
    expect([allow, referrer]).toEqual(["fullscreen *; gamepad *", "no-referrer"]);
    await frame.locator("#outcome", { hasText: "}" }).waitFor({ state: "attached", timeout: hung });
    const outcome = JSON.parse((await frame.locator("#outcome").textContent()) ?? "") as Record<string, string>;
    expect(outcome).toEqual(Object.fromEntries(attemptNames(type).map((name) => [name, "refused"])));
    await page.waitForTimeout(500);
    expect(page.url()).toBe(url);
    expect(await keptBy(page)).toEqual(["session=to-be-kept", "the app's", "the app's"]);
    expect(collector.received).toEqual([]);
    await page.context().close();
  });
}

test("md: nothing in it runs or loads", async () => {
  const { page, url } = await open("md", hostileDocument("md", collector.origin, site.instance.origin));
  const { frame, tokens } = await frameOf(page);
  expect([...tokens].toSorted()).toEqual([...tokensOf.md].toSorted());
  await frame.getByText("The end of it.").waitFor({ timeout: hung });
  const link = frame.getByText("link", { exact: true }).first();
  if ((await link.count()) > 0) expect((await link.getAttribute("href")) ?? "").not.toStartWith("javascript:");
  await page.waitForTimeout(500);
  expect(page.url()).toBe(url);
  expect(collector.received).toEqual([]);
  await page.context().close();
});

// One by the seed of the run; isolation/cases.ts has them for each engine.
for (const way of sample(Object.keys(leavingDocuments("")), 1, testRandom("isolation", "leaving"))) {
  test(`a document cannot send its own frame elsewhere by ${way}`, async () => {
    const { page, url } = await open("html", leavingDocuments(collector.origin)[way] ?? "");
    await page.waitForTimeout(1_000);
    expect(page.url()).toBe(url);
    expect(collector.received).toEqual([]);
    await page.context().close();
  });
}
