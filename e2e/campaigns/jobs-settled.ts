// Whether background work has come to rest: nothing in the outbox, no job of a request's making in the queue, and every
// head found by its words.
import type { Output } from "@plinth/contract/registry";

import type { Instance } from "../harness/instance.ts";
import { operatorOf, type Person } from "../harness/people.ts";
import { hung } from "../harness/process.ts";

/** Jobs that requests cause. The others come by themselves, and wait for their next turn for ever. */
const caused: ReadonlySet<string> = new Set(["head", "thumbnail", "invitation-mail"]);

type Job = Output<"operator.listJobs">["jobs"][number];

/** Those of a request's making, in whatever state; a dead one too. */
export async function causedJobs(instance: Instance): Promise<Job[]> {
  const { jobs } = await operatorOf(instance).call("operator.listJobs", { limit: 100 });
  return jobs.filter(({ kind }) => caused.has(kind));
}

/** Waits until every job that was caused is done. @throws where one is dead, or still there after two minutes */
export async function jobsSettled(instance: Instance): Promise<void> {
  const operator = operatorOf(instance);
  for (const deadline = Date.now() + hung; ;) {
    const jobs = await causedJobs(instance);
    const dead = jobs.find(({ state }) => state === "failed");
    if (dead !== undefined) throw new Error(`a job is dead: ${JSON.stringify(dead)}`);
    const { outbox } = await operator.call("operator.stats", {});
    if (jobs.length === 0 && outbox.rows === 0) return;
    if (Date.now() > deadline) throw new Error(`jobs are left: ${JSON.stringify({ outbox, jobs: jobs.slice(0, 5) })}`);
    await Bun.sleep(100);
  }
}

/** Waits until an artifact is found by a word of its head. @throws where it is not within two minutes */
export async function foundBy(person: Person, word: string, artifactId: string): Promise<void> {
  for (const deadline = Date.now() + hung; ;) {
    const { artifacts } = await person.client.call("artifact.list", { q: word });
    if (artifacts.some((found) => found.artifactId === artifactId)) return;
    if (Date.now() > deadline) throw new Error(`${artifactId} is not found by ${word}`);
    await Bun.sleep(100);
  }
}
