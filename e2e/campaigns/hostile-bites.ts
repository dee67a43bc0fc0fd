// Shows each case to the victim of a careless site and says which of them bite: those the collector heard from.
import type { BrowserContext, Page } from "playwright-core";

import type { Collector } from "../harness/collector.ts";
import { inParallel } from "./campaign.ts";
import { unprovenOf, type Case } from "./hostile-cases.ts";
import type { Control } from "./hostile-control.ts";
import { press } from "./hostile-press.ts";
import { planted } from "./payloads/strike.ts";

const lanes = 6;
/** Documents shown to one profile, so that none meets what many others left. */
const perProfile = 60;
/** What has not bitten by then, in ms, is shown once more by itself before it is said not to. */
const patience = 4_000;
const patienceAlone = 10_000;
/** Times that a page is pressed which offers something. */
const presses = 3;

/** The names of the cases that bit. `open` opens a profile that nothing was kept in. */
export async function bites(
  open: () => Promise<BrowserContext>,
  control: Control,
  collector: Collector,
  cases: readonly Case[],
): Promise<Set<string>> {
  const bitten = new Set<string>();
  for (let at = 0; at < cases.length; at += perProfile) {
    const some = cases.slice(at, at + perProfile);
    const context = await victimOf(await open(), control);
    try {
      await inParallel(some.length, lanes, async (index) => {
        const one = some[index];
        if (one !== undefined && (await bitesHere(context, control, collector, one, patience))) bitten.add(one.name);
      });
    } finally {
      await context.close();
    }
    console.error(`control: ${at + some.length} of ${cases.length} documents`);
  }
  // A busy machine is late; what must bite gets a second showing with nothing beside it.
  for (const one of cases) {
    if (bitten.has(one.name) || unprovenOf(one) !== undefined) continue;
    const context = await victimOf(await open(), control);
    try {
      if (await bitesHere(context, control, collector, one, patienceAlone)) bitten.add(one.name);
      else console.error(`control: ${one.name} is silent`);
    } finally {
      await context.close();
    }
  }
  return bitten;
}

async function victimOf(context: BrowserContext, control: Control): Promise<BrowserContext> {
  context.setDefaultTimeout(patience);
  await context.addCookies([{ ...planted.cookie, url: control.origin }]);
  return context;
}

async function bitesHere(
  context: BrowserContext,
  control: Control,
  collector: Collector,
  one: Case,
  patienceMs: number,
): Promise<boolean> {
  const heard = () => collector.heard.some(({ of }) => of === one.name);
  const page = await context.newPage();
  const opened: Page[] = [];
  page.on("popup", (popup) => void opened.push(popup));
  page.on("dialog", (dialog) => void dialog.dismiss());
  // A page that moves itself away while it loads has bitten or will have.
  await page
    .goto(control.addressOf(one.name), { timeout: patienceMs, waitUntil: "commit" })
    .catch((error: Error) => console.error(`control: ${one.name}: ${error.message.split("\n")[0]}`));
  const until = performance.now() + patienceMs;
  let left = one.payload.pressed ? presses : 0;
  while (!heard() && performance.now() < until) {
    if (left > 0 && (await press(page)) > 0) left--;
    await Bun.sleep(50);
  }
  for (const popup of opened) await popup.close();
  await page.close();
  return heard();
}
