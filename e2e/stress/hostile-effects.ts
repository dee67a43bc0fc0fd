// Shows each case to the victim of a careless site and says which of them bite: those the collector heard from. A
// browser that ends under a document is replaced, and the document shown again.
import type { Page } from "playwright-core";

import type { Collector } from "../harness/collector.ts";
import { assert, inParallel } from "./stress-test.ts";
import { unprovenOf, type Case } from "./hostile-cases.ts";
import type { Control } from "./hostile-control.ts";
import { press } from "./hostile-press.ts";
import { openVictim, openVictimsBrowser, type Victim } from "./hostile-victim.ts";

const width = 6;
/** Documents shown to one profile, so that none meets what many others left. */
const perProfile = 60;
/** What has not bitten by then, in ms, is shown once more by itself before it is said not to. */
const firstTimeoutMs = 4_000;
const aloneTimeoutMs = 30_000;
/** Times that a page is pressed which offers something. */
const presses = 3;
/** Times that a document is shown by itself whose browser ends. */
const chances = 3;
/** Browsers that may end before the run is given up: more is a broken browser, and no document's doing. */
const mostEnded = 30;

export interface ControlResult {
  /** The names of the cases that bit. */
  readonly effective: ReadonlySet<string>;
  /** Of those that ended the browser each time they were shown by themselves, and did not bite. */
  readonly fatal: readonly string[];
  /** Browsers that ended under a document, and those that were given up because they answered nothing any more. */
  readonly browsersEnded: number;
  readonly browsersStuck: number;
}

/** `open` opens a profile that nothing was kept in; one that answers nothing for `stuckMs` is given up. */
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

  /** Shows them to a new profile, several at once; true where its browser lasted. What did not begin is put into `rest`. */
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
  // A busy machine is late; what must bite gets a second showing with nothing beside it.
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

/** Whether it is heard of; where the browser ends before that, it is not. */
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
    // A page that moves itself away while it loads has bitten or will have.
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
