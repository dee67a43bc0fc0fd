// The control half of the stress test `hostile`, and a stress test by itself: every payload must work on a careless
// site without our defences, because otherwise its failure on ours proves nothing.
import { startCollector, type Collector } from "../harness/collector.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, type StressTest } from "./stress-test.ts";
import { showToControl } from "./hostile-effects.ts";
import { casesOf, choose, unprovenOf } from "./hostile-cases.ts";
import { startControl } from "./hostile-control.ts";
import { payloads } from "./payloads/all.ts";
import type { Payload } from "./payloads/payload.ts";

/** What the careless site returns to a visitor with its cookie. */
const careless = "the victim's profile";
/** The lowest number of payloads that must work on the careless site. */
const leastEffective = 200;

export const proof: StressTest = {
  claim: "every hostile document succeeds on a careless site, except those that say why they cannot",
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

/** How many payloads work; all must, except those marked as unproven. @throws if one does not */
export async function prove(
  collector: Collector,
  chosen: readonly Payload[],
): Promise<Readonly<Record<string, unknown>>> {
  const control = await startControl(careless);
  try {
    const cases = casesOf(chosen, { collector, app: control.origin, victim: "a-victim" });
    await control.add(cases);
    const { effective, fatal, browsersEnded, browsersStuck } = await showToControl(control, collector, cases);
    const must = cases.filter((one) => unprovenOf(one) === undefined);
    const proven = must.filter(({ name }) => effective.has(name));
    const silent = must.map(({ name }) => name).filter((name) => !effective.has(name) && !fatal.includes(name));
    const faults = [
      ...(fatal.length > 0 ? [`the browser ended each time it showed ${fatal.join(", ")}`] : []),
      ...(silent.length > 0 ? [`the careless site withstands ${silent.join(", ")}`] : []),
    ];
    assert(faults.length === 0, () => faults.join("\n"));
    const effectivePayloads = new Set(proven.map(({ payload }) => payload)).size;
    assert(
      chosen.length < payloads.length || effectivePayloads >= leastEffective,
      () => `only ${effectivePayloads} payloads succeed on the careless site`,
    );
    const unprovenDocuments = cases.length - must.length;
    return { effectivePayloads, effectiveDocuments: proven.length, unprovenDocuments, browsersEnded, browsersStuck };
  } finally {
    await control.stop();
  }
}
