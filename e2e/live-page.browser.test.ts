// The artifact page in Chromium while the artifact changes: a message about it, and never a jump.
import { beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";

import type { Output } from "@plinth/contract/registry";

import { violationsIn } from "./harness/inspect-page.ts";
import { clientOf, createArtifact, createPerson, fresh, operatorOf, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";
import { colorSchemesOf } from "./harness/test-seed.ts";

setDefaultTimeout(3 * hung);

const site = testSite();
let artifact: Output<"artifact.create">;
let page: Page;
/** Streams that the page has requested. */
let asked: number;

beforeEach(async () => {
  artifact = await createArtifact(site.owner, site.projectSlug, { title: fresh("Title") });
});

/** Opens the artifact's page and waits until it receives events. */
async function open(query = "", session?: string, more: { colorScheme?: "light" | "dark" } = {}): Promise<void> {
  page = await site.newPage(session, more);
  asked = 0;
  page.on("request", (request) => void (asked += request.url().endsWith("/events") ? 1 : 0));
  await page.goto(`${path()}${query}`);
  await live();
}

const path = () => `/${site.owner.username}/${site.projectSlug}/${artifact.slug}`;
const live = () => page.getByRole("img", { name: "Live" }).waitFor({ state: "visible" });
const frameUrl = () => page.locator("iframe").getAttribute("src");
const pill = (version: number) => page.getByRole("link", { name: `New version available (v${version})` });
const ending = (text: string) => page.getByRole("heading", { name: text });
const publish = () =>
  site.owner.client.call("version.create", { artifactId: artifact.artifactId, content: "# More\n" });

/** What the browser does when another tab comes to the front, which needs a window. */
const turn = (hidden: boolean) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

async function expectNothingLeft(): Promise<void> {
  expect(await page.locator("iframe").count()).toBe(0);
  const left = await page.content();
  for (const word of [artifact.title, artifact.artifactId, "_content"]) expect(left).not.toContain(word);
}

test("a new version is said and not jumped to; the way there is a press", async () => {
  await open();
  expect(await frameUrl()).toEndWith("/1");
  await publish();
  await pill(2).waitFor();
  expect(await frameUrl()).toEndWith("/1");
  await page.getByLabel("version 1 of 2").waitFor();
  await publish();
  await pill(3).click();
  await page.getByLabel("version 3 of 3").waitFor();
  expect(await frameUrl()).toEndWith("/3");
  expect(await page.getByRole("link", { name: /^New version available/ }).count()).toBe(0);
  expect(page.url()).toBe(site.instance.origin + path());
  await live();
  // One for each load of the page, however much was published.
  expect(asked).toBe(2);
});

test("on an old version the word about it tells the latest one", async () => {
  await publish();
  await open("?v=1");
  await publish();
  await page.getByText("The latest is version 3.").waitFor();
  expect(await frameUrl()).toEndWith("/1");
});

test("what was published while the page was hidden is known when it is seen again; a hidden page keeps no stream", async () => {
  await open();
  await turn(true);
  await page.getByRole("img", { name: "Live" }).waitFor({ state: "hidden" });
  await publish();
  expect(await page.getByRole("link", { name: /^New version available/ }).count()).toBe(0);
  await turn(false);
  await pill(2).waitFor();
  await live();
  expect(asked).toBe(2);
});

test("a membership that ends takes the page away within two seconds, and nothing of it is left", async () => {
  const access = { publicView: false, publicEdit: false };
  artifact = await createArtifact(site.owner, site.projectSlug, { title: fresh("Secret"), access });
  const reader = await createPerson(site.instance);
  const who = { workspaceId: site.owner.workspaceId, userId: reader.userId };
  await operatorOf(site.instance).call("operator.setMember", { ...who, role: "viewer" });
  await open("", await signIn(site.instance, reader.userId));
  await page.frameLocator("iframe").getByText("First").waitFor();
  await clientOf(site.instance.origin, site.session).call("member.remove", who);
  const answeredAt = performance.now();
  await ending("You no longer have access to this page").waitFor();
  console.info(`said after ${Math.round(performance.now() - answeredAt)} ms`);
  await expectNothingLeft();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});

test("deleted: an open page says so, and a later visit only says that it does not exist", async () => {
  await open();
  await turn(true);
  await turn(false);
  await live();
  await site.owner.client.call("artifact.delete", { artifactId: artifact.artifactId });
  await ending("This page was deleted").waitFor();
  await expectNothingLeft();

  artifact = await createArtifact(site.owner, site.projectSlug, { title: fresh("Title") });
  await page.close();
  await open();
  await turn(true);
  await site.owner.client.call("artifact.delete", { artifactId: artifact.artifactId });
  await turn(false);
  await ending("You no longer have access to this page").waitFor();
  await expectNothingLeft();
});

test("without a stream the page stays as it is, and shows missed changes afterwards", async () => {
  await open();
  await turn(true);
  await page.context().route("**/events", (route) => route.abort());
  await Promise.all([page.waitForEvent("requestfailed"), turn(false)]);
  await publish();
  expect(await page.getByRole("img", { name: "Live" }).isVisible()).toBe(false);
  expect(await frameUrl()).toEndWith("/1");
  await page.context().unroute("**/events");
  await turn(true);
  await turn(false);
  await pill(2).waitFor();
});

test.each(colorSchemesOf("live-page"))(
  "axe finds nothing while a version is out, nor at the end: %s",
  async (colorScheme) => {
    const expectClean = async () => expect(await violationsIn(page)).toEqual([]);
    await open("", undefined, { colorScheme });
    await publish();
    await pill(2).waitFor();
    await expectClean();
    await site.owner.client.call("artifact.delete", { artifactId: artifact.artifactId });
    await ending("This page was deleted").waitFor();
    await expectClean();
  },
);

test("without script the page is as it was", async () => {
  page = await site.open(path(), undefined, { javaScriptEnabled: false });
  expect(await frameUrl()).toEndWith("/1");
  expect(await page.getByRole("img", { name: "Live" }).isVisible()).toBe(false);
});
