// Measures the share of searches with the right document first, among 5,000 documents of the installed packages. The
// test of the domain has the queries and runs with fewer documents each time.
import { hung, repository } from "../harness/process.ts";
import { assert, type StressTest } from "./stress-test.ts";

export const search: StressTest = {
  claim: "of 200 queries nine in ten have the right document first, with a typo 85 in 100",
  count: 5000,
  shortCount: 500,

  async run({ count }) {
    const child = Bun.spawn([process.execPath, "test", `--timeout=${10 * hung}`, "domain/search/relevance.test.ts"], {
      cwd: repository,
      env: { ...process.env, SEARCH_DOCUMENTS: String(count) },
      stdout: "inherit",
      stderr: "inherit",
    });
    const status = await child.exited;
    assert(status === 0, () => `the right documents are not first; which is said above (status ${status})`);
    return { documents: count };
  },
};
