// The number of presses in the common user flows: by pointer, by keyboard and by touch. Typing, pasting and moving the
// focus with Tab are no presses.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";

import type { BrowserContextOptions, Locator, Page } from "playwright-core";

import { untilScriptRuns } from "../harness/browser.ts";
import { untilFound } from "../harness/found.ts";
import { pick, pressOn, tabTo } from "../harness/keyboard.ts";
import { createArtifact, createPerson, createProject, fresh, operatorOf, signIn } from "../harness/people.ts";
import { startInstance } from "../harness/instance.ts";
import { hung } from "../harness/process.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";
import { sample, testRandom } from "../harness/test-seed.ts";
import { testSite } from "../harness/test-site.ts";

setDefaultTimeout(6 * hung);

const site = testSite();

afterEach(() => expect(site.complaints).toEqual([]));

interface Way {
  readonly name: "pointer" | "keyboard" | "touch";
  readonly options: BrowserContextOptions;
  readonly press: (page: Page, target: Locator) => Promise<void>;
  readonly pick: (page: Page, radio: Locator) => Promise<void>;
  readonly type: (page: Page, field: Locator, text: string) => Promise<void>;
}

const fill = (_: Page, field: Locator, text: string) => field.fill(text);
const ways: readonly Way[] = [
  { name: "pointer", options: {}, press: (_, target) => target.click(), pick: (_, radio) => radio.check(), type: fill },
  {
    name: "keyboard",
    options: {},
    press: (page, target) => pressOn(page, target),
    pick,
    async type(page, field, text) {
      await tabTo(page, field);
      await page.keyboard.insertText(text);
    },
  },
  {
    name: "touch",
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    press: (_, target) => target.tap(),
    pick: (_, radio) => radio.tap(),
    type: fill,
  },
];
const eachWay = ways.map((way) => [way.name, way] as const);

/** The names of what was pressed, in order. */
function counting(way: Way) {
  const presses: string[] = [];
  return {
    presses,
    async press(page: Page, target: Locator, name: string): Promise<void> {
      presses.push(name);
      await way.press(page, target);
    },
    async pick(page: Page, radio: Locator, name: string): Promise<void> {
      presses.push(name);
      await way.pick(page, radio);
    },
  };
}

/** A private report of three versions, and its owner's session. */
async function report(title = fresh("Report")) {
  const person = await createPerson(site.instance);
  const { slug } = await createProject(person);
  const access = { publicView: false, publicEdit: false };
  const { artifactId, url } = await createArtifact(person, slug, { title, access });
  for (const content of ["# Second\n", "# Third\n"])
    await person.client.call("version.create", { artifactId, content });
  return { person, title, path: new URL(url).pathname, session: await signIn(site.instance, person.userId) };
}

/** One that ends with its block. */
async function newInstance() {
  const instance = await startInstance({ env: { CHROMIUM_PATH: "off" } });
  return Object.assign(instance, { [Symbol.asyncDispose]: async () => void (await instance.stop()) });
}

// One way by the seed of the run, as each takes an instance; `TEST_SAMPLES=all bun run test e2e/journeys` has all three.
test.each(sample(eachWay, 1, testRandom("journeys", "press-counts")))(
  "from the landing page to a live link by paste, without an account before: five presses, by %s",
  async (_, way) => {
    // The account of a new instance's owner is the one that has no username yet.
    await using instance = await newInstance();
    const userId = /--user-id (usr_\w+)/.exec(instance.stderr())?.[1] ?? "";
    const { url } = await operatorOf(instance).call("operator.createSignInLink", { userId });
    trackSecret(new URL(url).hash.slice(1));
    const counted = counting(way);
    const page = await site.open(`${instance.origin}/`, undefined, way.options);
    const named = (name: string) =>
      page.getByRole("button", { name, exact: true }).or(page.getByRole("link", { name, exact: true }));

    await way.type(
      page,
      page.getByRole("textbox", { name: "Your document" }),
      "# Quarterly numbers\n\nRevenue was 90.\n",
    );
    await counted.press(page, named("Sign in to publish"), "Sign in to publish");
    await page.waitForURL("**/login?next=**");
    // The link that the newcomer was sent opens.
    await page.goto(url);
    await counted.press(page, named("Sign in as this account"), "Sign in");
    await page.waitForURL("**/workspaces/new");
    await untilScriptRuns(page);
    const username = fresh("newcomer");
    await way.type(page, page.getByLabel("Username"), username);
    await page.getByText(`${username} is available.`).waitFor();
    await counted.press(page, named("Claim username"), "Claim");
    await page.getByText("Your document is ready to publish.").waitFor();
    await counted.press(page, named("Publish"), "Publish");
    await page.getByRole("heading", { name: "It's live" }).first().waitFor();
    await counted.press(page, named("Copy link"), "Copy link");
    await page.getByRole("link", { name: /quarterly-numbers$/ }).waitFor();
    expect(counted.presses).toHaveLength(5);
  },
);

test.each(eachWay)("sharing with a client: three presses, and the document stays, by %s", async (_, way) => {
  const { path, title, session } = await report();
  const counted = counting(way);
  const page = await site.open(path, session, way.options);
  const popover = page.getByRole("dialog", { name: `Share ${title}` });
  await counted.press(page, page.getByRole("link", { name: "Share", exact: true }), "Share");
  const create = popover.getByRole("button", { name: "Create link" });
  await create.waitFor();
  await counted.press(page, create, "Create link");
  const copy = popover.getByRole("button", { name: "Copy share link" });
  await copy.waitFor();
  trackSecret((await popover.locator("[data-part=share-made]").innerText()).split("/").at(-1) ?? "");
  await counted.press(page, copy, "Copy share link");
  expect(counted.presses).toHaveLength(3);
  expect(new URL(page.url()).pathname).toBe(path);
});

test.each(eachWay)("comparing two versions: three presses, by %s", async (_, way) => {
  const { path, session } = await report();
  const counted = counting(way);
  const page = await site.open(path, session, way.options);
  await page.waitForFunction(() => document.readyState === "complete");
  await counted.press(page, page.getByLabel("version 3 of 3"), "Versions");
  await counted.press(page, page.getByRole("link", { name: "Version history" }), "Version history");
  const first = page.getByRole("radio", { name: "From version 1" });
  await first.waitFor();
  await untilScriptRuns(page);
  await counted.pick(page, first, "From version 1");
  await page.waitForURL("**/history?*from=1*");
  await page.getByRole("table", { name: "Changes between versions 1 and 3" }).waitFor();
  expect(counted.presses).toHaveLength(3);
});

test.each(eachWay)("finding last month's report: one key or press, and words, by %s", async (_, way) => {
  const { path, person, title, session } = await report("Report of October");
  await untilFound(person, "october", 1);
  const counted = counting(way);
  const page = await site.open("/settings", session, way.options);
  const search = page.getByRole("dialog", { name: "Search" });
  if (way.name === "keyboard") {
    counted.presses.push("Control+k");
    await page.keyboard.press("Control+k");
  } else await counted.press(page, page.getByRole("link", { name: "Search" }), "Search");
  await search.getByRole("combobox", { name: "Search" }).waitFor();
  await page.keyboard.insertText("report oct");
  await search.getByRole("option", { name: new RegExp(title), selected: true }).waitFor();
  expect(counted.presses).toHaveLength(1);
  // It is the chosen result, which Enter opens.
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${path}`);
});
