// The frame around every page of the app: one header, measured, which stays in its place as one goes from page to page.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { openContext } from "./harness/browser.ts";
import { createArtifact, createPerson, createProject, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSharedSite, type Site } from "./harness/site.ts";

setDefaultTimeout(6 * hung);

let site: Site;
let session: string;
let paths: readonly string[];

beforeAll(async () => {
  site = await openSharedSite();
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
afterAll(() => site.close());

test.each([1440, 390])("header, logo and search have the same boxes on every page, %d pixels wide", async (width) => {
  const context = await openContext(site.browser, site.instance.origin, session, {
    viewport: { width, height: 800 },
  });
  const page = await context.newPage();
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
  await context.close();
  const [first] = Object.values(boxes);
  for (const [path, box] of Object.entries(boxes)) expect({ path, ...box }).toEqual({ path, ...first });
});
