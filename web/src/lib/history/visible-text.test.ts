// A line with its hidden characters made visible, and its words that differ from those of another line.
import { expect, test } from "bun:test";
import { drawnLine } from "./line-marks.ts";
import { longestShown, shownLine } from "./visible-text.ts";
import { wordMarks } from "./text-marks.ts";

const drawn = (text: string) =>
  shownLine(text, []).segments.map(({ text: shown, hidden }) => (hidden ? `[${shown}]` : shown));

test("what turns the direction of text, controls and what has no width are shown by name; tabs and joiners are not", () => {
  expect(drawn("a\u202eb\u0000c\u2066d\u200be\ufeff")).toEqual([
    "a",
    "[U+202E]",
    "b",
    "[U+0000]",
    "c",
    "[U+2066]",
    "d",
    "[U+200B]",
    "e",
    "[U+FEFF]",
  ]);
  expect(drawn("\ta می\u200cخواهم 👩\u200d🚀")).toEqual(["\ta می\u200cخواهم 👩\u200d🚀"]);
});

test("a long line is cut and says so, and half a character is none", () => {
  const { segments, leftOut } = shownLine("x".repeat(longestShown + 5), [{ start: 1990, end: 3000 }]);
  expect(leftOut).toBe(5);
  expect(segments.map(({ text, changed }) => [text.length, changed])).toEqual([
    [1990, false],
    [10, true],
  ]);
  expect(shownLine("\ud83d", []).segments).toEqual([{ text: "\ufffd", changed: false, hidden: false }]);
});

test("the words that differ are marked on both sides, and none where the lines have little in common or are long", () => {
  expect(wordMarks("costs were 10 then", "costs were 90 then")).toEqual({
    before: [{ start: 11, end: 13 }],
    after: [{ start: 11, end: 13 }],
  });
  expect(wordMarks("one two three four", "fünf sechs sieben")).toBeNull();
  expect(wordMarks("a ".repeat(400), "b ".repeat(400))).toBeNull();
});

test("the end of a line is shown where it is what changed", () => {
  const line = { kind: "delete", before: 1, after: null } as const;
  const textsOf = (text: string, other: string | null) =>
    drawnLine({ ...line, text, other }).segments.map((one) => one.text);
  expect(textsOf("same\r", "same")).toEqual(["same", "CR"]);
  expect(textsOf("same\r", "other\r")).not.toContain("CR");
  expect(textsOf("alone\r", null)).toEqual(["alone"]);
});
