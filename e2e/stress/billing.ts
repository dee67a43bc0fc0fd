// Purchases against Stripe's state. Time and events can only be controlled inside the process, so this runs the
// domain's own test in full.
import { hung, repository } from "../harness/process.ts";
import { assert, type StressTest } from "./stress-test.ts";

export const billing: StressTest = {
  claim: "whatever events of Stripe's come, in whatever order, twice or never, each workspace has what Stripe has",
  count: 1000,
  shortCount: 12,

  async run({ count, seed }) {
    const timeout = hung * count;
    const files = ["domain/billing/histories.test.ts", "domain/billing/matrix.test.ts"];
    const child = Bun.spawn([process.execPath, "test", `--timeout=${timeout}`, ...files], {
      cwd: repository,
      env: { ...process.env, BILLING_HISTORIES: String(count), BILLING_SEED: String(seed), BILLING_MATRIX: "all" },
      stdout: "inherit",
      stderr: "inherit",
    });
    const status = await child.exited;
    assert(status === 0, () => `a workspace has otherwise than Stripe has it; which is said above (status ${status})`);
    return { histories: count };
  },
};
