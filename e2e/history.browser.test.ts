// The history of an artifact in Chromium, with and without script: long content stays short, hostile content stays
// text, and a restore never overwrites an unseen version. Reviewing an agent's version is a user flow (journeys/).
import { afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";

import { untilScriptRuns } from "./harness/browser.ts";
import { clientOf, createArtifact, fresh } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";
import { sample, takesAll, testRandom } from "./harness/test-seed.ts";

setDefaultTimeout(3 * hung);

const site = testSite();
let agent: ReturnType<typeof clientOf>;

beforeAll(async () => {
  const { token } = await site.owner.client.call("agent.create", {
    name: "Reviewed agent",
    scopes: ["artifacts:read", "artifacts:update"],
  });
  agent = clientOf(site.instance.origin, token);
});
afterEach(() => expect(site.complaints).toEqual([]));

/** The path of an artifact with these versions, the first by its owner and the others by the agent. */
async function publish(contents: readonly string[], type: "md" | "html" = "md"): Promise<string> {
  const [first = "", ...later] = contents;
  const made = await createArtifact(site.owner, site.projectSlug, { type, content: first, title: fresh("Title") });
  for (const [n, content] of later.entries())
    await agent.call("version.create", { artifactId: made.artifactId, content, changelog: `Note ${n + 2}` });
  return new URL(made.url).pathname;
}

const open = (path: string, options: BrowserContextOptions = {}) => site.open(path, site.session, options);

const rail = (page: Page) => page.getByRole("navigation", { name: "Versions" });
const changes = (page: Page) => page.getByRole("table", { name: /Changes between versions/ });

/** Both frames have what the page told them last. */
const untilMarked = async (page: Page) => {
  for (const version of [1, 2])
    await page
      .frameLocator(`iframe[title$='version ${version}']`)
      .locator("html")
      .evaluate(async () => {
        while (CSS.highlights.size === 0) await new Promise(requestAnimationFrame);
      });
};

const first = "# Figures\n\nRevenue was 40.\n\nCosts were 10.\n";
const second = "# Figures\n\nRevenue was 90.\n\nCosts were 10.\n";

test("what was published between looking and restoring is not restored over", async () => {
  const path = await publish([first, second]);
  const page = await open(`${path}/history?from=2&to=1&restore=`);
  const [, owner = "", projectSlug = "", slug = ""] = path.split("/");
  const { artifactId } = await agent.call("artifact.getByPath", { owner, projectSlug, slug });
  await agent.call("version.create", { artifactId, content: "# Newer\n" });
  site.forgive(/./);
  await page.getByRole("button", { name: "Restore as v3" }).click();
  // The form's answer is a 409, which the browser logs.
  await page.getByRole("alert").getByText("Someone published version 3 while you were viewing.").waitFor();
  site.forgive(/409/);
  expect((await agent.call("artifact.get", { artifactId })).latestVersion).toBe(3);
  expect(await page.getByRole("link", { name: "View changes compared with version 3" }).getAttribute("href")).toBe(
    "?from=3&to=1&restore=",
  );
});

for (const javaScriptEnabled of [true, false])
  test(`${javaScriptEnabled ? "with" : "without"} script a version is named, renamed, found by its name and unnamed`, async () => {
    const path = await publish([first, second, `${second}\nA third.\n`]);
    const page = await open(`${path}/history?to=2`, { javaScriptEnabled });
    const hostile = "<img src=x onerror=alert(1)>";
    await page.getByText("Name v2", { exact: true }).click();
    await page.getByRole("textbox", { name: "Name of version 2" }).fill(hostile);
    await page.getByRole("button", { name: "Save" }).click();
    await rail(page).getByRole("link", { name: hostile }).waitFor();
    if (javaScriptEnabled) await untilScriptRuns(page);
    await page.getByRole("checkbox", { name: "Only named" }).check();
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/named=1/);
    expect(await rail(page).getByRole("link", { name: /^v\d/ }).count()).toBe(1);
    await page.getByRole("radio", { name: `To version 2, ${hostile}` }).waitFor();
    await page.goto(`${path}?v=2`);
    expect(await page.locator('[data-part="author"]').getByText(hostile).count()).toBe(1);
    await page.goto(`${path}/history?to=2`);
    await page.getByText("Rename v2", { exact: true }).click();
    await page.getByRole("textbox", { name: "Name of version 2" }).fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Name v2", { exact: true }).waitFor();
    expect(await rail(page).getByText(hostile).count()).toBe(0);
  });

test("without script the versions are links, the unified diff is read, and restoring works", async () => {
  const path = await publish([first, second, `${second}\nA third.\n`]);
  const page = await open(`${path}/history`, { javaScriptEnabled: false });
  await rail(page)
    .getByRole("link", { name: /Note 2/ })
    .click();
  await page.waitForURL("**/history?to=2");
  expect(await changes(page).getByRole("row").allTextContents()).toContain("Revenue was 90.");
  await page.getByRole("radio", { name: "From version 1" }).check();
  await page.getByRole("radio", { name: "To version 3" }).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.waitForURL("**/history?to=3&from=1");
  await page.getByRole("radio", { name: "To version 2" }).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.waitForURL("**/history?to=2&from=1");
  await page
    .getByRole("combobox", { name: "Author" })
    .selectOption({ label: `agent Reviewed agent, for ${site.owner.username}` });
  await page.getByRole("button", { name: "Filter" }).click();
  await page.waitForURL(/by=agt_/);
  expect(await rail(page).getByRole("link", { name: /^v\d/ }).count()).toBe(2);
  await page.goBack();
  await page.getByRole("link", { name: "Screenshot" }).click();
  await page.waitForURL(/tab=screenshot/);
  expect(await page.getByRole("img", { name: /^Version/ }).count()).toBe(2);
  await page.getByRole("link", { name: "Rendered" }).click();
  await page.frameLocator("iframe[title$='version 2']").getByText("Revenue was 90.").waitFor();
  await page.getByRole("link", { name: "Source" }).click();
  await page.getByRole("link", { name: ".diff" }).click();
  await page.waitForURL("**/history/diff?**");
  expect(await page.textContent("body")).toContain("+Revenue was 90.");
  await page.goto(`${path}/history?to=2`);
  await page.getByRole("link", { name: "Restore v2…" }).click();
  await page.getByRole("button", { name: "Restore as v4" }).click();
  await page.getByText("Restored version 2 as version 4.").waitFor();
});

test("without script the versions of an author are found beyond a page of the list", async () => {
  const path = await publish(Array.from({ length: 102 }, (_, n) => `Text ${n}`));
  const page = await open(`${path}/history`, { javaScriptEnabled: false });
  const versions = rail(page).getByRole("link", { name: /^v\d/ });
  expect(await versions.count()).toBeLessThan(102);
  const authors = page.getByRole("combobox", { name: "Author" });
  const [first = ""] = (await authors.locator("option").allTextContents()).filter(
    (words) => words !== "All authors" && !words.includes("Reviewed agent"),
  );
  await authors.selectOption({ label: first });
  await page.getByRole("button", { name: "Filter" }).click();
  await page.waitForURL(/by=/);
  expect(await versions.allTextContents()).toEqual([expect.stringContaining("v1")]);
  await authors.selectOption({ label: `agent Reviewed agent, for ${site.owner.username}` });
  await page.getByRole("button", { name: "Filter" }).click();
  await page.waitForURL(/by=agt_/);
  await rail(page).getByRole("link", { name: "Older versions" }).click();
  await page.waitForURL(/list=2&by=agt_/);
  expect(await versions.allTextContents()).toEqual([expect.stringContaining("v2")]);
});

/** Fewer than the ten thousand of a whole run (`TEST_SAMPLES=all`), and still ten times as many as are drawn. */
const lines = takesAll ? 10_000 : 3_000;
const numbered = (words: string) => Array.from({ length: lines }, (_, n) => `${words} ${n}\n`).join("");

test("two documents of thousands of lines that differ everywhere: all of it is reached, and little of it is drawn", async () => {
  const path = await publish([numbered("before"), numbered("after")]);
  // Before a page asks for one part of the comparison after the other, which others may wait for until they are refused.
  const bare = await open(`${path}/history?to=2`, { javaScriptEnabled: false });
  expect(await bare.locator("table tr").count()).toBeLessThan(400);
  await bare.getByText(`This is the start of ${(2 * lines).toLocaleString("en")} changed lines`).waitFor();
  for (const layout of sample(["unified", "split"], 1, testRandom("history", "layout"))) {
    const page = await open(`${path}/history?to=2&layout=${layout}`);
    const drawn = () => page.locator("table tr").count();
    const last = page
      .getByRole("table")
      .last()
      .getByText(`after ${lines - 1}`, { exact: true });
    // To the end, and on while more comes.
    await page.waitForFunction(
      (last) => {
        scrollTo(0, document.documentElement.scrollHeight);
        return [...document.querySelectorAll("td")].some(({ textContent }) => textContent === last);
      },
      `after ${lines - 1}`,
      // Between looks the page fetches and draws; each look lays it out again.
      { polling: 100 },
    );
    await last.waitFor();
    expect(await drawn()).toBeLessThan(600);
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByText("before 0", { exact: true }).first().waitFor();
    expect(await drawn()).toBeLessThan(600);
  }
});

test("a comparison of more than a megabyte is loaded by its page; without script its page says where to read it", async () => {
  const long = (words: string) => `${words} ${"x".repeat(100)}\n`.repeat(6_000);
  const path = await publish([long("before"), long("after")]);
  const page = await open(`${path}/history?to=2`);
  await changes(page).getByText("before x").first().waitFor();
  await page.getByText("6,000 lines added").first().waitFor({ state: "attached" });
  expect(await page.locator("table tr").count()).toBeLessThan(600);
  const bare = await open(`${path}/history?to=2`, { javaScriptEnabled: false });
  await bare.getByText("This comparison is long. Download the .diff to read it.").waitFor();
  expect(await bare.locator("table tr").count()).toBe(0);
});

test("what lies folded between two changes is shown on a press", async () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n + 1}`);
  const path = await publish([lines.join("\n"), lines.with(9, "ten").with(89, "ninety").join("\n")]);
  const page = await open(`${path}/history`);
  expect(await changes(page).getByText("line 50", { exact: true }).count()).toBe(0);
  await untilScriptRuns(page);
  await page.getByRole("button", { name: "Show 20 more lines" }).first().click();
  await changes(page).getByText("line 70", { exact: true }).waitFor();
  expect(await changes(page).getByText("line 50", { exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Show all 53" }).click();
  await changes(page).getByText("line 50", { exact: true }).waitFor();
});

test("hostile contents, notes and names stay text, and what hides is shown", async () => {
  const hostile = '</td></table><script>document.title="out"</script><img src=x onerror=alert(1)>';
  const path = await publish(
    [`a\n${hostile} before\n`, `a\n${hostile} after \u202egpj.exe\u0007\n${"x".repeat(50_000)}\n`],
    "html",
  );
  const page = await open(`${path}/history`);
  await changes(page).getByText("U+202E").waitFor();
  await changes(page).getByText("U+0007").waitFor();
  await changes(page).getByText("48,000 more characters").waitFor();
  expect(await page.title()).toContain("Version history");
  expect(await page.locator("table img, table script").count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test("rendered side by side, one frame follows the other until it is told not to", async () => {
  const long = (words: string) => Array.from({ length: 120 }, (_, n) => `${words} ${n}\n`).join("\n");
  const path = await publish([long("Before"), long("After")]);
  const page = await open(`${path}/history?tab=rendered`);
  const placeOf = (version: number) =>
    page
      .frameLocator(`iframe[title$='version ${version}']`)
      .locator("html")
      .evaluate(() => Math.round(scrollY));
  const scroll = (version: number, top: number) =>
    page
      .frameLocator(`iframe[title$='version ${version}']`)
      .locator("html")
      .evaluate((_, to) => scrollTo(0, to), top);
  const follows = async (version: number, isThere: (place: number) => boolean) => {
    const until = Date.now() + hung;
    for (let place = await placeOf(version); ; place = await placeOf(version)) {
      if (isThere(place)) return place;
      if (Date.now() > until) throw new Error(`version ${version} stayed at ${place}`);
      await page.waitForTimeout(50);
    }
  };
  await page.frameLocator("iframe[title$='version 2']").getByText("After 119").waitFor();
  // Waits until the frame knows that it is followed.
  for (let tries = 0; (await placeOf(2)) === 0; tries++) {
    await scroll(1, 900 + (tries % 100));
    await page.waitForTimeout(100);
  }
  let left = await follows(2, (place) => place > 500);
  // Waits until it stops, because the last scroll may not have been applied.
  for (let before = -1; before !== left; left = await placeOf(2)) {
    before = left;
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  }
  await page.getByRole("checkbox", { name: "Scroll together" }).uncheck();
  await scroll(1, 0);
  await page.waitForTimeout(500);
  expect(await placeOf(2)).toBe(left);
});

test("changed words of a rendered document are marked in both versions, by role and by count", async () => {
  const path = await publish([first, `${second}\nA whole new line.\n`]);
  const page = await open(`${path}/history?tab=rendered`);
  await page.getByRole("status").getByText("1 removed").waitFor();
  await page.getByRole("status").getByText("2 added").waitFor();
  const marked = (version: number, kind: string) =>
    page
      .frameLocator(`iframe[title$='version ${version}']`)
      .locator("html")
      .evaluate((_, name) => {
        const ranges = [...(CSS.highlights.get(name) ?? [])];
        return ranges.map(({ startContainer, startOffset, endOffset }) =>
          (startContainer.textContent ?? "").slice(startOffset, endOffset),
        );
      }, kind);
  await untilMarked(page);
  expect(await marked(1, "plinth-removed")).toEqual(["40"]);
  expect(await marked(2, "plinth-added")).toEqual(["90", "A whole new line."]);
});

test("prose wraps where code scrolls, both sides keep their rows level, and the reader can switch it off", async () => {
  const long = (end: string) => `${"A long sentence that says the same again. ".repeat(12)}${end}\n`;
  const path = await publish([long("Forty."), long("Ninety.")]);
  const page = await open(`${path}/history?to=2`);
  const fits = () =>
    page
      .locator("table")
      .last()
      .evaluate((table) => table.scrollWidth <= (table.parentElement?.clientWidth ?? 0));
  await changes(page).getByText("Ninety").waitFor();
  expect(await fits()).toBe(true);
  await page.getByRole("checkbox", { name: "Wrap" }).uncheck();
  expect(await fits()).toBe(false);
  await page.goto(`${path}/history?to=2&layout=split`);
  const rows = page.getByRole("table", { name: "Versions 1 and 2" }).getByRole("row");
  await rows.getByText("Ninety").waitFor();
  expect(await rows.filter({ hasText: "Ninety" }).innerText()).toContain("Forty");
});

test("a link in a compared version is asked about as on the artifact's page, and one to a document here is followed", async () => {
  const sibling = new URL((await createArtifact(site.owner, site.projectSlug, { type: "md", content: first })).url)
    .pathname;
  const links = `<a href="https://elsewhere.example/report?of=${"x".repeat(40)}">Out</a> <a href="${sibling.split("/").at(-1)}">Beside</a>`;
  const path = await publish([`${links}<p>One`, `${links}<p>Two`], "html");
  const page = await open(`${path}/history?tab=rendered`);
  await page.context().route("https://elsewhere.example/**", (route) => route.fulfill({ body: "there" }));
  const frame = page.frameLocator("iframe[title$='version 1']");
  await frame.getByText("Out").click();
  const card = page.getByRole("complementary", { name: "Request by this document" });
  await card.getByText("Open elsewhere.example?").waitFor();
  const [popup] = await Promise.all([page.waitForEvent("popup"), card.locator("a[href]").click()]);
  await popup.getByText("there").waitFor();
  await card.getByText("Open elsewhere.example?").waitFor({ state: "hidden" });
  await frame.getByText("Beside").click();
  await page.waitForURL((url) => url.pathname === sibling);
});

test("one version, equal texts and deleted versions: each has a message", async () => {
  const one = await open(`${await publish([first])}/history`);
  await one.getByText("There's only one version, so there's nothing to compare yet.").waitFor();
  const path = await publish([first, second, first]);
  const same = await open(`${path}/history?from=1&to=3`);
  await same.getByText("No changes in the text.").waitFor();
  const none = await open(`${path}/history?tab=screenshot`);
  await none.getByText(/No screenshots of these versions|Taking the screenshot/).waitFor();
  const beyond = await (await site.browser.newContext()).request.get(`${site.instance.origin}${path}/history?to=9`);
  expect(beyond.status()).toBe(404);
});
