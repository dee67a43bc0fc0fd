// Whether background work has come to rest: nothing in the outbox, and no job of a request's making in the queue.
import type { Output } from "@plinth/contract/registry";

import { operatorOf } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import type { Front } from "../scale/shape.ts";

/** Jobs that requests cause. The others come by themselves, and wait for their next turn for ever. */
const caused: ReadonlySet<string> = new Set(["head", "thumbnail", "version-picture", "invitation-mail"]);

type Job = Output<"operator.listJobs">["jobs"][number];

/** Those of a request's making, in whatever state; a dead one too. */
export async function causedJobs(front: Front): Promise<Job[]> {
  const { jobs } = await operatorOf(front).call("operator.listJobs", { limit: 100 });
  return jobs.filter(({ kind }) => caused.has(kind));
}

/** Waits until every job that was caused is done. @throws where one is dead, or for two minutes none has gone */
export async function jobsSettled(front: Front): Promise<void> {
  const operator = operatorOf(front);
  let fewest = Infinity;
  let wasQuiet = false;
  for (let deadline = 0; ;) {
    // In this order: what leaves the outbox meanwhile is in the queue before.
    const { outbox, queue } = await operator.call("operator.stats", {});
    const jobs = await causedJobs(front);
    const dead = jobs.find(({ state }) => state === "failed");
    if (dead !== undefined) throw new Error(`a job is dead: ${JSON.stringify(dead)}`);
    const isQuiet = jobs.length === 0 && outbox.rows === 0;
    // Twice in a row: a job that ends between the looks may have put another into the outbox.
    if (isQuiet && wasQuiet) return;
    wasQuiet = isQuiet;
    const left = outbox.rows + queue.waiting + queue.active;
    if (left < fewest) deadline = Date.now() + hung;
    fewest = Math.min(fewest, left);
    if (Date.now() > deadline) throw new Error(`jobs are left: ${JSON.stringify({ outbox, jobs: jobs.slice(0, 5) })}`);
    await Bun.sleep(100);
  }
}
