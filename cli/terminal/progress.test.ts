import { expect, test } from "bun:test";

import type { Io } from "../io/io.ts";
import { spinnerDelay, withSpinner } from "./progress.ts";

/** A test context whose answers and clock the test controls. */
function setup(env: Readonly<Record<string, string>> = {}, isTerminal = true) {
  const said: string[] = [];
  const calls = new Set<() => void>();
  let tempo = 1;
  let answer: (response: Response) => void = () => {};
  const io = {
    env,
    stderr: { isTerminal, columns: 80, write: async (data: string | Uint8Array) => void said.push(String(data)) },
    fetch: () => new Promise<Response>((resolve) => (answer = resolve)),
  } as Partial<Io> as Io;
  const spinning = withSpinner(io, env["QUIET"] === "1", (milliseconds, call) => {
    tempo = milliseconds;
    calls.add(call);
    return () => calls.delete(call);
  });
  return {
    said,
    spinning,
    calls,
    pass: (milliseconds: number) => {
      for (let at = 0; at < milliseconds; at += tempo) for (const call of calls) call();
    },
    answer: () => answer(new Response("x")),
  };
}
const request = () => new Request("http://plinth.test:3000/api/health");

test("it comes after 300 ms, names the host, and leaves nothing behind", async () => {
  const { said, spinning, pass, answer, calls } = setup();
  const waiting = spinning.fetch(request());
  pass(spinnerDelay - 100);
  expect(said).toEqual([]);
  pass(300);
  expect(said.join("")).toContain("Waiting for plinth.test:3000");
  expect(said.join("")).not.toContain("\n");
  answer();
  await waiting;
  expect(said.at(-1)).toBe("\r\u001B[2K");
  expect(calls.size).toBe(0);
});

test("it disappears at the first other output, and does not return", async () => {
  const { said, spinning, pass, answer } = setup();
  const waiting = spinning.fetch(request());
  pass(500);
  await spinning.stderr.write("a word\n");
  expect(said.slice(-2)).toEqual(["\r\u001B[2K", "a word\n"]);
  const count = said.length;
  pass(1_000);
  answer();
  await waiting;
  expect(said).toHaveLength(count);
});

test("there is none without a terminal, or where a setting forbids it", async () => {
  for (const [env, isTerminal] of [
    [{}, false],
    [{ QUIET: "1" }, true],
    [{ NO_COLOR: "1" }, true],
    [{ TERM: "dumb" }, true],
    [{ CI: "true" }, true],
  ] as const) {
    const { said, spinning, pass, answer } = setup(env, isTerminal);
    const waiting = spinning.fetch(request());
    pass(5_000);
    answer();
    await waiting;
    expect(said).toEqual([]);
  }
});
