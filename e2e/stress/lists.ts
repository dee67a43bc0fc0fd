// Lists against `decide`. The rules are only reachable inside the process, so this runs the domain's own test in full.
import { hung, repository } from "../harness/process.ts";
import { assert, type StressTest } from "./stress-test.ts";

export const lists: StressTest = {
  claim: "lists, search and counts show what `decide` lets the caller read, and reading each by itself agrees",
  count: 10_000,
  shortCount: 80,

  async run({ count, seed }) {
    const timeout = hung * Math.ceil(count / lists.shortCount);
    const child = Bun.spawn([process.execPath, "test", `--timeout=${timeout}`, "domain/access/lists-agree.test.ts"], {
      cwd: repository,
      env: { ...process.env, LIST_WORLDS: String(count), LIST_SEED: String(seed) },
      stdout: "inherit",
      stderr: "inherit",
    });
    const status = await child.exited;
    assert(status === 0, () => `lists and decide differ; what differs is said above (status ${status})`);
    return { setups: count };
  },
};
