// Runs the tasks that touch hostile text outside the server, at most two at a time, with a time limit.
// A thread here is a child process, not a Worker: the native parser overflows its stack on 50 KB of
// nested source, which would end the whole server, and a markdown bomb takes over 1 GB of memory.
import type { Subprocess } from "bun";

import { tell } from "../telemetry.ts";
import type { TaskName, TaskReply, TaskReport, TaskRequest, Tasks } from "./tasks.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

const MAX_THREADS = 2;
/** For a thread to start and to load the code behind its task: no bound on sources, but on a machine that is stuck. */
const LOADING_MS = 20_000;
/** A thread that grew beyond this is replaced after its reply, so that memory goes back. */
const MAX_IDLE_BYTES = 192 * 1024 * 1024;
const PROGRAM = new URL("./thread.ts", import.meta.url).pathname;
// Nothing of the server's environment, and no crash report ever leaves the machine.
const ENVIRONMENT = { DO_NOT_TRACK: "1", BUN_ENABLE_CRASH_REPORTING: "0" };

interface Job {
  request: TaskRequest;
  timeoutMs: number;
  settle: (reply: TaskReply | Error) => void;
}

interface Thread {
  process: Subprocess;
  /** Whether it has ever been able to do anything. */
  begun: boolean;
  loaded: (() => void) | null;
  settle: Job["settle"] | null;
}

const threads = new Set<Thread>();
const waiting: Job[] = [];
let trouble: string | null = null;

/**
 * Runs one task of the closed list in a thread and gives its answer.
 * `timeoutMs` counts from the moment a thread has the task and the code behind it, so that no source is judged by how
 * busy the machine was while a thread started.
 * @throws ThreadTimeout past the limit; the thread is killed, others go on
 * @throws ThreadFailure where the task threw or its thread died
 */
export async function runInThread<Name extends TaskName>(
  name: Name,
  input: Tasks[Name]["input"],
  { timeoutMs }: { timeoutMs: number },
): Promise<Tasks[Name]["output"]> {
  const { promise, resolve } = Promise.withResolvers<TaskReply | Error>();
  const askedAt = performance.now();
  waiting.push({ request: { name, input } as TaskRequest, timeoutMs, settle: resolve });
  dispatch();
  const reply = await promise;
  const outcome = reply instanceof ThreadTimeout ? "late" : "output" in reply ? "done" : "failed";
  tell("rendering", { renderer: name, outcome, ms: performance.now() - askedAt });
  if (reply instanceof Error) throw reply;
  if ("failure" in reply) throw new ThreadFailure(reply.failure);
  return reply.output;
}

/** What kept the latest thread from starting; null where none was kept, or a later one has started. */
export const threadTrouble = (): string | null => trouble;

/** Ends every thread; tasks under way or waiting reject with ThreadFailure. A later task starts anew. */
export async function closeThreads(): Promise<void> {
  const closing = [...threads];
  for (const { settle } of waiting.splice(0)) settle(new ThreadFailure("The threads were closed"));
  for (const thread of closing) end(thread, new ThreadFailure("The threads were closed"));
  await Promise.all(closing.map((thread) => thread.process.exited));
}

function dispatch(): void {
  const idle = [...threads].find((thread) => thread.settle === null);
  if (!idle && threads.size >= MAX_THREADS) return;
  const job = waiting.shift();
  if (!job) return;
  try {
    give(idle ?? start(), job);
  } catch (cause) {
    trouble = "no thread can be started";
    job.settle(new ThreadFailure("No thread could be started", { cause }));
  }
}

function give(thread: Thread, { request, timeoutMs, settle }: Job): void {
  const late = (ms: number, what: string) =>
    setTimeout(() => end(thread, new ThreadTimeout(`The ${request.name} task took longer than ${ms} ms${what}`)), ms);
  let timer = late(LOADING_MS, " to begin");
  thread.loaded = () => {
    thread.begun = true;
    trouble = null;
    clearTimeout(timer);
    timer = late(timeoutMs, "");
  };
  thread.settle = (reply) => {
    clearTimeout(timer);
    thread.loaded = null;
    thread.settle = null;
    settle(reply);
  };
  thread.process.ref();
  try {
    thread.process.send(request);
  } catch (cause) {
    end(thread, new ThreadFailure("The thread had died", { cause }));
  }
}

function start(): Thread {
  const thread: Thread = {
    begun: false,
    loaded: null,
    settle: null,
    process: Bun.spawn([process.execPath, "--smol", PROGRAM], {
      env: ENVIRONMENT,
      stdio: ["ignore", "ignore", "ignore"],
      serialization: "advanced",
      ipc: (reply: TaskReport) => {
        if ("loaded" in reply) return thread.loaded?.();
        thread.settle?.(reply);
        if (reply.residentBytes > MAX_IDLE_BYTES) end(thread, new ThreadFailure("Replaced"));
        else thread.process.unref();
        dispatch();
      },
      onExit: () => {
        if (!thread.begun && threads.has(thread)) trouble = "a thread ended before it had begun";
        end(thread, new ThreadFailure("The thread died under its task"));
      },
    }),
  };
  threads.add(thread);
  return thread;
}

function end(thread: Thread, reason: Error): void {
  if (!threads.delete(thread)) return;
  thread.process.kill("SIGKILL");
  thread.settle?.(reason);
  dispatch();
}
