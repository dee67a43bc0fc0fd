import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Diff } from "@plinth/contract/schemas/artifact";
import * as fc from "fast-check";
import { diffContents } from "../threads/bounded-tasks.ts";
import { closeThreads } from "../threads/pool.ts";
import { comparedContents, work } from "../threads/test/work.ts";
import { coarseDiff } from "@plinth/contract/diff/coarse-diff";
import { exactDiff } from "@plinth/contract/diff/exact-diff";
import type { LineDiff } from "@plinth/contract/diff/line-diff";
import { unifiedDiff, writtenDiff } from "./written-diff.ts";

// The limit is of processor time, which a busy machine gives slowly: past this a test has hung.
setDefaultTimeout(120_000);

const directory = await mkdtemp(join(tmpdir(), "plinth-diff-"));
afterAll(async () => {
  await closeThreads();
  await rm(directory, { recursive: true });
});

describe("exactDiff", () => {
  test("counts, places and kinds", () => {
    expect(exactDiff("a\nb\nc\n", "a\nB\nc\nd\n")).toEqual({
      stats: { additions: 2, deletions: 1 },
      hunks: [
        {
          oldStart: 1,
          oldLines: 3,
          newStart: 1,
          newLines: 4,
          lines: [
            { kind: "context", text: "a" },
            { kind: "delete", text: "b" },
            { kind: "add", text: "B" },
            { kind: "context", text: "c" },
            { kind: "add", text: "d" },
          ],
        },
      ],
      coarse: false,
    });
  });

  test("equal texts have no hunks, an empty side starts at 0", () => {
    expect(exactDiff("a", "a")).toEqual({
      stats: { additions: 0, deletions: 0 },
      hunks: [],
      coarse: false,
    });
    expect(exactDiff("", "a\n")?.hunks[0]).toMatchObject({
      oldStart: 0,
      oldLines: 0,
      newStart: 1,
      newLines: 1,
    });
    expect(exactDiff("a\n", "")?.hunks[0]).toMatchObject({
      oldStart: 1,
      oldLines: 1,
      newStart: 0,
      newLines: 0,
    });
  });

  test("keeps the carriage return and knows a missing last newline", () => {
    expect(exactDiff("a\r\n", "a\n")?.hunks[0]?.lines).toEqual([
      { kind: "delete", text: "a\r" },
      { kind: "add", text: "a" },
    ]);
    expect(exactDiff("a", "a\n")?.hunks[0]?.lines).toEqual([
      { kind: "delete", text: "a", unterminated: true },
      { kind: "add", text: "a" },
    ]);
  });

  test("more than 20,000 lines that only one of the texts has are not compared", () => {
    const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index}\n`).join("");
    expect(exactDiff("a\n", numbered(20_000))).toBeNull();
    expect(exactDiff("0\n", numbered(5_000))?.stats).toEqual({ additions: 4_999, deletions: 0 });
  });
});

describe("diffContents", () => {
  const diffOf = async (before: string, after: string) => {
    const { json, unified } = await diffContents(comparedContents(before, after), work());
    const diff = JSON.parse(new TextDecoder().decode(json)) as Diff;
    return { diff, unified: new TextDecoder().decode(unified) };
  };

  test("writes the answer of the API and a unified diff", async () => {
    expect(await diffOf("a", "b\n")).toEqual({
      diff: {
        artifactId: "art_test",
        from: 1,
        to: 2,
        files: { added: [], removed: [], changed: [] },
        stats: { additions: 1, deletions: 1 },
        hunks: [
          {
            oldStart: 1,
            oldLines: 1,
            newStart: 1,
            newLines: 1,
            lines: [
              { kind: "delete", text: "a" },
              { kind: "add", text: "b" },
            ],
          },
        ],
        coarse: false,
      },
      unified: "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n",
    });
  });

  const numbered = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}\n`).join("");
  test.each([
    ["40,000 different lines", numbered("a", 40_000), numbered("b", 40_000)],
    ["two million empty lines against as many", "\n".repeat(2_000_000), "x\n".repeat(1_000_000)],
    ["2 MB of one line", "a".repeat(2_000_000), "b".repeat(2_000_000)],
    ["sixteen million short lines that nearly all repeat", "a\n".repeat(8_000_000), `${"a\n".repeat(7_999_999)}b\n\n`],
    [
      "sixteen million short lines that move by a letter",
      "a\n".repeat(8_000_000),
      `${"a\n".repeat(8_000_000).slice(1)}x`,
    ],
    ["shuffled lines", numbered("a", 60_000), numbered("a", 60_000).split("\n").toReversed().join("\n")],
  ])("%s are answered in time and in little memory", async (_name, before, after) => {
    const { diff } = await diffOf(before, after);
    expect(diff.stats.additions).toBeGreaterThan(0);
    expect(diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)).toBeLessThan(21_000);
  });
});

test("the coarse diff leaves out what is equal at both ends", () => {
  expect(coarseDiff("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nE2\nf\n")).toEqual({
    stats: { additions: 2, deletions: 1 },
    hunks: [
      {
        oldStart: 2,
        oldLines: 5,
        newStart: 2,
        newLines: 6,
        lines: [
          ...["b", "c", "d"].map((text) => ({ kind: "context" as const, text })),
          { kind: "delete", text: "e" },
          { kind: "add", text: "E" },
          { kind: "add", text: "E2" },
          { kind: "context", text: "f" },
        ],
      },
    ],
    coarse: true,
  });
});

test("the coarse diff: a block of more than 10,000 lines is one entry with its newlines inside", () => {
  const text = (word: string, lines: number) => `${word}\n`.repeat(lines);
  const entries = (lines: number) => coarseDiff(text("a", lines), text("b", lines)).hunks.flatMap((hunk) => hunk.lines);
  expect(entries(10_000)).toHaveLength(20_000);
  expect(entries(10_001).map(({ kind, text: { length } }) => [kind, length])).toEqual([
    ["delete", 20_001],
    ["add", 20_001],
  ]);
});

test("the coarse diff of equal texts has no hunk", () => {
  const none = { stats: { additions: 0, deletions: 0 }, hunks: [], coarse: true };
  for (const text of ["", "a", "a\nb\n"]) expect(coarseDiff(text, text)).toEqual(none);
});

test("the coarse diff leaves out the common last line after a first line that is empty on one side", () => {
  expect(coarseDiff("\nab", "x\nab").stats).toEqual({ additions: 1, deletions: 1 });
});

test("a diff says where line ends alone differ", () => {
  const saysSo = (before: string, after: string) => {
    const head = { artifactId: "art_1", from: 1, to: 2, files: { added: [], removed: [], changed: [] } };
    const names = { oldName: "a", newName: "b" };
    const { json, facts } = writtenDiff({ before, after, isCoarse: false, head, names });
    expect(JSON.parse(new TextDecoder().decode(json)) as object).toMatchObject(
      facts.lineEndsOnly === undefined ? { from: 1 } : { lineEndsOnly: true },
    );
    return facts.lineEndsOnly;
  };
  expect(saysSo("a\nb\n", "a\r\nb\r\n")).toBe(true);
  expect(saysSo("a\r\nb\n", "a\nb\n")).toBe(true);
  for (const after of ["a\nb\n", "a\r\nB\r\n", "a\r\nb", "a\rb\n"])
    expect([after, saysSo("a\nb\n", after)]).toEqual([after, undefined]);
});

async function applied(command: "patch" | "git", before: string, diff: LineDiff): Promise<string> {
  const names = command === "git" ? { oldName: "a/f", newName: "b/f" } : { oldName: "f", newName: "f" };
  await Bun.write(join(directory, "f"), before);
  await Bun.write(join(directory, "f.diff"), unifiedDiff(diff, names));
  const line = command === "git" ? ["git", "apply", "f.diff"] : ["patch", "--binary", "-s", "f", "f.diff"];
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
  const child = Bun.spawn(line, { cwd: directory, env, stdout: "pipe", stderr: "pipe" });
  const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
  if ((await child.exited) !== 0) throw new Error(`${command}: ${output}\n${JSON.stringify(before)}`);
  const file = Bun.file(join(directory, "f"));
  return (await file.exists()) ? file.text() : ""; // `patch` removes a file that became empty
}

// Declared on the machine or not: git comes with every checkout, patch does not.
const commands = (["git", "patch"] as const).filter((command) => Bun.which(command));

describe.each([...commands])("%s takes the unified diff", (command) => {
  test.each([
    ["a change", "a\nb\nc\n", "a\nB\nc\n"],
    ["several hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n13\n"],
    ["from empty", "", "a\nb"],
    ["to empty", "a\nb", ""],
    ["a newline at the end gained", "a\nb", "a\nb\n"],
    ["a newline at the end lost", "a\nb\n", "a\nb"],
    ["neither ends with a newline", "a\nb", "A\nb"],
    ["CRLF", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"],
    ["CRLF to LF", "a\r\nb\r\n", "a\nb\n"],
    ["lone carriage returns", "a\rb\rc", "a\rB\rc"],
    ["blank lines", "\n\n\n", "\n"],
    ["lines like headers", "--- a\n+++ b\n@@ -1 +1 @@\n", "+++ b\n\\ No newline\n-- \n"],
    ["separators that are no newlines", "a\u2028b\u0085c\n", "a\u2028b\u0085d\n"],
  ])("%s", async (_name, before, after) => {
    for (const diff of [exactDiff(before, after), coarseDiff(before, after)]) {
      expect(diff && (await applied(command, before, diff))).toBe(after);
    }
  });
});

test("any two texts: both diffs apply and count the same balance", async () => {
  const line = fc.constantFrom("a", "b", "c", "", "a\r", "-", "+x", "\\");
  const text = fc
    .tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
    .map(([lines, ends]) => lines.join("\n") + (ends && lines.length > 0 ? "\n" : ""));
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      if (before === after) return;
      for (const diff of [exactDiff(before, after), coarseDiff(before, after)]) {
        expect(diff && (await applied("git", before, diff))).toBe(after);
      }
    }),
    { numRuns: 150 },
  );
});

test("nothing differs, nothing is written; odd names are quoted", () => {
  expect(unifiedDiff(coarseDiff("a", "a"), { oldName: "f", newName: "f" })).toBe("");
  const text = unifiedDiff(coarseDiff("a\n", "b\n"), { oldName: "a\nb", newName: "f" });
  expect(text.split("\n")[0]).toBe('--- "a\\nb"');
});
