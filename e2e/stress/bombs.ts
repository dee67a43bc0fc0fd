// Documents that take all they can get, each at its whole size and within the limits that hold for everybody: renderers and
// browser are reached only from inside, so the proof is the tests of the domain and the worker, run here in full.
import { hung, repository } from "../harness/process.ts";
import { assert, type StressTest } from "./stress-test.ts";

const files = ["domain/render/markdown/bombs.test.ts", "worker/painter/bombs.test.ts"];

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
