// Shows each case to the victim of a careless site and returns which of them work: those the collector received a
// report from. A browser that crashes is replaced, and the document shown again.
import type { Page } from "playwright-core";

import type { Collector } from "../harness/collector.ts";
import { assert, inParallel } from "./stress-test.ts";
import { unprovenOf, type Case } from "./hostile-cases.ts";
import type { Control } from "./hostile-control.ts";
import { press } from "./hostile-press.ts";
import { openVictim, openVictimsBrowser, type Victim } from "./hostile-victim.ts";

const width = 6;
/** Documents per profile, so that none is affected by what many others left. */
const perProfile = 60;
/** A document without effect after this many ms is shown once more alone before it counts as silent. */
const firstTimeoutMs = 4_000;
const aloneTimeoutMs = 30_000;
/** How often a page with something to press is pressed. */
const presses = 3;
/** How often a document that crashes its browser is shown alone. */
const chances = 3;
/** Crashes after which the run is given up, because that many mean a broken browser. */
const mostEnded = 30;

export interface ControlResult {
  /** The names of the cases that worked. */
  readonly effective: ReadonlySet<string>;
  /** Of those, the ones without effect that crashed the browser each time they were shown alone. */
  readonly fatal: readonly string[];
  /** Browsers that crashed, and those that were given up because they did not answer. */
  readonly browsersEnded: number;
  readonly browsersStuck: number;
}

/** `open` opens an empty profile; one that answers nothing for `stuckMs` is given up. */
export async function showToControl(
  control: Pick<Control, "origin" | "addressOf">,
  collector: Pick<Collector, "received">,
  cases: readonly Case[],
  open = openVictimsBrowser,
  stuckMs?: number,
): Promise<ControlResult> {
  const effective = new Set<string>();
  const fatal: string[] = [];
  let browsersEnded = 0;
  let browsersStuck = 0;

  /**
   * Shows them in a new profile, several at once; true if its browser survived. Cases that were not started are added
   * to `rest`.
   */
  const showTo = async (some: readonly Case[], timeoutMs: number, rest: Case[] = []): Promise<boolean> => {
    const victim = await openVictim(control.origin, timeoutMs, open, stuckMs);
    const showing = new Set<string>();
    await inParallel(some.length, width, async (index) => {
      const one = some[index];
      if (one === undefined) return;
      if (victim.ended()) return void rest.push(one);
      showing.add(one.name);
      if (await takesEffect(victim, control, collector, one, timeoutMs)) effective.add(one.name);
      if (!victim.ended()) showing.delete(one.name);
    });
    const lasted = !victim.ended();
    const how = victim.stuck() ? "answered nothing any more" : "ended";
    if (!lasted) console.error(`control: the browser ${how} under ${[...showing].join(", ")}`);
    await victim.close();
    if (victim.stuck()) browsersStuck += 1;
    else if (!lasted) browsersEnded += 1;
    assert(browsersEnded + browsersStuck <= mostEnded, () => `${browsersEnded} browsers ended, ${browsersStuck} stuck`);
    return lasted;
  };

  const waiting = [...cases];
  while (waiting.length > 0) {
    await showTo(waiting.splice(0, perProfile), firstTimeoutMs, waiting);
    console.error(`control: ${cases.length - waiting.length} of ${cases.length} documents`);
  }
  // A busy machine is slow, so what must work gets a second showing alone.
  const late = cases.filter((one) => !effective.has(one.name) && unprovenOf(one) === undefined);
  console.error(`control: ${late.length} documents are shown again`);
  for (const one of late) {
    let lasted = false;
    for (let chance = 0; !lasted && chance < chances && !effective.has(one.name); chance++)
      lasted = await showTo([one], aloneTimeoutMs);
    if (effective.has(one.name)) continue;
    if (!lasted) fatal.push(one.name);
    console.error(`control: ${one.name} ${lasted ? "is silent" : "ends the browser each time"}`);
  }
  return { effective, fatal, browsersEnded, browsersStuck };
}

/** Whether the collector receives a report before the browser ends. */
async function takesEffect(
  victim: Victim,
  control: Pick<Control, "addressOf">,
  collector: Pick<Collector, "received">,
  one: Case,
  timeoutMs: number,
): Promise<boolean> {
  const received = () => collector.received.some(({ of }) => of === one.name);
  await victim.whileThere(async () => {
    const page = await victim.context.newPage();
    const opened: Page[] = [];
    page.on("popup", (popup) => void opened.push(popup));
    page.on("dialog", (dialog) => void victim.whileThere(() => dialog.dismiss()));
    // A page that navigates away while it loads has worked or will work.
    await page
      .goto(control.addressOf(one.name), { timeout: timeoutMs, waitUntil: "commit" })
      .catch((error: Error) => console.error(`control: ${one.name}: ${error.message.split("\n")[0]}`));
    const until = performance.now() + timeoutMs;
    let left = one.payload.pressed ? presses : 0;
    while (!received() && !victim.ended() && performance.now() < until) {
      if (left > 0 && (await press(page)) > 0) left--;
      await Bun.sleep(50);
    }
    for (const popup of opened) await popup.close();
    await page.close();
  });
  return received();
}
