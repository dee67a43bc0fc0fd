// The child processes behind the pool, one task at a time in each. The first task starts the first one; from then on there
// is one more than tasks were under way together, and what is idle loads the code behind every task before one
// comes. What stays idle is ended. Tasks that take long run in threads that leave the processor to others.
//
// Spare threads load one after the other: three at once made each of them three times as late, and the server with them.
import type { Subprocess } from "bun";

import { emit, type TaskName } from "../telemetry.ts";
import { yieldProcessor, type Usage } from "./process-usage.ts";
import { watchUsage } from "./task-limits.ts";
import { replyOf } from "./reply-pieces.ts";
import type { TaskReply, TaskRequest, ThreadReport, ThreadRequest } from "./tasks.ts";
import { busy, ThreadFailure } from "./thread-errors.ts";

/** For a thread to start and to load the code behind its task; only a stuck machine takes longer. */
const LOADING_MS = 60_000;
/** For a task, however little of the processor it was given: a thread that hangs must not keep its place. */
const WALL_MS = 60_000;
/** A thread that grew beyond this is replaced after its reply, so that memory goes back. */
const MAX_IDLE_BYTES = 192 * 1024 * 1024;
/** Signals of a crash: the task exhausted its stack or memory. Any other end of a thread says nothing of its task. */
const crashes: readonly (NodeJS.Signals | null)[] = ["SIGSEGV", "SIGBUS", "SIGILL", "SIGTRAP", "SIGABRT", "SIGFPE"];
/** The code that an idle thread loads ahead, first what an author waits for. */
const loadedAhead: readonly TaskName[] = ["jsx", "markdown", "pieces", "source", "diff"];
/** A thread that has been idle for so long is ended: it takes 90 MB, and starting one 0.3 s. */
const IDLE_MS = 120_000;
/** The same of one for long tasks. */
const YIELDING_IDLE_MS = 60_000;
const PROGRAM = new URL("./thread.ts", import.meta.url).pathname;
// Nothing of the server's environment, and no crash report ever leaves the machine.
const ENVIRONMENT = { DO_NOT_TRACK: "1", BUN_ENABLE_CRASH_REPORTING: "0" };

/** A task, what it may use, and where its reply goes. */
interface Job {
  readonly owner: string;
  /** Whether it is to leave the processor to others from the start. */
  readonly isLong: boolean;
  readonly request: TaskRequest;
  readonly limits: Usage;
  readonly settle: (reply: Promise<TaskReply> | Error) => void;
  /** Called where the task takes long, or ends its thread: the owner's next tasks leave the processor to others. */
  readonly onLong: () => void;
}

interface Thread {
  readonly process: Subprocess;
  /** The tasks whose code it has; none until it has been able to do anything. */
  readonly loaded: Set<TaskName>;
  /** Called with the processor time that the thread has used before its task. */
  begun: ((cpuMs: number) => void) | null;
  /** Of its latest task; null before the first. */
  owner: string | null;
  /** Of its reply, as far as it has come. */
  pieces: Uint8Array[];
  /** By `performance.now()`. */
  idleSince: number;
  /** Null while it is idle. */
  settle: Job["settle"] | null;
  /** Called where its task crashed it. */
  crashed: (() => void) | null;
  /** Whether it leaves the processor to others; only an administrator could undo that. */
  yields: boolean;
  /** Ends it where it has been idle for long. */
  timer?: Timer;
}

/** What the threads do: `ready` ones are idle and have all code, `loading` ones do not have it yet. */
type ThreadState = "busy" | "ready" | "loading";

const cannotStart = "no thread can be started";
const threads = new Set<Thread>();
/** The ends of those that were killed and are still there: a process with much memory takes a while to go. */
const leaving = new Set<Promise<unknown>>();
/** How many threads there are to be that do not leave the processor to others: one more than were busy together, until they were idle for long. */
let wanted = 0;
let trouble: string | null = null;

/** How many threads there are, by what they do. */
export function threadStates(): Record<ThreadState, number> {
  const states = { busy: 0, ready: 0, loading: 0 };
  for (const thread of threads)
    states[thread.settle !== null ? "busy" : nextToLoad(thread) === undefined ? "ready" : "loading"]++;
  return states;
}

/** What kept the latest thread from starting; null where none was kept, or a later one has started. */
export const threadTrouble = (): string | null => trouble;

/** Has the task done by an idle thread, or by one more: how many are under way is for the caller to bound. */
export function runJob(job: Job): void {
  try {
    const thread = threadFor(job);
    if (!thread.loaded.has(job.request.name)) emit("coldStart", { renderer: job.request.name });
    give(thread, job);
  } catch (cause) {
    trouble = cannotStart;
    job.settle(busy("No compiler or renderer can be started", cause));
  }
}

const idle = (yields: boolean): Thread[] =>
  [...threads].filter((thread) => thread.settle === null && thread.yields === yields);

/**
 * An owner keeps its thread, whose code is fast by then; another owner gets one without an owner, else the one that has been
 * idle for the longest. Where none has the code of the task, the one that has loaded the most is the first to have it.
 */
function threadFor({ owner, isLong, request: { name } }: Job): Thread {
  const free = idle(isLong).toSorted((one, other) => one.idleSince - other.idleSince);
  const able = free.filter(({ loaded }) => loaded.has(name));
  const own = able.findLast((thread) => thread.owner === owner);
  const [mostLoaded] = free.toSorted((one, other) => other.loaded.size - one.loaded.size);
  return own ?? able.findLast((thread) => thread.owner === null) ?? able[0] ?? mostLoaded ?? start(isLong);
}

function give(thread: Thread, { owner, isLong, request, limits, settle, onLong }: Job): void {
  thread.owner = owner;
  clearTimeout(thread.timer);
  const late = (ms: number) =>
    setTimeout(() => replace(thread, busy(`The ${request.name} task was given too little of the processor`)), ms);
  let timer = late(LOADING_MS);
  let stopLooking: (() => void) | null = null;
  thread.begun = (usedBefore) => {
    thread.loaded.add(request.name);
    trouble = null;
    clearTimeout(timer);
    timer = late(WALL_MS);
    const { pid } = thread.process;
    const over = (error: Error) => {
      onLong();
      replace(thread, error);
    };
    const long = () => {
      onLong();
      if (thread.yields) return;
      thread.yields = true;
      yieldProcessor(pid);
      startSpares();
    };
    stopLooking = watchUsage(pid, { name: request.name, limits, usedBefore }, { over, long });
    if (!isLong && idle(false).length === 0) wanted = Math.max(wanted, countOrdinary() + 1);
    startSpares();
  };
  thread.crashed = onLong;
  thread.settle = (reply) => {
    clearTimeout(timer);
    stopLooking?.();
    thread.begun = null;
    thread.settle = null;
    thread.crashed = null;
    thread.idleSince = performance.now();
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

function start(yields: boolean): Thread {
  const thread: Thread = {
    loaded: new Set(),
    begun: null,
    owner: null,
    pieces: [],
    idleSince: performance.now(),
    settle: null,
    crashed: null,
    yields,
    process: Bun.spawn([process.execPath, "--smol", PROGRAM], {
      env: ENVIRONMENT,
      stdio: ["ignore", "ignore", "ignore"],
      serialization: "advanced",
      ipc: (report: ThreadReport) => receive(thread, report),
      onExit: (_process, _code, signal) => {
        if (thread.loaded.size === 0 && threads.has(thread)) trouble = "a thread ended before it had begun";
        const crashed = crashes.includes(signal as unknown as NodeJS.Signals | null);
        if (crashed) thread.crashed?.();
        replace(
          thread,
          crashed ? new ThreadFailure("The thread crashed under its task") : busy("A compiler or renderer was ended"),
        );
      },
    }),
  };
  thread.process.unref();
  threads.add(thread);
  if (yields) yieldProcessor(thread.process.pid);
  return thread;
}

function receive(thread: Thread, report: ThreadReport): void {
  // Ended, with a report still on its way.
  if (!threads.has(thread)) return;
  if ("begun" in report) return thread.begun?.(report.cpuMs);
  if ("loaded" in report) {
    thread.loaded.add(report.loaded);
    trouble = null;
  } else {
    thread.pieces.push(report.piece);
    if (report.last === undefined) return;
    const { isPacked, residentBytes } = report.last;
    thread.process.unref();
    thread.settle?.(replyOf(thread.pieces.splice(0), isPacked));
    if (residentBytes > MAX_IDLE_BYTES || (thread.yields && idle(true).length > 1)) {
      end(thread, busy("Replaced"));
      startSpares();
      return;
    }
  }
  if (thread.settle !== null) return;
  endWhenIdle(thread);
  loadAhead(thread);
}

/** What ended thus is not started again before a task comes. */
function endWhenIdle(thread: Thread): void {
  const rest = () => {
    end(thread, busy("Idle"));
    wanted = Math.min(wanted, countOrdinary());
  };
  clearTimeout(thread.timer);
  thread.timer = setTimeout(rest, thread.yields ? YIELDING_IDLE_MS : IDLE_MS).unref();
}

const nextToLoad = ({ loaded }: Thread): TaskName | undefined => loadedAhead.find((name) => !loaded.has(name));

/** Has an idle thread load what it does not have, one at a time: a task that comes waits for no more than that. */
function loadAhead(thread: Thread): void {
  const name = nextToLoad(thread);
  if (name !== undefined) send(thread, { load: name });
  else startSpares();
}

const countOrdinary = (): number => [...threads].filter(({ yields }) => !yields).length;

/** Starts a thread for a task that is still to come, unless there are as many as wanted or one is still being loaded. */
function startSpares(): void {
  const isLoading = idle(false).some((thread) => nextToLoad(thread) !== undefined);
  if (isLoading || countOrdinary() >= wanted) return;
  try {
    loadAhead(start(false));
  } catch {
    // The next task tries again, and is told the cause.
    trouble = cannotStart;
  }
}

/** Ends a thread; where it had a task that was not long, its successor follows. */
function replace(thread: Thread, reason: Error): void {
  const hasSuccessor = thread.settle !== null && !thread.yields;
  end(thread, reason);
  if (hasSuccessor) startSpares();
}

function end(thread: Thread, reason: Error): void {
  if (!threads.delete(thread)) return;
  clearTimeout(thread.timer);
  thread.process.kill("SIGKILL");
  const gone = thread.process.exited.finally(() => leaving.delete(gone));
  leaving.add(gone);
  thread.settle?.(reason);
}

/** Ends every thread and starts none; what is under way is settled with the reason. */
export async function endThreads(reason: Error): Promise<void> {
  wanted = 0;
  for (const thread of threads) end(thread, reason);
  await Promise.all(leaving);
}
