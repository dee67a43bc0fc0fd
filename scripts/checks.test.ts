import { expect, spyOn, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { type Check, checks, runChecks } from "./checks.ts";
import { root } from "./step.ts";

/** The output of a function. */
async function printedBy<T>(run: () => Promise<T>): Promise<{ result: T; printed: string }> {
  const log = spyOn(console, "log").mockImplementation(() => {});
  try {
    const result = await run();
    return { result, printed: log.mock.calls.flat().join("\n") };
  } finally {
    log.mockRestore();
  }
}

const shell = (name: string, script: string): Check => ({ name, command: ["sh", "-c", script] });

test("a failed check is counted, its output is printed, and the others run all the same", async () => {
  const { result, printed } = await printedBy(() =>
    runChecks([shell("one", "echo fine"), shell("two", "echo out; echo err >&2; exit 3"), shell("three", "exit 0")]),
  );
  expect(result).toEqual({ passed: 2, failed: 1 });
  expect(printed).toMatch(/out\nerr\ntwo: FAILED in/);
  expect(printed).toMatch(/one: passed in/);
  expect(printed).not.toContain("fine");
});

test("checks run side by side: one that waits for another one ends", async () => {
  const pipe = join(root, "node_modules/.plinth", `pipe-${crypto.randomUUID()}`);
  const { result } = await printedBy(() =>
    runChecks([
      shell("reader", `mkfifo ${pipe}; read -r line < ${pipe}; rm ${pipe}; [ "$line" = done ]`),
      shell("writer", `until [ -p ${pipe} ]; do :; done; echo done > ${pipe}`),
    ]),
  );
  expect(result).toEqual({ passed: 2, failed: 0 });
});

test("a check of a folder that is not in this checkout is left out", async () => {
  const { result } = await printedBy(() => runChecks([{ ...shell("one", "exit 1"), folder: "missing" }]));
  expect(result).toEqual({ passed: 0, failed: 0 });
});

test("every workspace is in a program that is checked for types", () => {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, string[]>;
  const checked = [...(read("tsconfig.json")["include"] ?? []), "web"];
  expect(checked).toEqual(expect.arrayContaining(read("package.json")["workspaces"] ?? []));
  expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(["tsc", "svelte-check", "oxlint", "oxfmt"]));
  for (const { folder = "." } of checks) expect(existsSync(join(root, folder, "tsconfig.json"))).toBe(true);
});
