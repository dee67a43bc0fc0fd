// The short form of a campaign, as a test runs it: a sample by the seed of the run (TEST_SEED). Its whole figure is
// `bun run campaign <name>`.
import { testSeed } from "../harness/test-seed.ts";
import type { Campaign } from "./campaign.ts";

/** Runs the short form and prints the outcome. */
export async function runShortForm(name: string, campaign: Campaign): Promise<void> {
  const outcome = await campaign.run({ count: campaign.shortCount, seed: testSeed(name) });
  console.error(`${name}: ${JSON.stringify(outcome)}`);
}
