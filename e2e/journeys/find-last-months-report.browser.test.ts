// A user flow: last month's report is found and opened, by the dashboard and by the search over everything.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { until } from "../harness/events.ts";
import { untilFound } from "../harness/found.ts";
import { hasFocus, pressOn, tabTo } from "../harness/keyboard.ts";
import { clientOf, createArtifact, createPerson, createProject, signIn } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { testSite } from "../harness/test-site.ts";

setDefaultTimeout(3 * hung);

const site = testSite();

afterEach(() => expect(site.complaints).toEqual([]));

/** Creates a person with two reports and other artifacts; returns the path of the wanted one. */
async function somebody() {
  const person = await createPerson(site.instance);
  const { slug } = await createProject(person);
  const publish = (title: string, type: "md" | "html" = "md") =>
    createArtifact(person, slug, {
      title,
      type,
      content: type === "md" ? `# ${title}\n` : `<h1>${title}</h1>`,
      access: { publicView: false, publicEdit: false },
    });
  const report = await publish("Report of October");
  await publish("Report of September");
  await publish("Sketch of October", "html");
  await untilFound(person, "october", 2);
  return { person, path: new URL(report.url).pathname, session: await signIn(site.instance, person.userId) };
}

const artifacts = (page: Page) => page.getByRole("list", { name: "Artifacts" });
const search = (page: Page) => page.getByRole("dialog", { name: "Search" });
const opened = (page: Page) => page.getByRole("heading", { level: 1, name: "Report of October" }).waitFor();

test("by role and label", async () => {
  const { person, path, session } = await somebody();
  const page = await site.open("/settings", session);
  await page.getByRole("navigation", { name: "Plinth" }).getByRole("link", { name: "Dashboard" }).click();
  await page.getByRole("searchbox", { name: `Search ${person.username}` }).fill("october");
  await artifacts(page).getByRole("link", { name: "Report of September" }).waitFor({ state: "hidden" });
  await page.getByLabel("Type").selectOption("md");
  await artifacts(page).getByRole("link", { name: "Sketch of October" }).waitFor({ state: "hidden" });
  await page.getByLabel("Visibility").selectOption("Private");
  await page.getByLabel("Order").selectOption("Title");
  await page.waitForURL("**?q=october&type=md&visibility=private&sort=title");
  await artifacts(page).getByRole("link", { name: "Report of October" }).click();
  await page.waitForURL(`**${path}`);
  await opened(page);

  // And from any page by the search over everything.
  await page.goto("/settings");
  await page.getByRole("link", { name: "Search" }).click();
  await search(page).getByRole("combobox", { name: "Search" }).fill("report oct");
  await search(page)
    .getByRole("option", { name: /Report of October/ })
    .click();
  await page.waitForURL(`**${path}`);
  await opened(page);
});

/** Chromium without a window names itself as a program, whose visits are not listed as recent. */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";

test("by keyboard alone, and it is the first the next time", async () => {
  const { path, session } = await somebody();
  const page = await site.open("/settings", session, { userAgent });
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(new URL(request.url()).pathname));
  const keys = page.getByRole("link", { name: "API keys" }).first();
  await tabTo(page, keys);
  await page.keyboard.press("Control+k");
  await search(page).waitFor();
  expect(scripts.filter((script) => script.includes("/workers/"))).toHaveLength(2);
  await search(page).getByRole("option", { name: "Dashboard" }).waitFor();
  await page.keyboard.press("Escape");
  await search(page).waitFor({ state: "hidden" });
  // The focus is back where it was.
  expect(await hasFocus(keys)).toBe(true);

  await pressOn(page, page.getByRole("link", { name: "Search" }));
  const field = search(page).getByRole("combobox", { name: "Search" });
  await field.waitFor();
  await page.keyboard.type("report oct");
  const option = search(page).getByRole("option", { name: /Report of October/ });
  await option.waitFor();
  await search(page).getByRole("status").getByText("1 result", { exact: true }).waitFor();
  expect(await option.getAttribute("aria-selected")).toBe("true");
  expect(await field.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${path}`);
  await opened(page);

  const client = clientOf(site.instance.origin, session);
  await until(async () => (await client.call("recent.list", {})).artifacts.length === 1);
  await page.goto("/settings");
  await page.keyboard.press("Control+k");
  // The search opens with its commands; what was opened comes above them.
  await search(page).getByRole("option", { name: "Report of October" }).waitFor();
  expect(await search(page).getByRole("option").first().textContent()).toContain("Report of October");
});
