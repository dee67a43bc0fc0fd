// The short form of a campaign, as a test runs it: a sample by the seed of the run (TEST_SEED). Its whole figure is
// `bun run stress <name>`.
import { testSeed } from "../harness/test-seed.ts";
import type { StressTest } from "./stress-test.ts";

/** Runs the short form and prints the outcome. */
export async function runShortForm(name: string, stressTest: StressTest): Promise<void> {
  const outcome = await stressTest.run({ count: stressTest.shortCount, seed: testSeed(name) });
  console.error(`${name}: ${JSON.stringify(outcome)}`);
}
