// The control half of the hostile campaign, and a campaign of its own: every payload bites on a careless site, where
// none of our defences is, or it proves nothing that it does not on ours.
import { startCollector, type Collector } from "../harness/collector.ts";
import { assert, randomFrom, type StressTest } from "./stress-test.ts";
import { bites } from "./hostile-bites.ts";
import { casesOf, choose, unprovenOf } from "./hostile-cases.ts";
import { startControl } from "./hostile-control.ts";
import { payloads } from "./payloads/all.ts";
import type { Payload } from "./payloads/payload.ts";

/** What the careless site tells whoever has its cookie. */
const careless = "the victim's profile";
/** Payloads of all that must bite on the careless site. */
const leastBiting = 200;

export const proof: StressTest = {
  claim: "every hostile document bites on a careless site, but for those that say why they cannot",
  count: 10_000,
  shortCount: 30,

  async run({ count, seed, only }) {
    const collector = await startCollector();
    try {
      return await prove(collector, choose(count, randomFrom(seed), only));
    } finally {
      await collector.stop();
    }
  },
};

/** How many bite, which all must that are not said to be unproven. @throws where one does not */
export async function prove(
  collector: Collector,
  chosen: readonly Payload[],
): Promise<Readonly<Record<string, unknown>>> {
  const control = await startControl(careless);
  try {
    const cases = casesOf(chosen, { collector, app: control.origin, victim: "a-victim" });
    await control.add(cases);
    const { bitten, fatal, browsersEnded, browsersStuck } = await bites(control, collector, cases);
    const must = cases.filter((one) => unprovenOf(one) === undefined);
    const proven = must.filter(({ name }) => bitten.has(name));
    const silent = must.map(({ name }) => name).filter((name) => !bitten.has(name) && !fatal.includes(name));
    const faults = [
      ...(fatal.length > 0 ? [`the browser ended each time it showed ${fatal.join(", ")}`] : []),
      ...(silent.length > 0 ? [`the careless site is not bitten by ${silent.join(", ")}`] : []),
    ];
    assert(faults.length === 0, () => faults.join("\n"));
    const biting = new Set(proven.map(({ payload }) => payload)).size;
    assert(chosen.length < payloads.length || biting >= leastBiting, () => `only ${biting} payloads bite`);
    const unprovenDocuments = cases.length - must.length;
    return { biting, bitingDocuments: proven.length, unprovenDocuments, browsersEnded, browsersStuck };
  } finally {
    await control.stop();
  }
}
