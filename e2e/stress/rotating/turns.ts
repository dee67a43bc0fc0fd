// Selects the stress tests that a run has in their short form: three, by its seed, because each takes half a minute.
// Each has a file beside this one. `TEST_SAMPLES=all bun run test e2e/stress/rotating` has all, `bun run stress <name>`
// the full form.
import { expect, test } from "bun:test";

import { hung } from "../../harness/process.ts";
import { sample, testRandom } from "../../harness/test-seed.ts";
import { runShortForm } from "../short-form.ts";
import type { StressTest } from "../stress-test.ts";

const inOneRun = 3;

/** Only root can mount the small disk of `disk-full`; as root, a failed mount fails the test. */
const ofRoot = process.getuid?.() === 0 ? ["disk-full"] : [];

const names = [
  ...(["backup", "busy", "bystander", "crash", "database-restart", "database-stopped", "hostile"] as const),
  ...(["jobs-twice", "leases", "retention", "revocations", "sigterm", "thumbnails", "uploads"] as const),
  "worker-kill",
  ...ofRoot,
] as const;

const chosen = sample(names, inOneRun, testRandom("stress tests"));

/**
 * Runs the stress test where the run has chosen it. `outcome` is what its result must have where it does not judge all
 * of it.
 */
export function inTurn(name: (typeof names)[number], stressTest: StressTest, outcome: object = {}): void {
  test.if(chosen.includes(name))(
    name,
    async () => {
      console.error(stressTest.claim);
      expect(await runShortForm(name, stressTest)).toMatchObject(outcome);
    },
    5 * hung,
  );
}
