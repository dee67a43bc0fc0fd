// Among twenty thousand artifacts, no request and no job of one scans a growing table or goes through all rows of a
// large workspace.
import { SQL } from "bun";
import { expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";

import { jobsSettled } from "../harness/jobs-settled.ts";
import { forgetful } from "../harness/postgres.ts";
import { hung, temporaryFolder } from "../harness/process.ts";
import { drawn, explainingSide, mostRows, plansOf, scannedWhole } from "./scale-plans.ts";
import { asks, askSide, openSide } from "./scale-side.ts";

setDefaultTimeout(3 * hung);

const size = { artifacts: 20_000, versionsEach: 3, workspaces: 400 };

/**
 * The limit for any step of a plan: above the number of artifacts that are counted for a project, and far below the
 * size of the largest workspace.
 */
const rowsAtMost = 1200;
/** A search looks at the matches among the documents of two marks (domain/search/marks.ts), of 20,000 here. */
const matchesAtMost = 2 * 2048;

/** A statement that scans a table, which the check must find. */
async function readsWhole(url: string): Promise<void> {
  const database = new SQL(url, { max: 1 });
  await database.unsafe("SELECT count(*) FROM version WHERE size_bytes < 0");
  await database.close();
}

test("no request reads all of a table or of a workspace", async () => {
  const folder = await temporaryFolder("plans");
  let side = await openSide(folder, size, forgetful);
  const found: string[] = [];
  let planned = 0;
  try {
    side = await explainingSide(side);
    for (const [name, ask] of Object.entries(asks)) {
      const plans = await plansOf(side, () => askSide(side, ask(side, 1)));
      expect(plans.length, name).toBeGreaterThan(0);
      planned += plans.length;
      const most = name.includes("search") ? matchesAtMost : rowsAtMost;
      for (const { statement, plan } of plans) {
        const tables = scannedWhole(plan);
        if (tables.length > 0 || mostRows(plan) > most)
          found.push(`${name}: ${tables.join()}\n${statement}\n${drawn(plan)}`);
      }
    }
    const jobs = await plansOf(side, () => jobsSettled(side.instance));
    for (const { statement, plan } of jobs)
      if (scannedWhole(plan).length > 0 && !/^\s*SELECT\s+\(SELECT count/.test(statement))
        found.push(`jobs:\n${statement}\n${drawn(plan)}`);
    const whole = await plansOf(side, () => readsWhole(side.server.url));
    expect(whole.map(({ plan }) => scannedWhole(plan))).toContainEqual(["version"]);
  } finally {
    await side.stop();
    await rm(folder, { recursive: true, force: true });
  }
  expect(found.join("\n\n")).toBe("");
  expect(planned).toBeGreaterThan(Object.keys(asks).length);
});
