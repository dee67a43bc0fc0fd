// The oldest job of each kind of work in the outbox, for health and metrics: read at a cost that does not grow.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { createSetup, type Setup } from "../test/context.ts";
import { oldestInOutbox, oldestStatement } from "./oldest-in-outbox.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

test("the oldest waiting job of each kind of work: two rows are read among thousands", async () => {
  expect(await oldestInOutbox(setup.db)).toEqual([
    { work: "pictures", seconds: 0 },
    { work: "packages", seconds: 0 },
    { work: "images", seconds: 0 },
    { work: "other", seconds: 0 },
  ]);
  // A screenshot job by its kind, one by its key, another job, and screenshot jobs that were handed over long ago; and
  // jobs of packages and of images.
  await setup.db.run(
    `INSERT INTO outbox (job_id, kind, payload, created_at, dedupe_key, handed_over_at)
     SELECT gen_random_uuid(), CASE n % 4 WHEN 0 THEN 'thumbnail' WHEN 1 THEN 'head' ELSE 'version-picture' END, '{}',
       now() - n * interval '1 s', CASE WHEN n % 4 > 1 THEN 'key ' || n END, CASE WHEN n % 4 = 3 THEN now() END
     FROM generate_series(1, 8000) AS n`,
  );
  await setup.db.run(
    `INSERT INTO outbox (job_id, kind, payload, created_at, dedupe_key)
     SELECT gen_random_uuid(), 'packages', '{}', now() - n * interval '1 s', 'packages ' || n
     FROM generate_series(1, 8150) AS n`,
  );
  await setup.db.run(
    `INSERT INTO outbox (job_id, kind, payload, created_at, dedupe_key)
     SELECT gen_random_uuid(), 'images', '{}', now() - n * interval '1 s', 'images ' || n
     FROM generate_series(1, 8250) AS n`,
  );
  await setup.db.run("ANALYZE outbox");
  const seconds = (await oldestInOutbox(setup.db)).map((one) => [one.work, Math.floor(one.seconds / 100)]);
  expect(seconds).toEqual([
    ["pictures", 80],
    ["packages", 81],
    ["images", 82],
    ["other", 79],
  ]);
  const [row] = await setup.db.run<Record<string, [{ Plan: Plan }]>>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${oldestStatement}`,
  );
  expect(mostRows(Object.values(row ?? {})[0]?.[0].Plan)).toBe(1);
});

interface Plan {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** The most rows that any step of a plan has touched. */
const mostRows = (plan: Plan | undefined): number =>
  plan === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(
        (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"],
        ...(plan.Plans ?? []).map(mostRows),
      );
