// Timers in the program's source: each either belongs to a row of "What wakes a quiet instance"
// (docs/architecture/processes.md), or runs only after something happened. A new timer fails until it is one of these.
import { expect, test } from "bun:test";
import { join } from "node:path";

import { kinds } from "@plinth/domain/queue/kinds";

const root = join(import.meta.dir, "..");

/** Files with timers that go off in a quiet instance, and how many timers each has. The table names each file. */
const waking: Readonly<Record<string, number>> = {
  "db/guarded-pool.ts": 5,
  "domain/database-watch.ts": 3,
  "domain/leases/leases.ts": 6,
  "domain/leases/protocol.ts": 1,
  "domain/queue/kinds.ts": 8,
  "domain/queue/open-queue.ts": 3,
  "domain/queue/open-worker.ts": 4,
  "domain/queue/relay.ts": 11,
  "domain/queue/worker-process.ts": 2,
  "platform/log.ts": 1,
  "scripts/start.ts": 2,
};

/** Files with timers that a quiet instance does not have running: how many, and what starts and ends them. */
const resting: Readonly<Record<string, readonly [count: number, why: string]>> = {
  "api/body-reader.ts": [1, "until a body has arrived"],
  "api/body-room.ts": [3, "while bodies arrive"],
  "api/mcp/preview-artifact.ts": [1, "while a caller waits for a screenshot"],
  "domain/access/load.ts": [1, "from a read until its rows were not in use for five seconds"],
  "domain/batched.ts": [1, "while a batch of requests is answered"],
  "domain/content/image-documents.ts": [1, "no timer: how old an entry may be when it is read"],
  "domain/events/notify-channel.ts": [2, "while changes are sent"],
  "domain/events/watching.ts": [5, "while event streams are open"],
  "domain/lasting-connection.ts": [4, "while the connection is lost, and to pause for those who use it"],
  "domain/queue/relay-batch-size.ts": [1, "while more jobs wait than are handed over at once"],
  "domain/storage/reach-store.ts": [1, "no timer: how old an answer may be when health is asked"],
  "domain/threads/fair-queue.ts": [1, "while work waits for a child process"],
  "domain/threads/task-limits.ts": [1, "while a child process has a task"],
  "domain/threads/thread-processes.ts": [2, "for a task that was canceled, and once after the last task"],
  "platform/awake-timeout.ts": [1, "while an answer is awaited"],
  "platform/write-buffer.ts": [2, "once after a first value"],
  "platform/with-timeout.ts": [1, "while an answer is awaited"],
  "server/await-database.ts": [2, "at the start"],
  "server/embedded-postgres.ts": [3, "at the start and the end"],
  "server/listen.ts": [3, "at the end, and for a refused body"],
  "server/postgres-orphan.ts": [1, "at the start, after a kill"],
  "server/parts.ts": [7, "at the end, and as long as write buffers have values"],
  "server/restarting-process.ts": [2, "in development, after a change"],
  "server/run.ts": [1, "at the end"],
  "worker/capture/browser-process.ts": [3, "while a browser starts, captures, draws or ends"],
  "worker/capture/page-observer.ts": [1, "in a page that is captured"],
  "worker/capture/open-renderer.ts": [1, "once, a minute after the last screenshot"],
};

/** Calls that wait or repeat, and names of intervals: libraries repeat what they are given one for. */
const timers =
  /\b(?:setInterval|setTimeout|sleep|clock\.after|flushRegularly|upsertJobScheduler|cron)\(|\b\w*(?:everyMs|EveryMs|stalledInterval)\s*[:=](?!\s*number)/g;

/** Source of the program's processes. A person's browser and command line, and tests, are no part of a quiet instance. */
const isProgram = (path: string): boolean =>
  !/(^|\/)(node_modules|build|dist|test|\.svelte-kit)\/|\.(test|child|d)\.ts$|\/testing\.ts$/.test(path) &&
  (!/^(runtime\/(browser|ui)|web\/src)\//.test(path) || /\bserver\b/.test(path));

async function timersByFile(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const folder of ["api", "contract", "db", "domain", "platform", "runtime", "server", "web", "worker"])
    for await (const path of new Bun.Glob(`${folder}/**/*.ts`).scan(root)) if (isProgram(path)) await count(path);
  await count("scripts/start.ts");
  return found;

  async function count(path: string): Promise<void> {
    const source = (await Bun.file(join(root, path)).text()).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
    const places = source.match(timers)?.length ?? 0;
    if (places > 0) found[path] = places;
  }
}

test("timers: each one is of a row of the table, or has a reason not to run in a quiet instance", async () => {
  const known = { ...waking, ...Object.fromEntries(Object.entries(resting).map(([path, [count]]) => [path, count])) };
  expect(await timersByFile()).toEqual(known);
});

test("the table names the files with timers that go off in a quiet instance, and no others", async () => {
  expect(filesIn(await rows())).toEqual(Object.keys(waking).toSorted());
});

test("the table names the kinds of jobs that nothing causes", async () => {
  const named = new Set(codeIn(await rows()));
  const scheduled = Object.entries(kinds).flatMap(([kind, { everyMs }]) => (everyMs === undefined ? [] : [kind]));
  expect(Object.keys(kinds).filter((kind) => named.has(kind))).toEqual(scheduled);
});

/** The rows of the table. */
async function rows(): Promise<string> {
  const document = await Bun.file(join(root, "docs/architecture/processes.md")).text();
  const section = document.split("\n## ").find((part) => part.startsWith("What wakes a quiet instance\n")) ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .join("\n");
}

const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

const filesIn = (text: string): string[] =>
  [...new Set(codeIn(text).filter((code) => /\/.*\.ts$/.test(code)))].toSorted();
