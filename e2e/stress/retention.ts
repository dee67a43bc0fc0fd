// Retention during reads, comparisons, restores and publishes.
import { planIds, type PlanId } from "@plinth/contract/plans";
import { SQL } from "bun";
import { rm } from "node:fs/promises";

import { databaseUrlOf } from "../harness/embedded-database.ts";
import { send } from "../harness/http.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { createPerson, createProject, operatorOf, type Person } from "../harness/people.ts";
import { hung, temporaryFolder } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { type StressTest, assert, inParallel, spreadOf } from "./stress-test.ts";
import { doctorIsContent } from "./doctor.ts";
import { artifactIdOf, isDue, release, seed, seededBy, versionsOf, type Seeded } from "./retention-seed.ts";
import { act, newTrafficLog, requireText, type Place, type TrafficLog } from "./retention-traffic.ts";

const width = 4;
/** The number of parts that are released one after another, so that all traffic coincides with it. */
const parts = 10;
/** Actions for each part. */
const leastActs = 40;
/** Kept versions and tombstones that are read afterwards. */
const sample = 400;
/** The highest number of versions in one transaction (domain/retention/prune.ts). */
const mostAtOnce = 200;

const daysOf = (name: "version" | "audit") =>
  `CASE w.plan WHEN 'free' THEN ${name === "version" ? 30 : 7} WHEN 'pro' THEN ${name === "version" ? 365 : 90} ELSE 365 END`;

const dueStatement = `
SELECT (SELECT count(*)::int FROM artifact a JOIN workspace w ON w.workspace_id = a.workspace_id
    WHERE a.oldest_superseded_at <= now() - make_interval(days => ${daysOf("version")})) AS artifacts,
  (SELECT count(*)::int FROM audit_event e JOIN workspace w ON w.workspace_id = e.workspace_id
    WHERE e.request_id = 'seeded' AND e.occurred_at < now() - make_interval(days => ${daysOf("audit")})) AS events`;

/**
 * Runs retention until nothing is due, and returns how long that took in ms. A run leaves an artifact that is being changed
 * to a later one, so one run is not always enough.
 */
async function retain(instance: Instance, sql: SQL): Promise<number> {
  const began = performance.now();
  let last = "";
  let lastAt = began;
  for (;;) {
    await operatorOf(instance).call("operator.runJob", { kind: "retention" });
    await untilRun(instance, sql);
    const [due] = (await sql.unsafe(dueStatement)) as { artifacts: number; events: number }[];
    if (due?.artifacts === 0 && due.events === 0) return performance.now() - began;
    const state = JSON.stringify(due);
    if (state !== last) [last, lastAt] = [state, performance.now()];
    assert(performance.now() - lastAt < hung, () => `retention has stopped: ${state}`);
  }
}

async function untilRun(instance: Instance, sql: SQL): Promise<void> {
  const operator = operatorOf(instance);
  const isPending = async () => {
    // In this order, because a row leaves the outbox only after it is in the queue.
    const rows: unknown[] = await sql.unsafe("SELECT FROM outbox WHERE kind = 'retention'");
    const { jobs } = await operator.call("operator.listJobs", { limit: 100 });
    const states = jobs.filter(({ kind }) => kind === "retention").map(({ state }) => state);
    assert(!states.includes("failed"), () => "a job of retention is dead");
    return rows.length > 0 || states.some((state) => state !== "delayed");
  };
  while (await isPending()) await Bun.sleep(100);
}

/** The longest transaction and the longest wait for a lock in ms, sampled every 20 ms. */
function watchLocks(sql: SQL): { stop(): Promise<{ longestTransactionMs: number; longestWaitMs: number }> } {
  const longest = { longestTransactionMs: 0, longestWaitMs: 0 };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const [row] = (await sql.unsafe(
        `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float8 * 1000 AS open,
           coalesce(max(extract(epoch FROM clock_timestamp() - query_start)) FILTER (WHERE wait_event_type = 'Lock'), 0)::float8 * 1000 AS waiting
         FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND query NOT LIKE '%seeded%'`,
      )) as { open: number; waiting: number }[];
      longest.longestTransactionMs = Math.max(longest.longestTransactionMs, Math.round(row?.open ?? 0));
      longest.longestWaitMs = Math.max(longest.longestWaitMs, Math.round(row?.waiting ?? 0));
      await Bun.sleep(20);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return longest;
    },
  };
}

/** Exactly the overdue versions are deleted, and no transaction deleted more than a batch. */
async function requireTaken(sql: SQL, seeded: Seeded): Promise<number> {
  const rows = (await sql.unsafe(
    `SELECT ('x' || right(artifact_id::text, 8))::bit(32)::int AS artifact, pruned_through AS through
     FROM artifact WHERE slug LIKE 'seeded-%' ORDER BY artifact_id`,
  )) as { artifact: number; through: number }[];
  let taken = 0;
  for (const { artifact, through } of rows) {
    let due = 0;
    while (isDue(seeded, artifact, due + 1)) due++;
    assert(through === due, () => `of artifact ${artifact} ${through} versions are gone instead of ${due}`);
    taken += due;
  }
  const [batch] = (await sql.unsafe(
    "SELECT coalesce(max(n), 0)::int AS most FROM (SELECT count(*) AS n FROM version WHERE pruned_at IS NOT NULL GROUP BY pruned_at) batches",
  )) as { most: number }[];
  assert((batch?.most ?? 0) <= mostAtOnce, () => `a transaction took ${batch?.most} versions`);
  return taken;
}

async function requireReadable({ origin, seeded }: Place, log: TrafficLog, random: () => number): Promise<void> {
  await inParallel(sample, width, async () => {
    const artifact = Math.floor(random() * seeded.artifacts);
    const version = 1 + Math.floor(random() * versionsOf(seeded, artifact));
    const { status, text } = await send(`${origin}/api/artifacts/${artifactIdOf(artifact)}/content?version=${version}`);
    const isRight = isDue(seeded, artifact, version)
      ? status === 404 && text.includes("version_expired")
      : status === 200;
    assert(isRight, () => `afterwards ${artifact} v${version} answers ${status} ${text.slice(0, 200)}`);
  });
  const written = [...log.written];
  await inParallel(written.length, width, async (index) => {
    const [key, number] = written[index] ?? ["", 0];
    const [artifactId, version] = key.split(" ");
    requireText(
      await send(`${origin}/api/artifacts/${artifactId}/content?version=${version}`),
      number,
      `afterwards ${key}`,
    );
  });
}

export const retention: StressTest = {
  claim: "retention takes what is due and nothing else, whoever reads, compares, restores and publishes meanwhile",
  count: 200_000,
  shortCount: 2_000,

  async run({ count, seed: seedNumber }) {
    const random = randomFrom(seedNumber);
    const seeded = seededBy(count);
    const dataDir = await temporaryFolder("retention");
    const instance = await startInstance({ dataDir });
    const sql = new SQL(databaseUrlOf(dataDir), { max: 2 });
    try {
      const owners = {} as Record<PlanId, Person>;
      const projects = {} as Record<PlanId, string>;
      const projectIds = {} as Record<PlanId, string>;
      for (const plan of planIds) {
        owners[plan] = await createPerson(instance, plan);
        const { slug, projectId } = await createProject(owners[plan]);
        [projects[plan], projectIds[plan]] = [slug, projectId];
      }
      await seed(sql, seeded, owners, projectIds);
      const place: Place = { origin: instance.origin, seeded, owners, projects };
      const log = newTrafficLog();
      const locks = watchLocks(sql);
      let isDone = false;
      let acts = 0;
      const traffic = inParallel(width, width, async () => {
        for (; !isDone; acts++) await act(place, log, random);
      });
      let prunedMs = 0;
      const pruning = (async () => {
        for (let part = 0; part < parts; part++) {
          await release(sql, part, parts);
          prunedMs += await retain(instance, sql);
          while (acts < leastActs * (part + 1)) await Bun.sleep(20);
        }
      })().finally(() => (isDone = true));
      // All three end before the instance does, so that the error of the first one to fail is the one reported.
      const outcomes = await Promise.allSettled([pruning, traffic]);
      const { longestTransactionMs, longestWaitMs } = await locks.stop();
      for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
      await retain(instance, sql);
      const taken = await requireTaken(sql, seeded);
      await requireReadable(place, log, random);
      await doctorIsContent({ DATA_DIR: dataDir });
      return {
        versions: seeded.versions,
        taken,
        prunedInSeconds: Math.round(prunedMs / 100) / 10,
        acts: log.counts,
        writeMs: spreadOf(log.writes),
        longestTransactionMs,
        longestWaitMs,
      };
    } finally {
      await sql.close();
      await instance.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
