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
import { median, type Run } from "./measure.ts";
import { whole } from "./report.ts";

/** Milliseconds for an event, and until its result is drawn. */
const budget = 200;

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
export async function measureLargePages({ report, rounds, place }: Run): Promise<void> {
  const instance = await startInstance({ dataDir: place("large"), env: { CHROMIUM_PATH: "off" } });
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
          const of = (kind: keyof Interaction) => median(ofStep.map((taken) => taken[kind]));
          const [event, drawn] = [of("event"), of("drawn")];
          const times = `event ${whole(event)} ms, answer drawn after ${whole(drawn)} ms`;
          report.add({
            figure: `much, ${name}${slowness === 1 ? "" : ` (${slowness}× slower)`}`,
            product: `${times}, computed ${whole(of("computed"))} ms`,
            target: `≤ ${budget} ms each`,
            met: event <= budget && drawn <= budget,
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
  const on = (page: Page) => page.getByRole("link", { name: "Next page" });
  return [
    [
      `/dashboard/${username}`,
      [
        step("search as one types", shows, "q=latency", (page) =>
          search(page).pressSequentially("latency", { delay: 60 }),
        ),
        step("clear the search", shows, "", async (page) => {
          await search(page).press("Control+a");
          await search(page).press("Delete");
        }),
        step("filter by type", shows, "type=html", (page) => page.getByLabel("Type").press("h")),
        step("sort by title", shows, "type=html&sort=title", (page) => page.getByLabel("Order").press("t")),
        { ...step("page on", showsPage, "cursor", (page) => on(page).click()), at: on },
        step("select one, then all to the last", says, "48 selected", async (page) => {
          const boxes = page.getByRole("checkbox");
          await boxes.first().check();
          await boxes.last().click({ modifiers: ["Shift"] });
        }),
      ],
    ],
    [
      `${historyPath}/history`,
      [
        step("step back in a history of 1,000", compares, `v${versions - 2}→v${versions - 1}`, (page) =>
          page.getByRole("link", { name: "Previous version" }).last().click(),
        ),
        step("hold one to compare with", compares, `v${versions - 40}→v${versions - 1}`, (page) =>
          page.getByRole("radio", { name: `From version ${versions - 40}` }).check(),
        ),
        step("choose the other", compares, `v${versions - 40}→v${versions - 60}`, (page) => {
          const other = page.locator(`a[href*="to=${versions - 60}"]`);
          return other.first().click();
        }),
        step("older versions in the rail", showsPage, "list", (page) =>
          page.getByRole("link", { name: "Older versions" }).click(),
        ),
      ],
    ],
    [
      historyPath,
      [
        step("open the version picker of 1,000", lists, "20", (page) =>
          page.locator("summary[aria-label*=version]").click(),
        ),
        step("older versions in the picker", lists, "40", (page) =>
          page.getByRole("button", { name: "Older versions" }).click(),
        ),
      ],
    ],
  ];
}

const step = (name: string, isDrawn: Step["isDrawn"], status: string, press: Step["press"]): Step => ({
  name,
  isDrawn,
  status,
  press,
});

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
