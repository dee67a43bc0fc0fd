// The search over everything and the keyboard shortcuts of a page, in Chromium; and a page's metadata for programs. No
// page can log an error, policy violations included.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { untilFound } from "./harness/found.ts";
import { createArtifact } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(3 * hung);

const site = testSite();

afterEach(() => expect(site.complaints).toEqual([]));

const publish = async (title: string, more: { access?: { publicView: boolean; publicEdit: boolean } } = {}) => {
  const made = await createArtifact(site.owner, site.projectSlug, { title, content: `# ${title}\n`, ...more });
  return { ...made, path: new URL(made.url).pathname };
};

const search = (page: Page) => page.getByRole("dialog", { name: "Search" });

test("a stranger finds what is public, and nothing of what is not", async () => {
  const word = `w${crypto.randomUUID().slice(0, 8)}`;
  await publish(`Hidden ${word}`, { access: { publicView: false, publicEdit: false } });
  const shown = await publish(`<b>Shown</b> ${word}`);
  // Both: that one is not found says nothing before its words are there.
  await untilFound(site.owner, word, 2);
  const page = await site.open("/");
  await page.keyboard.press("Control+k");
  await search(page).getByRole("combobox").fill(word);
  const found = search(page).getByRole("option", { name: new RegExp(`Shown.*${word}`) });
  await found.waitFor();
  expect(await found.textContent()).toContain("<b>Shown</b>");
  expect(
    await search(page)
      .getByRole("option", { name: /Hidden/ })
      .count(),
  ).toBe(0);
  await found.click();
  await page.waitForURL(`**${shown.path}`);
});

test("results quote the text with the words marked, and a date in words narrows them", async () => {
  const word = `w${crypto.randomUUID().slice(0, 8)}`;
  await createArtifact(site.owner, site.projectSlug, {
    title: "Tides",
    content: `# Tides\n\nLow <b>water</b> is at ${word} on *Monday*.`,
  });
  await untilFound(site.owner, word);
  const page = await site.open("/", site.session);
  await page.keyboard.press("Control+k");
  const field = search(page).getByRole("combobox");
  await field.fill(word);
  const found = search(page).getByRole("option", { name: /Tides/ });
  await found.locator("mark").waitFor();
  expect(await found.locator("mark").allTextContents()).toEqual([word]);
  await field.fill(`today ${word}`);
  await search(page).getByText("updated today").waitFor();
  await found.waitFor();
  await field.fill(`last year ${word}`);
  await search(page).getByText("0 results · updated last year").waitFor();
  expect(await found.count()).toBe(0);

  await page.goto(`/search?q=${word}`);
  const results = page.getByRole("list", { name: "Results" });
  expect(await results.locator("mark").allTextContents()).toEqual([word]);
  expect(await results.innerText()).toContain("Low <b>water</b> is at");
  await page.goto(`/search?q=last+year+${word}`);
  await page.getByText("No results").waitFor();
  await page.goto(`/search?q=today+${word}&sort=newest`);
  await results.getByRole("link", { name: "Tides" }).waitFor();
});

test("keys: a sheet of them, from version to version, and none in a field or where they are off", async () => {
  const { artifactId, path } = await publish("Keyed");
  for (const text of ["two", "three"])
    await site.owner.client.call("version.create", { artifactId, content: `# ${text}\n` });
  const page = await site.open(path, site.session);
  await page.keyboard.press("[");
  await page.waitForURL(`**${path}?v=2`);
  await page.getByText("You're viewing version 2.").waitFor();
  await page.keyboard.press("]");
  await page.waitForURL(`**${path}`);
  await page.getByRole("img", { name: "Live" }).waitFor({ state: "attached" });
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.getByText("Previous version").waitFor();
  expect(await keys.getByText("Next version").count()).toBe(0);
  await keys.getByText("While the document has focus, it receives your keys").waitFor();
  expect(await keys.getByText("Edit", { exact: true }).count()).toBe(1);
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "hidden" });
  await page.keyboard.press("h");
  await page.waitForURL(`**${path}/history?to=3`);
  await page.getByRole("link", { name: "View artifact" }).waitFor();
  await page.keyboard.press("[");
  await page.waitForURL(`**${path}/history?to=2`);
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await page.waitForURL("**/settings/keys");

  await page.getByLabel("Name").focus();
  await page.keyboard.type("gs?");
  expect(await page.getByLabel("Name").inputValue()).toBe("gs?");
  expect(await keys.count()).toBe(0);

  await page.goto("/settings/appearance");
  const box = page.getByRole("checkbox", { name: /Single-key shortcuts/ });
  await page
    .getByRole("radio", { name: /^System/ })
    .and(page.locator(":checked"))
    .waitFor();
  await box.uncheck();
  await page.goto("/");
  await page.keyboard.press("?");
  // The search keeps its key, and comes after the other would have.
  await page.keyboard.press("Control+k");
  await search(page).waitFor();
  expect(await keys.count()).toBe(0);
});

test("keys pressed before the script runs are handled in turn, and typed text stays", async () => {
  const held = async (path: string) => {
    const page = await site.open(path, site.session);
    const address = (await page.locator("[data-keys]").getAttribute("data-keys")) ?? "";
    const script = Promise.withResolvers<void>();
    await page.route(`**${address}`, async (route) => {
      await script.promise;
      await route.continue();
    });
    return { page, release: script.resolve };
  };
  const keyed = await held(`/dashboard/${site.owner.username}`);
  for (const key of ["g", "k"]) await keyed.page.keyboard.press(key);
  keyed.release();
  await keyed.page.waitForURL("**/settings/keys");

  // This page's search field has no shortcut.
  const { page, release } = await held("/search");
  const field = page.getByRole("searchbox");
  await page.keyboard.press("/");
  await field.focus();
  await page.keyboard.type("key");
  // Answered after the other.
  await page.keyboard.press("Control+k");
  release();
  await search(page).waitFor();
  const written = await field.evaluate((at: HTMLInputElement) => [at.value, at.selectionStart, at.selectionEnd]);
  expect(written).toEqual(["key", 3, 3]);
});

test("a theme is chosen for this browser and holds on the next page", async () => {
  const page = await site.open("/settings/appearance", site.session);
  await page.getByRole("radio", { name: /^Dark/ }).check();
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  await page.goto("/");
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
});

test("without script the search is a page, and the landing page is whole", async () => {
  const word = `w${crypto.randomUUID().slice(0, 8)}`;
  const shown = await publish(`Plain ${word}`);
  await untilFound(site.owner, word);
  const page = await site.open("/", undefined, { javaScriptEnabled: false });
  const sheet = page.frameLocator('iframe[name="welcome"]');
  await sheet.getByRole("heading", { name: "Latency, third quarter" }).waitFor();
  await page.getByRole("link", { name: /version 1 of the example/ }).click();
  await sheet.getByText("To do: a chart of the weeks").waitFor();
  await page.getByRole("radio", { name: "REST" }).check();
  await page.getByText(`curl ${site.instance.origin}/api/artifacts`).waitFor();
  await page.getByRole("link", { name: "Search" }).click();
  await page.getByRole("searchbox").fill(word);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: `Plain ${word}` }).click();
  await page.waitForURL(`**${shown.path}`);
});

test("the example on the landing page runs", async () => {
  const page = await site.open("/");
  const sheet = page.frameLocator('iframe[name="welcome"]');
  await sheet.getByRole("radio", { name: "p99" }).check({ force: true });
  await sheet.getByText("did not move").waitFor();
});

test("a page with an action says how a program does the same, with any title", async () => {
  const { artifactId, path } = await publish("it's $(whoami)");
  const page = await site.open(`${path}/settings`, site.session);
  const first = page.locator("details", { hasText: "Copy as CLI, curl or MCP" }).first();
  await first.locator("summary").click();
  await first
    .getByText(`plinth artifact patch --artifact-id ${artifactId} --title 'it'\\''s $(whoami)' --description none`)
    .waitFor();
  expect(await first.innerText()).not.toMatch(/pl[ka]_[0-9A-Za-z]{8}/);
});

test("a project's page shows screenshots, or a list, and has an image for link previews", async () => {
  await publish("Pictured");
  const page = await site.open(`/${site.owner.username}/${site.projectSlug}`);
  await page.getByRole("list", { name: "Artifacts in A project" }).getByRole("link", { name: "Pictured" }).waitFor();
  expect(await page.locator('meta[property="og:image"]').getAttribute("content")).toContain("/thumbnail");
  await page.getByRole("link", { name: "List" }).click();
  await page.getByRole("table", { name: "Artifacts in A project" }).waitFor();
  expect(await page.locator('link[rel="canonical"]').getAttribute("href")).not.toContain("view=");
});
