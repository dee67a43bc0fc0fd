// Runs the tasks that touch hostile text outside the server, each at a place of the fair queue and within limits of
// processor time and memory. A thread here is a child process, not a Worker: the native parser overflows its stack on
// 50 KB of nested source, which would end the whole server, and a markdown bomb takes over 1 GB of memory.
import { availableParallelism, totalmem } from "node:os";

import { offMainThread } from "@plinth/platform/main-thread";

import { emit, type TaskName } from "../telemetry.ts";
import { createFairQueue, halfOf, type Place, type QueueBounds, type Refusal, type Work } from "./fair-queue.ts";
import type { Usage } from "./process-usage.ts";
import type { TaskReply, TaskRequest, Tasks } from "./tasks.ts";
import { busy, isBusy, ThreadFailure, ThreadTimeout } from "./thread-errors.ts";
import { endThreads, runJob } from "./thread-processes.ts";

/**
 * The memory limit of a task: it is ended before the system would kill it, because then it would be unknown whether the
 * task or the load was the cause.
 */
const MAX_BYTES = Math.min(1536 * 1024 * 1024, (process.constrainedMemory() || totalmem()) / 2);

const refusals: Readonly<Record<Refusal, string>> = {
  full: "Too much is waiting to be compiled, rendered or compared",
  late: "The compilers and renderers have been busy for too long",
  closed: "The compilers and renderers are being closed",
};

/** One for each processor, at least two, and as many for long works; half as many for background work. */
export const places = Math.min(8, Math.max(2, availableParallelism()));
const bounds: QueueBounds = {
  places,
  long: places,
  waiting: { ofOne: 32, inAll: 256 },
  waitMs: { request: 15_000, background: 120_000 },
};

export const placesOfOne = halfOf(places);

/** What a task is run with. */
interface TaskOptions {
  readonly work: Work;
  /** Processor time for the task, without that for starting a thread. */
  readonly cpuMs: number;
  /** Resident memory of the thread; 1.5 GB unless told, or half of what a small machine has. */
  readonly residentBytes?: number;
}

let queue = createFairQueue(bounds);

/**
 * Runs one task of the closed list in a thread and gives its answer.
 * @throws ThreadTimeout where the task used up its processor time; the thread is killed, others go on
 * @throws ThreadFailure where the task threw, crashed its thread or took too much memory
 * @throws busy where no place came free in time, or the thread was ended for no fault of the task
 */
export async function runInThread<Name extends TaskName>(
  name: Name,
  input: Tasks[Name]["input"],
  { work, cpuMs, residentBytes = MAX_BYTES }: TaskOptions,
): Promise<Tasks[Name]["output"]> {
  const askedAt = performance.now();
  const reply = await offMainThread(atPlace(work, { name, input } as TaskRequest, { cpuMs, residentBytes }));
  emit("rendering", { renderer: name, outcome: outcomeOf(reply), ms: performance.now() - askedAt });
  if (reply instanceof Error) throw reply;
  if ("failure" in reply) throw new ThreadFailure(reply.failure);
  return reply.output;
}

function outcomeOf(reply: TaskReply | Error) {
  if (isBusy(reply)) return "busy";
  if (reply instanceof ThreadTimeout) return "late";
  return "output" in reply ? "done" : "failed";
}

/** Holds a place for as long as the work takes, without a thread, or until it makes way. @throws busy */
export async function holdPlace<Result>(work: Work, hold: (place: Place) => Promise<Result>): Promise<Result> {
  const asked = queue;
  const place = await asked.take(work);
  if (typeof place === "string") throw busy(refusals[place]);
  // Closed between the place and this.
  if (asked !== queue) throw busy(refusals.closed);
  try {
    return await hold(place);
  } finally {
    place.leave();
  }
}

/** Adds one who asks for work that was asked for already: it is done at the first turn of any of them. */
export const join = (work: Work, other: Work): void => queue.join(work, other);

/** The places, those that are taken, what waits for one, and long works beside them. */
export const placesLoad = () => ({
  size: places + placesOfOne,
  in_use: queue.taken,
  waiting: queue.waiting,
  long: queue.long,
});

/** Ends every thread; tasks under way or waiting reject as `busy`. A later task starts a new thread. */
export async function closeThreads(): Promise<void> {
  const abandoned = queue;
  queue = createFairQueue(bounds);
  abandoned.close();
  await endThreads(busy(refusals.closed));
}

async function atPlace(work: Work, request: TaskRequest, limits: Usage): Promise<TaskReply | Error> {
  const run = (place: Place) =>
    new Promise<TaskReply | Error>((settle) =>
      runJob({ owner: work.owner, isLong: place.isLong, request, limits, settle, onLong: () => place.makeWay() }),
    );
  return holdPlace(work, run).catch((error: unknown) => {
    if (isBusy(error)) return error as Error;
    throw error;
  });
}
