// Runs the tasks that touch hostile text outside the server, each at a place of the fair queue and within a limit of
// processor time. A thread here is a child process, not a Worker: the native parser overflows its stack on 50 KB of
// nested source, which would end the whole server, and a markdown bomb takes over 1 GB of memory. The first task starts
// the first thread; from then on there is one more than tasks were ever under way together, and what is idle has loaded
// the code behind every task before one comes. An idle thread takes about 90 MB.
import type { Subprocess } from "bun";
import { availableParallelism } from "node:os";

import { tell } from "../telemetry.ts";
import { createFairQueue, halfOf, type QueueBounds, type Refusal, type Work } from "./fair-queue.ts";
import { processorTimeOf } from "./processor-time.ts";
import type { TaskName, TaskReply, TaskRequest, Tasks, ThreadReport, ThreadRequest } from "./tasks.ts";
import { busy, isBusy, ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

/** For a thread to start and to load the code behind its task; only a stuck machine takes longer. */
const LOADING_MS = 60_000;
/** For a task, however little of the processor it was given: a thread that hangs must not keep its place. */
const WALL_MS = 60_000;
/** Between looks at the processor time of a task. */
const LOOK_MS = 100;
/** A thread that grew beyond this is replaced after its reply, so that memory goes back. */
const MAX_IDLE_BYTES = 192 * 1024 * 1024;
/** Signals of a crash: the task exhausted its stack or memory. Any other end of a thread says nothing of its task. */
const crashes: readonly (NodeJS.Signals | null)[] = ["SIGSEGV", "SIGBUS", "SIGILL", "SIGTRAP", "SIGABRT", "SIGFPE"];
/** The code that an idle thread loads ahead, first what an author waits for. */
const loadedAhead: readonly TaskName[] = ["jsx", "markdown", "source", "diff"];
const PROGRAM = new URL("./thread.ts", import.meta.url).pathname;
// Nothing of the server's environment, and no crash report ever leaves the machine.
const ENVIRONMENT = { DO_NOT_TRACK: "1", BUN_ENABLE_CRASH_REPORTING: "0" };

const refusals: Readonly<Record<Refusal, string>> = {
  full: "Too much is waiting to be compiled, rendered or compared",
  late: "The compilers and renderers have been busy for too long",
  closed: "The compilers and renderers are being closed",
};

/** One for each processor, at least two; there is at most one thread more. */
const bounds: QueueBounds = {
  places: Math.min(8, Math.max(2, availableParallelism())),
  waiting: { ofOne: 32, inAll: 256 },
  waitMs: { request: 15_000, background: 120_000 },
};

export const placesOfOne = halfOf(bounds.places);

/** What a task is run with. */
export interface TaskOptions {
  readonly work: Work;
  /** Processor time for the task, without that for starting a thread. */
  readonly cpuMs: number;
}

interface Job {
  readonly request: TaskRequest;
  readonly cpuMs: number;
  readonly settle: (reply: TaskReply | Error) => void;
}

interface Thread {
  readonly process: Subprocess;
  /** The tasks whose code it has; none until it has been able to do anything. */
  readonly loaded: Set<TaskName>;
  /** Called with the processor time that the thread has used before its task. */
  begun: ((cpuMs: number) => void) | null;
  /** Null while it is idle. */
  settle: Job["settle"] | null;
}

/** What the threads do: `ready` ones are idle and have all code, `loading` ones do not have it yet. */
export type ThreadState = "busy" | "ready" | "loading";

const cannotStart = "no thread can be started";

let queue = createFairQueue(bounds);
const threads = new Set<Thread>();
let trouble: string | null = null;

/**
 * Runs one task of the closed list in a thread and gives its answer.
 * @throws ThreadTimeout where the task used up its processor time; the thread is killed, others go on
 * @throws ThreadFailure where the task threw or crashed its thread
 * @throws busy where no place came free in time, or the thread was ended for no fault of the task
 */
export async function runInThread<Name extends TaskName>(
  name: Name,
  input: Tasks[Name]["input"],
  { work, cpuMs }: TaskOptions,
): Promise<Tasks[Name]["output"]> {
  const askedAt = performance.now();
  const reply = await atPlace(work, { name, input } as TaskRequest, cpuMs);
  tell("rendering", { renderer: name, outcome: outcomeOf(reply), ms: performance.now() - askedAt });
  if (reply instanceof Error) throw reply;
  if ("failure" in reply) throw new ThreadFailure(reply.failure);
  return reply.output;
}

function outcomeOf(reply: TaskReply | Error) {
  if (isBusy(reply)) return "busy";
  if (reply instanceof ThreadTimeout) return "late";
  return "output" in reply ? "done" : "failed";
}

/** Holds a place for as long as the work takes, without a thread. @throws busy */
export async function holdPlace<Result>(work: Work, hold: () => Promise<Result>): Promise<Result> {
  const asked = queue;
  const place = await asked.take(work);
  if (typeof place === "string") throw busy(refusals[place]);
  // Closed between the place and this.
  if (asked !== queue) throw busy(refusals.closed);
  try {
    return await hold();
  } finally {
    place();
  }
}

/** Adds one who asks for work that was asked for already: it is done at the first turn of any of them. */
export const join = (work: Work, other: Work): void => queue.join(work, other);

/** The places, those that are taken, and what waits for one. */
export const placesLoad = () => ({ size: bounds.places, in_use: queue.taken, waiting: queue.waiting });

/** How many threads there are, by what they do. */
export function threadStates(): Record<ThreadState, number> {
  const states = { busy: 0, ready: 0, loading: 0 };
  for (const thread of threads)
    states[thread.settle !== null ? "busy" : nextToLoad(thread) === undefined ? "ready" : "loading"]++;
  return states;
}

/** What kept the latest thread from starting; null where none was kept, or a later one has started. */
export const threadTrouble = (): string | null => trouble;

/** Ends every thread; tasks under way or waiting reject as `busy`. A later task starts a new thread. */
export async function closeThreads(): Promise<void> {
  const closing = [...threads];
  const abandoned = queue;
  queue = createFairQueue(bounds);
  abandoned.close();
  for (const thread of closing) end(thread, busy(refusals.closed));
  await Promise.all(closing.map((thread) => thread.process.exited));
}

async function atPlace(work: Work, request: TaskRequest, cpuMs: number): Promise<TaskReply | Error> {
  const run = () => new Promise<TaskReply | Error>((settle) => begin({ request, cpuMs, settle }));
  return holdPlace(work, run).catch((error: unknown) => {
    if (isBusy(error)) return error as Error;
    throw error;
  });
}

function begin(job: Job): void {
  try {
    const thread = threadFor(job.request.name);
    if (!thread.loaded.has(job.request.name)) tell("coldStart", { renderer: job.request.name });
    give(thread, job);
  } catch (cause) {
    trouble = cannotStart;
    job.settle(busy("No compiler or renderer can be started", cause));
  }
}

function threadFor(name: TaskName): Thread {
  const idle = [...threads].filter(({ settle }) => settle === null);
  return idle.find(({ loaded }) => loaded.has(name)) ?? idle[0] ?? start();
}

function give(thread: Thread, { request, cpuMs, settle }: Job): void {
  const late = (ms: number) =>
    setTimeout(() => replace(thread, busy(`The ${request.name} task was given too little of the processor`)), ms);
  let timer = late(LOADING_MS);
  let stopLooking: (() => void) | null = null;
  thread.begun = (usedBefore) => {
    thread.loaded.add(request.name);
    trouble = null;
    clearTimeout(timer);
    timer = late(WALL_MS);
    stopLooking = whenUsed(thread.process.pid, usedBefore + cpuMs, () =>
      replace(thread, new ThreadTimeout(`The ${request.name} task took more than ${cpuMs} ms of processor time`)),
    );
    if ([...threads].every((one) => one.settle !== null)) startSpare();
  };
  thread.settle = (reply) => {
    clearTimeout(timer);
    stopLooking?.();
    thread.begun = null;
    thread.settle = null;
    settle(reply);
  };
  thread.process.ref();
  send(thread, request);
}

function send(thread: Thread, request: ThreadRequest): void {
  try {
    thread.process.send(request);
  } catch (cause) {
    replace(thread, busy("A compiler or renderer had ended", cause));
  }
}

/** Calls back once the process has used so much processor time, unless stopped before. */
function whenUsed(pid: number, limitMs: number, over: () => void): () => void {
  let stopped = false;
  let timer: Timer;
  const wait = () => void (timer = setTimeout(() => void look(), LOOK_MS));
  async function look(): Promise<void> {
    const used = await processorTimeOf(pid).catch(() => null);
    if (stopped) return;
    if (used !== null && used > limitMs) over();
    else wait();
  }
  wait();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function start(): Thread {
  const thread: Thread = {
    loaded: new Set(),
    begun: null,
    settle: null,
    process: Bun.spawn([process.execPath, "--smol", PROGRAM], {
      env: ENVIRONMENT,
      stdio: ["ignore", "ignore", "ignore"],
      serialization: "advanced",
      ipc: (report: ThreadReport) => receive(thread, report),
      onExit: (_process, _code, signal) => {
        if (thread.loaded.size === 0 && threads.has(thread)) trouble = "a thread ended before it had begun";
        const crashed = crashes.includes(signal as unknown as NodeJS.Signals | null);
        replace(
          thread,
          crashed ? new ThreadFailure("The thread crashed under its task") : busy("A compiler or renderer was ended"),
        );
      },
    }),
  };
  thread.process.unref();
  threads.add(thread);
  return thread;
}

function receive(thread: Thread, report: ThreadReport): void {
  if ("begun" in report) return thread.begun?.(report.cpuMs);
  if ("loaded" in report) {
    thread.loaded.add(report.loaded);
    trouble = null;
  } else {
    thread.process.unref();
    thread.settle?.(report);
    if (report.residentBytes > MAX_IDLE_BYTES) {
      end(thread, busy("Replaced"));
      return startSpare();
    }
  }
  if (thread.settle === null) loadAhead(thread);
}

const nextToLoad = ({ loaded }: Thread): TaskName | undefined => loadedAhead.find((name) => !loaded.has(name));

/** Has an idle thread load what it does not have, one at a time: a task that comes waits for no more than that. */
function loadAhead(thread: Thread): void {
  const name = nextToLoad(thread);
  if (name !== undefined && threads.has(thread)) send(thread, { load: name });
}

/** A thread for a task that is still to come. */
function startSpare(): void {
  try {
    loadAhead(start());
  } catch {
    // The next task tries again, and is told the cause.
    trouble = cannotStart;
  }
}

/** Ends a thread; where it had a task, its successor starts at once. */
function replace(thread: Thread, reason: Error): void {
  const hadTask = thread.settle !== null;
  end(thread, reason);
  if (hadTask) startSpare();
}

function end(thread: Thread, reason: Error): void {
  if (!threads.delete(thread)) return;
  thread.process.kill("SIGKILL");
  thread.settle?.(reason);
}
