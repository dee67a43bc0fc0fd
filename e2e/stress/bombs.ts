// Documents that use up all limits, each at full size with the production limits. Renderers and browser are only
// reachable inside the process, so this runs the tests of the domain and the worker in full.
import { hung, repository } from "../harness/process.ts";
import { assert, type StressTest } from "./stress-test.ts";

const files = ["domain/render/markdown/bombs.test.ts", "worker/capture/bombs.test.ts"];

export const bombs: StressTest = {
  claim: "every document that takes all it can get ends within its limit, and harms no other",
  count: 55,
  shortCount: 8,

  async run({ count, seed }) {
    const child = Bun.spawn([process.execPath, "test", `--timeout=${hung}`, ...files], {
      cwd: repository,
      env: { ...process.env, BOMBS: "all", TEST_SEED: String(seed) },
      stdout: "inherit",
      stderr: "inherit",
    });
    const status = await child.exited;
    assert(status === 0, () => `a document did not end as it must; which is said above (status ${status})`);
    return { documents: count };
  },
};
