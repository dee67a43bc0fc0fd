// Shows each case to the victim of a careless site and says which of them bite: those the collector heard from.
import type { Browser, BrowserContext } from "playwright-core";

import type { Collector } from "../harness/collector.ts";
import { inParallel } from "./campaign.ts";
import type { Case } from "./hostile-cases.ts";
import type { Control } from "./hostile-control.ts";
import { press } from "./hostile-press.ts";
import { planted } from "./payloads/strike.ts";

const lanes = 6;
/** What has not bitten by then, in ms, is said not to. */
const patience = 4_000;

/** The names of the cases that bit. */
export async function bites(
  browser: Browser,
  control: Control,
  collector: Collector,
  cases: readonly Case[],
): Promise<Set<string>> {
  const context = await browser.newContext();
  context.setDefaultTimeout(patience);
  const { cookie } = planted;
  await context.addCookies([{ ...cookie, url: control.origin }]);
  const bitten = new Set<string>();
  await inParallel(cases.length, lanes, async (index) => {
    const one = cases[index];
    if (one !== undefined && (await bitesHere(context, control, collector, one))) bitten.add(one.name);
  });
  await context.close();
  return bitten;
}

async function bitesHere(context: BrowserContext, control: Control, collector: Collector, one: Case): Promise<boolean> {
  const heard = () => collector.heard.some(({ of }) => of === one.name);
  const page = await context.newPage();
  page.on("dialog", (dialog) => void dialog.dismiss());
  // A page that moves itself away while it loads has bitten or will have.
  await page
    .goto(control.addressOf(one.name), { timeout: patience, waitUntil: "commit" })
    .catch((error: Error) => console.error(`control: ${one.name}: ${error.message.split("\n")[0]}`));
  const until = performance.now() + patience;
  let presses = one.payload.pressed ? 3 : 0;
  while (!heard() && performance.now() < until) {
    if (presses-- > 0) await press(page);
    await Bun.sleep(50);
  }
  await page.close();
  return heard();
}
