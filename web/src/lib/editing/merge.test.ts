// Merging: nothing of either side is lost, what does not overlap is taken over, and what does is asked about.
import { describe, expect, test } from "bun:test";

import { chosen, linesByHand, mergedText, mergeTexts, settledText, type Conflict } from "./merge.ts";

const base = "title\n\none\ntwo\nthree\nfour\nfive\n";
const conflictsOf = (parts: ReturnType<typeof mergeTexts>) =>
  parts.filter((part): part is Conflict => part.kind === "conflict");

describe("what only one side changed", () => {
  test.each([
    ["nothing", base, base, base],
    ["mine", base.replace("two", "2"), base, base.replace("two", "2")],
    ["theirs", base, base.replace("four", "4"), base.replace("four", "4")],
    ["both, apart", base.replace("one", "1"), base.replace("five", "5"), base.replace("one", "1").replace("five", "5")],
    ["both, alike", base.replace("one", "1"), base.replace("one", "1"), base.replace("one", "1")],
    [
      "a line added and another deleted",
      `${base}six\n`,
      base.replace("one\n", ""),
      `${base.replace("one\n", "")}six\n`,
    ],
    [
      "the last end of a line",
      base.trimEnd(),
      base.replace("title", "Title"),
      base.trimEnd().replace("title", "Title"),
    ],
  ])("%s is taken over by itself", (_what, mine, theirs, expected) => {
    expect(mergedText(mergeTexts(base, mine, theirs))).toBe(expected);
  });

  test("a text that was empty takes what one side wrote", () => {
    expect(mergedText(mergeTexts("", "# Mine\n", ""))).toBe("# Mine\n");
    expect(mergedText(mergeTexts("", "", ""))).toBe("");
  });
});

describe("what both changed", () => {
  const mine = base.replace("two", "zwei\nzweieinhalb").replace("five", "V");
  const theirs = base.replace("two", "deux").replace("title", "titre");

  test("is one conflict, with each side's lines and those that both began from", () => {
    const parts = mergeTexts(base, mine, theirs);
    expect(conflictsOf(parts)).toEqual([
      { kind: "conflict", base: ["two"], mine: ["zwei", "zweieinhalb"], theirs: ["deux"] },
    ]);
    expect(mergedText(parts)).toBeNull();
  });

  test.each([
    ["mine", "titre\n\none\nzwei\nzweieinhalb\nthree\nfour\nV\n"],
    ["theirs", "titre\n\none\ndeux\nthree\nfour\nV\n"],
    ["both", "titre\n\none\ndeux\nzwei\nzweieinhalb\nthree\nfour\nV\n"],
  ] as const)("taking %s leaves the rest as it is", (choice, expected) => {
    const parts = mergeTexts(base, mine, theirs);
    expect(
      settledText(
        parts,
        conflictsOf(parts).map((one) => chosen(one, choice)),
      ),
    ).toBe(expected);
  });

  test("by hand: any lines, and none", () => {
    const parts = mergeTexts(base, mine, theirs);
    expect(settledText(parts, [linesByHand("2\n\n2.5")])).toBe("titre\n\none\n2\n\n2.5\nthree\nfour\nV\n");
    expect(settledText(parts, [linesByHand("")])).toBe("titre\n\none\nthree\nfour\nV\n");
  });

  test("a line that one deleted and the other changed is asked about, and a blank one is a line", () => {
    const parts = mergeTexts("a\nb\nc", "a\nc", "a\nB\nc");
    expect(conflictsOf(parts)).toEqual([{ kind: "conflict", base: ["b"], mine: [], theirs: ["B"] }]);
    expect(settledText(parts, [[]])).toBe("a\nc");
    expect(settledText(parts, [[""]])).toBe("a\n\nc");
  });

  test("one side taken everywhere: the text is that side's where the other changed nothing else", () => {
    const parts = mergeTexts("a\nb\nc\nd\ne", "A\nb\nC\nd\nE", "1\nb\n3\nd\n5");
    expect(conflictsOf(parts)).toHaveLength(3);
    const taken = (choice: "mine" | "theirs") =>
      settledText(
        parts,
        conflictsOf(parts).map((one) => chosen(one, choice)),
      );
    expect([taken("mine"), taken("theirs")]).toEqual(["A\nb\nC\nd\nE", "1\nb\n3\nd\n5"]);
  });
});

test("ten thousand lines with changes at both ends, most of them blank, end", () => {
  const lines = Array.from({ length: 10_000 }, (_, line) => (line % 2 === 0 ? "" : `line ${line}`));
  const changed = (first: string, last: string) => [first, ...lines.slice(1, -1), last].join("\n");
  const parts = mergeTexts(lines.join("\n"), changed("mine", "end"), changed("theirs", lines.at(-1) ?? ""));
  expect(conflictsOf(parts)).toHaveLength(1);
  expect(parts.length).toBeGreaterThan(1);
}, 20_000);
