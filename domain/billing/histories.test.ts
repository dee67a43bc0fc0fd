// The short form of `bun run stress billing`, which tells 1,000 histories and sets both variables.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { testSeed } from "@plinth/support/test-seed";

import { examine } from "../doctor/examine.ts";
import { createSetup, type Setup } from "../test/context.ts";
import { runHistory } from "./test/histories.ts";

const count = Number(process.env["BILLING_HISTORIES"] ?? 4);
const seed = Number(process.env["BILLING_SEED"] ?? testSeed);
/** For a history on a machine with much else to do. */
const hungMs = 60_000;

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

/** Numbers from 0 to 1, the same for the same seed (xorshift). */
function randomFrom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

test(
  "every history of events ends in the state that Stripe has",
  async () => {
    console.error(`billing: ${count} histories, seed ${seed}`);
    const all = { events: 0, lost: 0, asked: 0 };
    for (let n = 0; n < count; n++) {
      // Each history has its own seed, so that it can be replayed alone.
      const own = seed + n;
      const { events, lost, asked } = await runHistory(setup, randomFrom(own)).catch((error: unknown) => {
        throw new Error(`history ${own}: BILLING_HISTORIES=1 BILLING_SEED=${own}`, { cause: error });
      });
      all.events += events;
      all.lost += lost;
      all.asked += asked;
    }
    console.error(`billing: ${all.events} events, ${all.lost} lost, ${all.asked} requests to Stripe`);
    const findings = await examine(setup.db);
    expect(findings.filter(({ problems }) => problems > 0)).toEqual([]);
    expect(all.events).toBeGreaterThan(count);
  },
  count * hungMs,
);
