// Waits for background work: until the outbox is empty, and no job of a request is in the queue.
import { ProblemError } from "@plinth/contract/client";
import type { Output } from "@plinth/contract/registry";

import { operatorOf } from "./people.ts";
import { hung } from "./process.ts";
import type { Front } from "./instance.ts";

/** Jobs that requests cause. The others are scheduled, and always wait for their next turn. */
const caused: ReadonlySet<string> = new Set(["head", "thumbnail", "version-picture", "diagrams", "invitation-mail"]);

type Job = Output<"operator.listJobs">["jobs"][number];

/** Jobs of requests in any state, dead ones included. */
export async function causedJobs(front: Front): Promise<Job[]> {
  const { jobs } = await operatorOf(front).call("operator.listJobs", { limit: 100 });
  return jobs.filter(({ kind }) => caused.has(kind));
}

/** Waits until every caused job is done. @throws if one is dead, or if none finishes for two minutes */
export async function jobsSettled(front: Front): Promise<void> {
  let fewest = Infinity;
  let wasQuiet = false;
  for (let deadline = Date.now() + hung; ;) {
    const work = await unlessUnavailable(workOf(front));
    if (work !== null) {
      const dead = work.jobs.find(({ state }) => state === "failed");
      if (dead !== undefined) throw new Error(`a job is dead: ${JSON.stringify(dead)}`);
      const isQuiet = work.jobs.length === 0 && work.outbox === 0;
      // Twice in a row, because a job that ends in between can have written another one to the outbox.
      if (isQuiet && wasQuiet) return;
      wasQuiet = isQuiet;
      if (work.left < fewest) deadline = Date.now() + hung;
      fewest = Math.min(fewest, work.left);
    }
    if (Date.now() > deadline) throw new Error(`jobs are left: ${JSON.stringify(work)}`);
    await Bun.sleep(100);
  }
}

async function workOf(front: Front): Promise<{ outbox: number; left: number; jobs: Job[] }> {
  // In this order, because a row leaves the outbox only after it is in the queue.
  const { outbox, queue } = await operatorOf(front).call("operator.stats", {});
  const jobs = await causedJobs(front);
  return { outbox: outbox.rows, left: outbox.rows + queue.waiting + queue.active, jobs };
}

/** Null where the database or the queue was away for a moment, as after the faults that stress tests cause. */
async function unlessUnavailable<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === "unavailable") return null;
    throw error;
  }
}
