import { afterAll, describe, expect, test } from "bun:test";
import { closeThreads, runInThread } from "./pool.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

/** Several times what any machine reads within the limits below: a thread must be ended, not end by itself. */
const BOMB = "\n- a\n\n  > b\n".repeat(900_000);
const CRASH = `x=${"!".repeat(50_000)}1`;
const LIMIT = { timeoutMs: 2_000 };

afterAll(closeThreads);

describe("runInThread", () => {
  test("answers each task of the list", async () => {
    expect(await runInThread("markdown", "*a*", LIMIT)).toHaveProperty("html", "<p><em>a</em></p>\n");
    expect(await runInThread("jsx", "export default () => null", LIMIT)).toHaveProperty("code");
    expect(await runInThread("diff", { before: "a", after: "b" }, LIMIT)).toHaveProperty("coarse", false);
  });

  test("ends a task at its limit while the other thread goes on answering", async () => {
    // Both have begun: a cold one might take the bomb's time to do so.
    await Promise.all([1, 2].map(() => runInThread("markdown", "x", LIMIT)));
    let hasEnded = false;
    const outcome = runInThread("markdown", BOMB, LIMIT)
      .catch((error: unknown) => error)
      .finally(() => (hasEnded = true));
    for (let round = 0; round < 10; round++) await runInThread("markdown", "x", LIMIT);
    expect(hasEnded).toBe(false);
    expect(await outcome).toBeInstanceOf(ThreadTimeout);
  });

  test("two bombs at once end in time and those who waited are answered", async () => {
    const bombs = [1, 2].map(() => runInThread("markdown", BOMB, { timeoutMs: 500 }));
    const waiting = [1, 2, 3, 4].map((n) => runInThread("markdown", `${n}`, LIMIT));
    for (const bomb of await Promise.allSettled(bombs)) expect(bomb).toHaveProperty("reason.name", "ThreadTimeout");
    expect((await Promise.all(waiting)).map(({ html }) => html)).toEqual([1, 2, 3, 4].map((n) => `<p>${n}</p>\n`));
  });

  test("outlives source that overflows the native parser's stack", async () => {
    for (let round = 0; round < 3; round++) {
      const outcome = await runInThread("jsx", CRASH, LIMIT).catch((error: unknown) => error);
      expect(outcome).toBeInstanceOf(ThreadFailure);
    }
    expect(await runInThread("markdown", "still here", LIMIT)).toHaveProperty("html", "<p>still here</p>\n");
  });

  test("the server's memory does not grow with a bomb", async () => {
    const before = process.memoryUsage.rss();
    await runInThread("markdown", BOMB, { timeoutMs: 1_500 }).catch(() => null);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
  });

  test("closing rejects what is under way and leaves nothing running; a later task starts anew", async () => {
    const outcome = runInThread("markdown", BOMB, LIMIT).catch((error: unknown) => error);
    await closeThreads();
    expect(await outcome).toBeInstanceOf(ThreadFailure);
    expect(await runInThread("markdown", "again", LIMIT)).toHaveProperty("html", "<p>again</p>\n");
  });
});

test("an idle thread keeps no process alive, outlives none, and sees nothing of the environment", async () => {
  const program = `
    const { runInThread } = await import(${JSON.stringify(new URL("./pool.ts", import.meta.url).pathname)});
    await runInThread("markdown", "x", { timeoutMs: 2000 });
    const [child] = (await Bun.$\`pgrep -P \${process.pid} -f thread.ts\`.text()).split("\\n");
    console.log(child + "\\n" + (await Bun.file("/proc/" + child + "/environ").text()));
  `;
  const child = Bun.spawn([process.execPath, "-e", program], {
    env: { ...process.env, SECRET: "s3cret" },
  });
  const [pid = "", ...environment] = (await new Response(child.stdout).text()).split("\n");
  expect(await child.exited).toBe(0);
  expect(environment.join("\n")).toContain("DO_NOT_TRACK=1");
  expect(environment.join("\n")).not.toContain("s3cret");
  // Ended, though nobody may have reaped it yet: a zombie has no command line. A test that waits for ever has hung.
  const commandLine = () =>
    Bun.file(`/proc/${pid}/cmdline`)
      .text()
      .catch(() => "");
  while ((await commandLine()) !== "") await Bun.sleep(5);
});
