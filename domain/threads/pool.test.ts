import { afterAll, afterEach, describe, expect, jest, mock, setDefaultTimeout, spyOn, test } from "bun:test";

import { getPriority } from "node:os";

import { on } from "../telemetry.ts";
import { closeThreads, holdPlace, places, placesLoad, runInThread } from "./pool.ts";
import { parsePs, usageOf } from "./process-usage.ts";
import { comparison, fill, occupy, packed, work } from "./test/work.ts";
import { threadStates } from "./thread-processes.ts";
import { isBusy, ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

/** Several times what any machine reads within the limits below: a thread must be ended, not end by itself. */
const BOMB = "\n- a\n\n  > b\n".repeat(900_000);
/** Limits by which a bomb ends for its time: in 2 s of a fast processor it takes more memory than tasks usually may. */
const untilTime = { cpuMs: 2000, residentBytes: 4 * 1024 ** 3 };
const CRASH = `x=${"!".repeat(50_000)}1`;
const cpuMs = 2_000;
/** Longer than a busy machine takes: past it a test has hung. */
const hung = 60_000;
const by = (owner: string) => ({ work: work(owner), cpuMs });

afterAll(closeThreads);

const thrownBy = (task: Promise<unknown>): Promise<unknown> =>
  task.then(
    () => null,
    (error: unknown) => error,
  );

setDefaultTimeout(hung);

/** Until so many threads are idle and have the code behind every task. */
async function ready(threads: number): Promise<void> {
  while (threadStates().ready < threads) await Bun.sleep(5);
}

/** The renderers of the tasks that waited for code to be loaded while the work was done. */
async function coldStartsOf(run: () => Promise<unknown>): Promise<string[]> {
  const coldStarts: string[] = [];
  const unsubscribe = on({ coldStart: ({ renderer }) => void coldStarts.push(renderer) });
  await run();
  unsubscribe();
  return coldStarts;
}

describe("runInThread", () => {
  test("answers each task of the list", async () => {
    expect(await runInThread("markdown", packed("*a*"), by("a"))).toHaveProperty("html", "<p><em>a</em></p>\n");
    expect(await runInThread("jsx", packed("export default () => null"), by("a"))).toHaveProperty("code");
    const { json } = await runInThread("diff", comparison("a", "b"), by("a"));
    expect(JSON.parse(new TextDecoder().decode(json))).toHaveProperty("coarse", false);
  });

  test("a second thread loads the code behind every task before any of them comes", async () => {
    await closeThreads();
    const coldStarts = await coldStartsOf(async () => {
      await runInThread("diff", comparison("a", "b"), by("a"));
      await ready(2);
      await runInThread("markdown", packed("*a*"), by("a"));
      await runInThread("jsx", packed("export default () => null"), by("a"));
    });
    expect(coldStarts).toEqual(["diff"]);
  });

  test("a thread that is killed has a successor at once, and the next tasks find their code loaded", async () => {
    await closeThreads();
    await runInThread("diff", comparison("a", "b"), by("a"));
    await ready(2);
    const coldStarts = await coldStartsOf(async () => {
      expect(await thrownBy(runInThread("markdown", packed(BOMB), { work: work(), cpuMs: 50 }))).toBeInstanceOf(
        ThreadTimeout,
      );
      expect(threadStates()).toEqual({ busy: 0, ready: 1, loading: 1 });
      await runInThread("jsx", packed("export default () => null"), by("a"));
      await ready(2);
      await Promise.all(["a", "b"].map((owner) => runInThread("jsx", packed("export default () => null"), by(owner))));
    });
    expect(coldStarts).toEqual([]);
  });

  test("threads: at most one a place, one a long task beside them and a spare, however many are killed; closing ends all", async () => {
    const owners = ["a", "b", "c", "d"];
    const counts: number[] = [];
    const bomb = async (owner: string) => {
      await thrownBy(runInThread("markdown", packed(BOMB), { work: work(owner), cpuMs: 50 }));
      const { busy, ready: idle, loading } = threadStates();
      counts.push(busy + idle + loading);
    };
    await Promise.all([...owners, "a"].map(bomb));
    // An owner whose task was ended has the next one beside the places, of which there are as many.
    expect(Math.max(...counts)).toBeLessThanOrEqual(2 * places + 1);
    await closeThreads();
    expect(await children()).toEqual([]);
    expect(threadStates()).toEqual({ busy: 0, ready: 0, loading: 0 });
  });

  test("one author's bombs: another workspace's tasks complete in between, none waits for the next bomb", async () => {
    const done: string[] = [];
    const bombs = [1, 2, 3].map((n) =>
      thrownBy(runInThread("markdown", packed(BOMB), { work: work("bomber"), cpuMs: 500 })).finally(() =>
        done.push(`bomb ${n}`),
      ),
    );
    for (let n = 1; n <= 10; n++) {
      await runInThread("markdown", packed(`${n}`), by("bystander"));
      done.push(`${n}`);
    }
    for (const outcome of await Promise.all(bombs)) expect(outcome).toBeInstanceOf(ThreadTimeout);
    expect(done.indexOf("1")).toBeLessThanOrEqual(1);
    expect(done.indexOf("2")).toBeLessThanOrEqual(2);
  });

  test("a task that takes long leaves its place and the processor to others, and so do its owner's next ones", async () => {
    await closeThreads();
    const bomb = thrownBy(runInThread("markdown", packed(BOMB), { work: work("bomber"), ...untilTime }));
    while (placesLoad().long === 0) await Bun.sleep(5);
    expect(placesLoad()).toMatchObject({ in_use: 0, long: 1 });
    // Its successor follows when the spare thread has loaded.
    while ((await priorities()).length < 3) await Bun.sleep(5);
    expect(await priorities()).toEqual([0, 0, 10]);
    await runInThread("markdown", packed("*a*"), by("bystander"));
    expect(await bomb).toBeInstanceOf(ThreadTimeout);
    while ((await priorities()).includes(10)) await Bun.sleep(5);
    await runInThread("markdown", packed("*a*"), by("bomber"));
    expect((await priorities()).filter((each) => each === 10)).toEqual([10]);
    await closeThreads();
  });

  test("threads that follow those of long tasks load one after the other", async () => {
    await closeThreads();
    await Promise.all(["a", "b"].map((owner) => runInThread("markdown", packed("x"), by(owner))));
    await ready(3);
    const bombs = ["a", "b"].map((owner) =>
      thrownBy(runInThread("markdown", packed(BOMB), { work: work(owner), ...untilTime })),
    );
    while (placesLoad().long < 2) await Bun.sleep(1);
    let mostLoading = 0;
    for (; threadStates().ready < 3; await Bun.sleep(1)) mostLoading = Math.max(mostLoading, threadStates().loading);
    expect(mostLoading).toBe(1);
    for (const outcome of await Promise.all(bombs)) expect(outcome).toBeInstanceOf(ThreadTimeout);
    await closeThreads();
  });

  test("a task that uses up its processor time ends at its limit, not at a wall clock's", async () => {
    const outcomes: string[] = [];
    const unsubscribe = on({ rendering: ({ outcome }) => void outcomes.push(outcome) });
    expect(await thrownBy(runInThread("markdown", packed(BOMB), { work: work(), cpuMs: 300 }))).toBeInstanceOf(
      ThreadTimeout,
    );
    unsubscribe();
    expect(outcomes).toEqual(["late"]);
  });

  test("a task that takes more memory than it may is ended, which is the source's fault", async () => {
    const outcomes: string[] = [];
    const unsubscribe = on({ rendering: ({ outcome }) => void outcomes.push(outcome) });
    const limits = { work: work(), cpuMs: 60_000, residentBytes: 256 * 1024 * 1024 };
    const error = await thrownBy(runInThread("markdown", packed(BOMB), limits));
    unsubscribe();
    expect(error).toBeInstanceOf(ThreadFailure);
    expect(error).toHaveProperty("message", "The markdown task took more than 268 MB of memory");
    expect(outcomes).toEqual(["failed"]);
  });

  test("a thread that is stopped for longer than its limit is not late: wall time is not counted", async () => {
    await closeThreads();
    await runInThread("markdown", packed("x"), by("a"));
    const [thread = 0] = await children();
    await ready(2);
    const used = async () => (await usageOf(thread))?.cpuMs ?? 0;
    const before = await used();
    const outcome = runInThread(
      "markdown",
      packed("Some *text* of a [link](http://b.example).\n\n".repeat(5_000)),
      by("a"),
    );
    while ((await used()) < before + 50) await Bun.sleep(1);
    process.kill(thread, "SIGSTOP");
    // Many looks at its processor time, and more of wall time than it may use.
    await Bun.sleep(cpuMs + 500);
    process.kill(thread, "SIGCONT");
    expect(await outcome).toHaveProperty("html", expect.stringContaining("<em>text</em>"));
  });

  test("a thread ended from outside is `busy` and says nothing of the source", async () => {
    await closeThreads();
    await runInThread("markdown", packed("x"), by("a"));
    await ready(2);
    const usedBefore = await Promise.all(
      (await children()).map(async (pid) => [pid, (await usageOf(pid))?.cpuMs ?? 0] as const),
    );
    const outcome = thrownBy(runInThread("markdown", packed(BOMB), { work: work(), cpuMs: 60_000 }));
    const killed: number[] = [];
    while (killed.length === 0) {
      for (const [pid, before] of usedBefore) if (((await usageOf(pid))?.cpuMs ?? 0) > before + 500) killed.push(pid);
      if (killed.length === 0) await Bun.sleep(5);
    }
    for (const pid of killed) process.kill(pid, "SIGKILL");
    const error = await outcome;
    expect(isBusy(error)).toBe(true);
    expect(error).toMatchObject({ status: 503, extra: { retryAfterSeconds: 5 } });
  });

  test("a line that is full refuses with busy and Retry-After, other owners go on", async () => {
    const release = await occupy("crowd");
    const waiting = fill("crowd");
    const refused = await thrownBy(runInThread("jsx", packed("export default 1"), by("crowd")));
    expect(refused).toMatchObject({ code: "busy", status: 503, extra: { retryAfterSeconds: 5 } });
    expect(await runInThread("markdown", packed("x"), by("other"))).toHaveProperty("html", "<p>x</p>\n");
    await release();
    await waiting;
    expect(await runInThread("jsx", packed("export default () => 1"), by("crowd"))).toHaveProperty("code");
  });

  test("outlives source that overflows the native parser's stack, which is the source's fault", async () => {
    await closeThreads();
    const crash = async () =>
      expect(await thrownBy(runInThread("jsx", packed(CRASH), by("a")))).toBeInstanceOf(ThreadFailure);
    await crash();
    const others = async () => (await children()).filter((pid) => getPriority(pid) === getPriority());
    const left = await others();
    await crash();
    await crash();
    // After the first crash its owner's tasks leave the processor to others, and take no thread that others could have.
    expect([left.length > 0, await others()]).toEqual([true, left]);
    expect(await runInThread("markdown", packed("still here"), by("a"))).toHaveProperty("html", "<p>still here</p>\n");
  });

  test("the server's memory does not grow with a bomb", async () => {
    const before = process.memoryUsage.rss();
    await runInThread("markdown", packed(BOMB), { work: work(), cpuMs: 500 }).catch(() => null);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
  });

  test("closing refuses what is under way and what waits, and leaves nothing running; a later task starts a thread", async () => {
    const release = await occupy("held");
    const tasks = ["free", "held"].map((owner) => thrownBy(runInThread("markdown", packed(BOMB), by(owner))));
    await closeThreads();
    for (const error of await Promise.all(tasks)) expect(isBusy(error)).toBe(true);
    expect(await runInThread("markdown", packed("again"), by("held"))).toHaveProperty("html", "<p>again</p>\n");
    await release();
  });
});

describe("a thread keeps its place for a minute at most", () => {
  afterEach(() => {
    jest.useRealTimers();
    mock.restore();
  });

  async function expectEndAfterAMinute(outcome: Promise<unknown>): Promise<void> {
    const settled = jest.fn();
    void outcome.then(settled);
    jest.advanceTimersByTime(59_999);
    // The start and end of another process: more turns of the event loop than an outcome takes.
    await children();
    expect(settled).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    // The thread's process has to end, which a busy machine takes its time for.
    for (let turn = 0; turn < 200 && settled.mock.calls.length === 0; turn++) await children();
    expect(isBusy(settled.mock.lastCall?.[0])).toBe(true);
  }

  test("while it loads", async () => {
    await closeThreads();
    const spawn = Bun.spawn;
    const stopped = Promise.withResolvers<void>();
    spyOn(Bun, "spawn").mockImplementationOnce(((...given: Parameters<typeof spawn>) => {
      const thread = spawn(...given);
      thread.kill("SIGSTOP");
      stopped.resolve();
      return thread;
    }) as typeof spawn);
    jest.useFakeTimers();
    const outcome = thrownBy(runInThread("markdown", packed("x"), by("a")));
    await stopped.promise;
    await expectEndAfterAMinute(outcome);
  });

  test("with a task that uses little of the processor", async () => {
    await closeThreads();
    await runInThread("markdown", packed("x"), by("a"));
    const [thread = 0] = await children();
    const used = async () => (await usageOf(thread))?.cpuMs ?? 0;
    const before = await used();
    jest.useFakeTimers();
    const outcome = thrownBy(runInThread("markdown", packed(BOMB), { work: work("a"), cpuMs: 600_000 }));
    while ((await used()) < before + 200) await children();
    process.kill(thread, "SIGSTOP");
    await expectEndAfterAMinute(outcome);
  });
});

test("a place is given back where the work throws", async () => {
  for (let round = 0; round < 20; round++)
    await expect(holdPlace(work("a"), () => Promise.reject(new Error("thrown")))).rejects.toThrow("thrown");
  expect(await holdPlace(work("a"), () => Promise.resolve(1))).toBe(1);
});

test.each([
  ["0:00.02 1024", 20],
  [" 1:02.50  1024", 62_500],
  ["01:02:03 1024", 3_723_000],
  ["2-01:02:03 1024", 176_523_000],
])("ps: %s is %d ms and 1 MiB", (text, cpuMs) =>
  expect(parsePs(`${text}\n`)).toEqual({ cpuMs, residentBytes: 1 << 20 }),
);

test("ps: a process that has ended has used nothing", () => expect(parsePs("")).toBeNull());

test("an idle thread keeps no process alive, outlives none, and sees nothing of the environment", async () => {
  const program = `
    const { runInThread } = await import(${JSON.stringify(new URL("./pool.ts", import.meta.url).pathname)});
    const threads = async () => (await Bun.$\`pgrep -P \${process.pid} -f thread.ts\`.nothrow().text()).split("\\n").filter(Boolean);
    if ((await threads()).length > 0) throw new Error("a thread before the first task");
    const content = Bun.zstdCompressSync("x");
    await runInThread("markdown", { content }, { work: { owner: "a", account: "a", priority: "request" }, cpuMs: 2000 });
    const children = await threads();
    const environments = await Promise.all(children.map((pid) => Bun.file("/proc/" + pid + "/environ").text()));
    console.log(children.join() + "\\n" + environments.join("\\n"));
  `;
  const child = Bun.spawn([process.execPath, "-e", program], {
    env: { ...process.env, SECRET: "s3cret" },
  });
  const [pids = "", ...environment] = (await new Response(child.stdout).text()).split("\n");
  expect(await child.exited).toBe(0);
  // The one with the task, and the one that loads ahead of the next.
  expect(pids.split(",")).toHaveLength(2);
  expect(environment.join("\n")).toContain("DO_NOT_TRACK=1");
  expect(environment.join("\n")).not.toContain("s3cret");
  // Ended, though it may not have been reaped yet: a zombie has no command line. A test that waits without end has hung.
  const commandLine = (pid: string) =>
    Bun.file(`/proc/${pid}/cmdline`)
      .text()
      .catch(() => "");
  for (const pid of pids.split(",")) while ((await commandLine(pid)) !== "") await Bun.sleep(5);
});

/** How far the threads' priorities are below this process's, sorted. */
const priorities = async (): Promise<number[]> =>
  (await children()).map((pid) => getPriority(pid) - getPriority()).toSorted((a, b) => a - b);

async function children(): Promise<number[]> {
  const found = Bun.spawn(["pgrep", "-P", String(process.pid), "-f", "thread.ts"], { stdout: "pipe" });
  return (await new Response(found.stdout).text()).split("\n").filter(Boolean).map(Number);
}
