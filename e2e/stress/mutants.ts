// `bun run stress mutants [--count N] [--seed S] [--only survived]`: changes the program in one place at a time, in a
// copy of the checkout, and counts how often a test notices. The same seed continues an interrupted run.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { forgetful, startPostgres } from "../harness/postgres.ts";
import { repository } from "../harness/process.ts";
import { assert, type StressTest } from "./stress-test.ts";
import { figures, ledgerPath, mutate } from "./mutants/run.ts";

const leastKilled = 0.95;

export const mutants: StressTest = {
  claim: "of random changes to domain, api and cli the tests notice at least 95 in 100",
  count: 200,
  shortCount: 2,
  async run({ count, seed, only }) {
    const dataDir = await mkdtemp(join(tmpdir(), "plinth-mutants-database-"));
    const postgres = await startPostgres(dataDir, forgetful);
    try {
      const ledger = ledgerPath(tmpdir(), seed);
      console.error(`verdicts are kept in ${ledger}`);
      const judged = await mutate({
        root: repository,
        folders: ["platform", "runtime", "domain", "api", "cli"],
        testFolders: "platform contract db runtime domain api worker cli e2e/support server scripts".split(" "),
        count,
        seed,
        width: 2,
        ledger,
        survivedOnly: only === "survived",
        env: { TEST_DATABASE_URL: postgres.url },
        log: (line) => console.error(line),
      });
      const counted = figures(judged);
      // A test that hangs because of a mutant has noticed it.
      const noticed = (counted.killed + counted.timeouts) / (counted.judged - counted.equivalent);
      assert(
        noticed >= leastKilled,
        () => `only ${Math.round(noticed * 100)} in 100: ${JSON.stringify(counted, null, 1)}`,
      );
      return counted;
    } finally {
      await postgres.end("SIGQUIT");
      await rm(dataDir, { recursive: true });
    }
  },
};
