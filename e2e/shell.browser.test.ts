// The frame around every page of the app: one header, measured, which stays in its place as one goes from page to page.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { createArtifact, createPerson, createProject, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(6 * hung);

const site = testSite();
let session: string;
let paths: readonly string[];

beforeAll(async () => {
  const person = await createPerson(site.instance);
  const { slug } = await createProject(person);
  const { url } = await createArtifact(person, slug);
  session = await signIn(site.instance, person.userId);
  const artifact = new URL(url).pathname;
  paths = [
    "/",
    "/search?q=one",
    `/${person.username}`,
    `/${person.username}/${slug}`,
    `/dashboard/${person.username}`,
    `/dashboard/${person.username}/publish`,
    "/settings",
    "/settings/keys",
    `/settings/workspaces/${person.username}`,
    `${artifact}/settings/access`,
    `${artifact}/history`,
    `${artifact}/edit`,
    "/teams/new",
    "/nothing/is/here",
  ];
});

test.each([1440, 390])("header, logo and search have the same boxes on every page, %d pixels wide", async (width) => {
  const page = await site.newPage(session, { viewport: { width, height: 800 } });
  const boxes: Record<string, object> = {};
  for (const path of paths) {
    await page.goto(path);
    const search = page.locator("header [data-search]");
    await search.waitFor();
    boxes[path] = await page.evaluate(async () => {
      await document.fonts.ready;
      const box = (selector: string) => {
        const {
          x,
          y,
          width: wide,
          height,
        } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
        return [x, y, wide, height].map(Math.round);
      };
      return {
        header: box("header"),
        logo: box("header a[href='/']"),
        search: box("header [data-search]"),
        nav: box("header nav"),
        text: Math.round(document.querySelector("main")?.getBoundingClientRect().width ?? 0),
      };
    });
  }
  const [first] = Object.values(boxes);
  for (const [path, box] of Object.entries(boxes)) expect({ path, ...box }).toEqual({ path, ...first });
});

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const desktop = { viewport: { width: 1440, height: 900 } };

/** An artifact of two versions, opened, with its Versions and Share. */
async function openArtifact(options: typeof phone | typeof desktop) {
  const { artifactId, url } = await createArtifact(site.owner, site.projectSlug);
  await site.owner.client.call("version.create", { artifactId, content: "# Second\n" });
  const page = await site.open(new URL(url).pathname, site.session, options);
  await page.waitForFunction(() => document.readyState === "complete");
  const versions = page.locator("[data-part=versions] > div");
  const share = page.getByRole("dialog", { name: /^Share / });
  const edges = (target: typeof share) =>
    target.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right: innerWidth - right, top: top > innerHeight / 5, bottom: innerHeight - bottom };
    });
  return { page, versions, share, edges };
}

test("on a phone Versions and Share are sheets at the bottom, closed by a press beside them", async () => {
  const { page, versions, share, edges } = await openArtifact(phone);
  await page.getByLabel("version 2 of 2").tap();
  await versions.getByText("Version history").waitFor();
  await versions.evaluate((element) => Promise.all(element.getAnimations().map((one) => one.finished)));
  expect(await edges(versions)).toEqual({ left: 0, right: 0, top: true, bottom: 0 });
  await page.touchscreen.tap(195, 120);
  await versions.waitFor({ state: "hidden" });

  await page.getByRole("link", { name: "Share" }).tap();
  await share.getByRole("button", { name: "Create link" }).waitFor();
  await share.evaluate((element) => Promise.all(element.getAnimations().map((one) => one.finished)));
  expect(await edges(share)).toEqual({ left: 0, right: 0, top: true, bottom: 0 });
  await page.touchscreen.tap(195, 10);
  await share.waitFor({ state: "hidden" });
});

test("on a desktop Versions and Share hang below the bar", async () => {
  const { page, versions, share, edges } = await openArtifact(desktop);
  await page.getByLabel("version 2 of 2").click();
  expect((await edges(versions)).bottom).toBeGreaterThan(200);
  expect(await versions.evaluate((element) => Math.round(element.getBoundingClientRect().width))).toBe(320);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Share" }).click();
  await share.getByRole("button", { name: "Create link" }).waitFor();
  expect(await edges(share)).toMatchObject({ right: 7, top: false });
});

test("on a phone a table wider than the screen scrolls by itself, with a shade where more follows", async () => {
  const page = await site.open("/settings/workspaces", session, phone);
  const table = page.getByRole("table", { name: "Your workspaces" }).locator("..");
  const look = await table.evaluate((element) => ({
    scrolls: element.scrollWidth > element.clientWidth,
    shades: getComputedStyle(element).backgroundAttachment,
    page: document.documentElement.scrollWidth <= innerWidth,
  }));
  expect(look).toEqual({ scrolls: true, shades: "local, local, scroll, scroll", page: true });
});
