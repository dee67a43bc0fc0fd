// The five main pages as a screen reader and a keyboard have them: landmarks, the order of headings, a name for each control,
// the order of the focus, and where it is after a dialog.
import { afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { untilScriptRuns } from "./harness/browser.ts";
import { hasFocus, pressOn, tabTo } from "./harness/keyboard.ts";
import { createArtifact, createPerson, createProject, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(3 * hung);

const site = testSite();
let session: string;
let paths: Record<string, string>;

beforeAll(async () => {
  const person = await createPerson(site.instance);
  const { slug } = await createProject(person);
  const { artifactId, url } = await createArtifact(person, slug, { title: "Quarterly numbers" });
  await person.client.call("version.create", { artifactId, content: "# Second\n" });
  session = await signIn(site.instance, person.userId);
  const artifact = new URL(url).pathname;
  paths = {
    landing: "/",
    dashboard: `/dashboard/${person.username}`,
    artifact,
    history: `${artifact}/history`,
    settings: `${artifact}/settings/access`,
  };
});
afterEach(() => expect(site.complaints).toEqual([]));

interface Node {
  role: string;
  name: string;
  level: number;
}

/** The page's accessibility tree in reading order, as Chromium gives it to a screen reader. */
async function treeOf(page: Page): Promise<Node[]> {
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send("Accessibility.getFullAXTree");
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const found: Node[] = [];
  const walk = (id: string): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    const level = node.properties?.find(({ name }) => name === "level")?.value.value;
    if (!node.ignored)
      found.push({ role: String(node.role?.value), name: String(node.name?.value ?? ""), level: Number(level ?? 0) });
    for (const child of node.childIds ?? []) walk(child);
  };
  walk(nodes[0]?.nodeId ?? "");
  return found;
}

const landmarkRoles = ["banner", "main", "navigation", "search", "contentinfo", "complementary"];
const controlRoles = ["link", "button", "textbox", "searchbox", "combobox", "checkbox", "radio", "DisclosureTriangle"];

const landmarks: Record<string, readonly string[]> = {
  landing: ["banner", "navigation Plinth", "main", "contentinfo"],
  dashboard: [
    "banner",
    "navigation Plinth",
    "main",
    "navigation Projects",
    "navigation Settings",
    "search Artifacts",
    "contentinfo",
  ],
  artifact: ["banner", "navigation View", "main"],
  history: ["banner", "navigation Plinth", "main", "navigation Versions", "navigation Compare by", "contentinfo"],
  settings: ["banner", "navigation Plinth", "main", "navigation Settings of this artifact", "contentinfo"],
};

test.each(Object.keys(landmarks))(
  "%s has its landmarks, headings in order, and a name for each control",
  async (name) => {
    const page = await site.open(paths[name] ?? "", session);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const tree = await treeOf(page);
    const found = tree
      .filter(({ role }) => landmarkRoles.includes(role))
      .map(({ role, name }) => `${role} ${name}`.trim());
    expect(found.filter((landmark) => landmarks[name]?.includes(landmark))).toEqual([...(landmarks[name] ?? [])]);
    // None twice of one name: a list of landmarks would not tell them apart.
    expect(found).toEqual([...new Set(found)]);

    // A document has its own headings, in its frame.
    const levels = await page
      .locator("h1, h2, h3, h4, h5, h6")
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => Number(one.localName.slice(1))));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels[0]).toBe(1);
    expect(levels.filter((level, n) => level > (levels[n - 1] ?? 1) + 1)).toEqual([]);

    expect(tree.filter(({ role, name }) => controlRoles.includes(role) && name.trim() === "")).toEqual([]);
  },
);

/** What Tab comes to, from the top of the page: "link Plinth". */
async function stops(page: Page, count: number): Promise<string[]> {
  const found: string[] = [];
  for (let n = 0; n < count; n++) {
    await page.keyboard.press("Tab");
    found.push(
      await page.evaluate(() => {
        const at = document.activeElement;
        const words = at?.getAttribute("aria-label") ?? (at as HTMLInputElement | null)?.labels?.[0]?.textContent;
        return (words ?? at?.textContent ?? "").trim().replaceAll(/\s+/g, " ");
      }),
    );
  }
  return found;
}

test.each(["landing", "dashboard", "history", "settings"])(
  "%s: Tab comes to Skip to content first, then logo and search, and Skip leads past them",
  async (name) => {
    const page = await site.open(paths[name] ?? "", session);
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (name !== "landing") await untilScriptRuns(page);
    const [skip, logo, search, dashboard] = await stops(page, 4);
    expect([skip, logo, dashboard]).toEqual(["Skip to content", "Plinth", "Dashboard"]);
    expect(search).toStartWith("Search");
    await page.goto(page.url());
    if (name !== "landing") await untilScriptRuns(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**#main");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
  },
);

test("artifact: Tab goes along the bar, and into the document at its end", async () => {
  const page = await site.open(paths["artifact"] ?? "", session);
  await page.waitForFunction(() => document.readyState === "complete");
  const visited = await stops(page, 12);
  const wanted = ["Plinth", "v2, version 2 of 2", "Source", "Copy link", "Edit", "Share", "Search", "More"];
  expect(visited.filter((stop) => wanted.includes(stop))).toEqual(wanted);
});

test("the focus returns to what opened a dialog, and to a menu's button", async () => {
  const page = await site.open(paths["artifact"] ?? "", session);
  await page.waitForFunction(() => document.readyState === "complete");
  const share = page.getByRole("link", { name: "Share", exact: true });
  await pressOn(page, share);
  const popover = page.getByRole("dialog", { name: /^Share/ });
  await popover.getByRole("button", { name: "Create link" }).waitFor();
  // A modal dialog has the focus in it, and nothing behind it is read.
  expect(await popover.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  expect((await treeOf(page)).some(({ role, name }) => role === "navigation" && name === "View")).toBe(false);
  await page.keyboard.press("Escape");
  await popover.waitFor({ state: "hidden" });
  expect(await hasFocus(share)).toBe(true);

  const versions = page.getByLabel("version 2 of 2");
  await tabTo(page, versions, { back: true });
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Version history" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  expect(await hasFocus(versions)).toBe(true);

  // Also where the list arrives while the focus is in what stood for it.
  const arriving = Promise.withResolvers<void>();
  await page.route("**/versions?*", async (route) => {
    await arriving.promise;
    await route.continue();
  });
  await page.keyboard.press("Enter");
  const current = page.getByRole("link", { name: /^v2\b/ });
  await tabTo(page, current);
  const answered = page.waitForResponse("**/versions?*");
  arriving.resolve();
  await answered;
  await page.getByRole("link", { name: /^v2 .*ago|^v2 .*now/ }).waitFor();
  expect(await hasFocus(current)).toBe(true);
  await page.keyboard.press("Escape");
  expect(await hasFocus(versions)).toBe(true);

  await page.goto(paths["dashboard"] ?? "");
  await untilScriptRuns(page);
  const more = page.getByLabel("More actions for Quarterly numbers");
  await pressOn(page, more);
  await pressOn(page, page.getByRole("button", { name: "Move or rename URL" }));
  const dialog = page.getByRole("dialog", { name: "Move or rename URL" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await hasFocus(more)).toBe(true);

  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.waitFor();
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "hidden" });
  expect(await hasFocus(more)).toBe(true);
});
