// The short form of a stress test: a sample by the seed of the run (TEST_SEED). `bun run stress <name>` runs it in
// full.
import { testSeed } from "../harness/test-seed.ts";
import type { StressTest } from "./stress-test.ts";

/** Runs the short form, prints the outcome and returns it. */
export async function runShortForm(name: string, stressTest: StressTest): Promise<Readonly<Record<string, unknown>>> {
  const outcome = await stressTest.run({ count: stressTest.shortCount, seed: testSeed(name) });
  console.error(`${name}: ${JSON.stringify(outcome)}`);
  return outcome;
}
