// Measures the response times of pages with much content: a workspace of 5,000 artifacts and a history of 1,000
// versions, used at this machine's speed and on a processor slowed down four times.
import type { Browser, Locator, Page } from "playwright-core";

import { openBrowser, openContext } from "../harness/browser.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { seedLargeWorkspace, type LargeWorkspace } from "../harness/large-workspace.ts";
import { createPerson, signIn } from "../harness/people.ts";
import { weighPage } from "../harness/page-weight.ts";
import { interact, recordVitals, slowDown, type Interaction } from "../harness/page-vitals.ts";
import { hung } from "../harness/process.ts";
import { median } from "./measure.ts";

/** Milliseconds for an event, and until its result is drawn. */
export const largeBudget = 200;

export interface LargeFigure extends Interaction {
  readonly name: string;
  readonly slowness: number;
}

interface Step {
  readonly name: string;
  /** The element to scroll to first; it is drawn before the measurement begins. */
  readonly at?: (page: Page) => Locator;
  readonly press: (page: Page) => Promise<unknown>;
  /** Receives the last argument; true after the result is drawn. */
  readonly isDrawn: (status: string) => boolean;
  readonly status: string;
}

/** Medians of the rounds; each round opens the pages again. */
export async function measureLargePages(
  dataDir: string,
  rounds: number,
  each: (figure: LargeFigure) => void,
): Promise<void> {
  const instance = await startInstance({ dataDir, env: { CHROMIUM_PATH: "off" } });
  const browser = await openBrowser();
  try {
    const owner = await createPerson(instance, "team");
    const large = await seedLargeWorkspace(instance, owner);
    const session = await signIn(instance, owner.userId);
    const stage = { browser, instance, session };
    for (const slowness of [1, 4]) {
      for (const [path, steps] of walks(owner.username, large)) {
        const taken: Interaction[][] = [];
        for (let round = 0; round < rounds; round++) taken.push(await walk(stage, path, steps, slowness));
        for (const [place, { name }] of steps.entries()) {
          const ofStep = taken.flatMap((one) => one[place] ?? []);
          each({
            name,
            slowness,
            event: median(ofStep.map(({ event }) => event)),
            drawn: median(ofStep.map(({ drawn }) => drawn)),
            computed: median(ofStep.map(({ computed }) => computed)),
          });
        }
      }
    }
  } finally {
    await browser.close();
    await instance.stop();
  }
}

async function walk(
  { browser, instance, session }: { browser: Browser; instance: Instance; session: string },
  path: string,
  steps: readonly Step[],
  slowness: number,
): Promise<Interaction[]> {
  const context = await openContext(browser, instance.origin, session);
  try {
    context.setDefaultTimeout(hung);
    await recordVitals(context);
    const page = await context.newPage();
    const weighing = weighPage(page, instance.origin);
    await slowDown(page, slowness);
    await page.goto(path, { waitUntil: "load" });
    const taken: Interaction[] = [];
    for (const { at, press, isDrawn, status } of steps) {
      await at?.(page).scrollIntoViewIfNeeded();
      await weighing.settled();
      taken.push(await interact(page, () => press(page), isDrawn, status));
    }
    return taken;
  } finally {
    await context.close();
  }
}

function walks(username: string, { historyPath, versions }: LargeWorkspace): [path: string, steps: readonly Step[]][] {
  const search = (page: Page) => page.getByRole("searchbox", { name: `Search ${username}` });
  return [
    [
      `/dashboard/${username}`,
      [
        {
          name: "search as one types",
          press: (page) => search(page).pressSequentially("latency", { delay: 60 }),
          isDrawn: shows,
          status: "q=latency",
        },
        {
          name: "clear the search",
          press: async (page) => {
            await search(page).press("Control+a");
            await search(page).press("Delete");
          },
          isDrawn: shows,
          status: "",
        },
        {
          name: "filter by type",
          press: (page) => page.getByLabel("Type").press("h"),
          isDrawn: shows,
          status: "type=html",
        },
        {
          name: "sort by title",
          press: (page) => page.getByLabel("Order").press("t"),
          isDrawn: shows,
          status: "type=html&sort=title",
        },
        {
          name: "page on",
          at: (page) => page.getByRole("link", { name: "Next page" }),
          press: (page) => page.getByRole("link", { name: "Next page" }).click(),
          isDrawn: showsPage,
          status: "cursor",
        },
        {
          name: "select one, then all to the last",
          press: async (page) => {
            await page.getByRole("checkbox").first().check();
            await page
              .getByRole("checkbox")
              .last()
              .click({ modifiers: ["Shift"] });
          },
          isDrawn: says,
          status: "48 selected",
        },
      ],
    ],
    [
      `${historyPath}/history`,
      [
        {
          name: "step back in a history of 1,000",
          press: (page) => page.getByRole("link", { name: "Previous version" }).last().click(),
          isDrawn: compares,
          status: `v${versions - 2}→v${versions - 1}`,
        },
        {
          name: "hold one to compare with",
          press: (page) => page.getByRole("radio", { name: `From version ${versions - 40}` }).check(),
          isDrawn: compares,
          status: `v${versions - 40}→v${versions - 1}`,
        },
        {
          name: "choose the other",
          press: (page) =>
            page
              .locator(`a[href*="to=${versions - 60}"]`)
              .first()
              .click(),
          isDrawn: compares,
          status: `v${versions - 40}→v${versions - 60}`,
        },
        {
          name: "older versions in the rail",
          press: (page) => page.getByRole("link", { name: "Older versions" }).click(),
          isDrawn: showsPage,
          status: "list",
        },
      ],
    ],
    [
      historyPath,
      [
        {
          name: "open the version picker of 1,000",
          press: (page) => page.locator("summary[aria-label*=version]").click(),
          isDrawn: lists,
          status: "20",
        },
        {
          name: "older versions in the picker",
          press: (page) => page.getByRole("button", { name: "Older versions" }).click(),
          isDrawn: lists,
          status: "40",
        },
      ],
    ],
  ];
}

// These functions run in the page and are sent there as text, so they can only use what the page has.
const shows = (query: string): boolean =>
  location.search.slice(1) === query && document.querySelector("#artifacts")?.getAttribute("aria-busy") === "false";
const showsPage = (parameter: string): boolean =>
  new URLSearchParams(location.search).has(parameter) && document.querySelector("[aria-busy=true]") === null;
const says = (words: string): boolean => document.querySelector("#chosen")?.textContent?.includes(words) ?? false;
const compares = (versions: string): boolean =>
  document.querySelector("section[aria-label=Comparison] h2")?.textContent?.replace(/\s|From|to|the latest/g, "") ===
  versions;
const lists = (rows: string): boolean =>
  document.querySelectorAll("[data-part=version-list] bdi").length === Number(rows);
