// Whether background work is done: the outbox is empty, and no job of a request is in the queue.
import type { Output } from "@plinth/contract/registry";

import { operatorOf } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import type { Front } from "../scale/shape.ts";

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
  const operator = operatorOf(front);
  let fewest = Infinity;
  let wasQuiet = false;
  for (let deadline = 0; ;) {
    // In this order, because a row leaves the outbox only after it is in the queue.
    const { outbox, queue } = await operator.call("operator.stats", {});
    const jobs = await causedJobs(front);
    const dead = jobs.find(({ state }) => state === "failed");
    if (dead !== undefined) throw new Error(`a job is dead: ${JSON.stringify(dead)}`);
    const isQuiet = jobs.length === 0 && outbox.rows === 0;
    // Twice in a row, because a job that ends in between can have written another one to the outbox.
    if (isQuiet && wasQuiet) return;
    wasQuiet = isQuiet;
    const left = outbox.rows + queue.waiting + queue.active;
    if (left < fewest) deadline = Date.now() + hung;
    fewest = Math.min(fewest, left);
    if (Date.now() > deadline) throw new Error(`jobs are left: ${JSON.stringify({ outbox, jobs: jobs.slice(0, 5) })}`);
    await Bun.sleep(100);
  }
}
