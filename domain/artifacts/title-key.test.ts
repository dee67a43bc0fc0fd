import { expect, test } from "bun:test";

import { titleKeyOf } from "./title-key.ts";

const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const ordered = (titles: readonly string[]) => titles.toSorted((a, b) => bytewise(titleKeyOf(a), titleKeyOf(b)));

test("titles are in the order in which people look for them: numbers as numbers, no matter the case or an accent", () => {
  const titles = [
    "9 lives",
    "10 Things",
    "Äpfel",
    "apple",
    "Part 2",
    "part 10",
    "PART 010a",
    "zebra",
    "Ёлка",
    "жук",
    "東京",
  ];
  expect(ordered(titles.toReversed())).toEqual(titles);
  expect(titleKeyOf("ÉTÉ")).toBe(titleKeyOf("e\u0301te\u0301"));
  expect(titleKeyOf("  Part\u0007 007 ")).toBe(titleKeyOf("part 7"));
});

test("the key of every title fits a cursor and a column", () => {
  for (const title of ["", "\0\0", "\ud800x", "🚀".repeat(200), "ﷺ".repeat(200), "1".repeat(200), "‮abc"]) {
    const key = titleKeyOf(title);
    expect(key.isWellFormed()).toBe(true);
    expect(key).not.toMatch(/\p{Cc}/u);
    expect(Buffer.byteLength(key)).toBeLessThanOrEqual(320);
  }
});
