// A comparison as rows: numbers, folds, sides and portions.
import { expect, test } from "bun:test";
import { type Hunk, linesOf, mostLines, mostRows, portionOf, type Row, rowsOf } from "./rows.ts";

const line = (kind: "context" | "add" | "delete", text: string) => ({ kind, text });
/** Lines 10 to 16 of the first, of which the 13th became two. */
const hunk: Hunk = {
  oldStart: 10,
  oldLines: 7,
  newStart: 10,
  newLines: 8,
  lines: [
    ...["a", "b", "c"].map((text) => line("context", text)),
    line("delete", "d"),
    line("add", "D"),
    line("add", "D2"),
    ...["e", "f", "g"].map((text) => line("context", text)),
  ],
};
const later: Hunk = { oldStart: 40, oldLines: 1, newStart: 40, newLines: 0, lines: [line("delete", "z")] };
const folded = { shown: new Map<number, number>(), lines: null };
const texts = (rows: readonly Row[]) =>
  rows.map((row) => {
    if ("head" in row) return `@${row.head.folded}`;
    if ("line" in row) return `${row.line.before ?? ""}:${row.line.after ?? ""} ${row.line.text}`;
    return `${row.left?.text ?? ""}|${row.right?.text ?? ""}`;
  });

test("lines have the numbers of the sides they are on, and those that took each other's place know it", () => {
  expect(linesOf(hunk).slice(2, 7)).toEqual([
    { kind: "context", before: 12, after: 12, text: "c", other: null },
    { kind: "delete", before: 13, after: null, text: "d", other: "D" },
    { kind: "add", before: null, after: 13, text: "D", other: "d" },
    { kind: "add", before: null, after: 14, text: "D2", other: null },
    { kind: "context", before: 14, after: 15, text: "e", other: null },
  ]);
});

test("what is folded is counted before each hunk, and after the last one only the text tells", () => {
  const rows = texts(rowsOf([hunk, later], "unified", folded, true));
  expect(rows[0]).toBe("@9");
  expect(rows.indexOf("@23")).toBe(10);
  // A last change without three lines after it is at the end of the text.
  expect(rows.at(-1)).toBe("40: z");
  expect(texts(rowsOf([hunk], "unified", folded, true)).at(-1)).toBe("@null");
  expect(texts(rowsOf([hunk], "unified", folded, false)).at(-1)).toBe("16:17 g");
});

test("side by side, what one side has more of stands beside nothing", () => {
  expect(texts(rowsOf([hunk], "split", folded, false)).slice(3, 7)).toEqual(["c|c", "d|D", "|D2", "e|e"]);
});

test("unfolded lines stand before what they lead to, and after the last change what follows it", () => {
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`);
  const part = texts(rowsOf([hunk], "unified", { shown: new Map([[0, 2]]), lines }, true));
  expect(part.slice(0, 3)).toEqual(["@7", "8:8 line 8", "9:9 line 9"]);
  const all = texts(
    rowsOf(
      [hunk],
      "unified",
      {
        shown: new Map([
          [0, 99],
          [1, 2],
        ]),
        lines,
      },
      true,
    ),
  );
  expect(all.slice(0, 2)).toEqual(["@0", "1:1 line 1"]);
  expect(all.slice(-3)).toEqual(["17:18 line 18", "18:19 line 19", "@1"]);
});

test("a portion is the beginning, by lines and by characters, also of one entry that stands for many lines", () => {
  expect(portionOf([hunk, later], 300, 10_000)).toEqual({ hunks: [hunk, later], isWhole: true });
  const cut = portionOf([hunk, later], 4, 10_000);
  expect(cut.isWhole).toBe(false);
  expect(cut.hunks.flatMap(({ lines }) => lines)).toHaveLength(4);
  expect(portionOf([hunk, later], 9, 10_000)).toEqual({ hunks: [hunk], isWhole: false });
  const block: Hunk = { ...hunk, lines: [line("add", Array.from({ length: 60_000 }, () => "x").join("\n"))] };
  const portion = portionOf([block], 300, 120_000);
  expect(portion.isWhole).toBe(false);
  expect(linesOf(portion.hunks[0] ?? block)).toHaveLength(300);
  const wide: Hunk = { ...hunk, lines: [line("add", "x".repeat(1_000_000))] };
  expect(portionOf([wide], 300, 1000)).toMatchObject({
    isWhole: false,
    hunks: [{ lines: [{ text: "x".repeat(1000) }] }],
  });
});

test("a comparison that is cut has as many rows as a page shows, in both layouts", () => {
  const text = "a\n".repeat(mostLines).slice(0, -1);
  const kinds = ["delete", "add"] as const;
  const half = text.slice(0, text.length / 2);
  const hunk: Hunk = {
    oldStart: 1,
    oldLines: mostLines,
    newStart: 1,
    newLines: mostLines,
    lines: [...kinds.map((kind) => ({ kind, text: half })), ...kinds.map((kind) => ({ kind, text }))],
  };
  const { hunks } = portionOf([hunk], mostLines, Infinity);
  for (const layout of ["unified", "split"] as const)
    expect(rowsOf(hunks, layout, { shown: new Map(), lines: null }, true)).toHaveLength(mostRows);
});
