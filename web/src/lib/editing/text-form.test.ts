import { expect, test } from "bun:test";

import { bytesOf, edited, lineEnding, stored } from "./text-form.ts";

test("a text that comes back from the editor unchanged is what was stored, however its lines end", () => {
  for (const text of ["", "a", "a\nb\n", "a\r\nb\r\n", "\r\n\r\n", "\nfirst"])
    expect(stored(edited(text), lineEnding(text))).toBe(text);
});

test("a form's CR LF is no change to a text with LF", () => {
  expect(stored("a\r\nb\r\n", "\n")).toBe("a\nb\n");
  expect(stored("a\r\nb\r\n", "\r\n")).toBe("a\r\nb\r\n");
});

test("sizes are of UTF-8", () => {
  expect(["", "a", "é", "日", "🎉"].map(bytesOf)).toEqual([0, 1, 2, 3, 4]);
});
