import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import { AppError } from "@plinth/contract/errors";

import { applyEdits } from "./replace-text.ts";

const limit = 1_000_000;

const refusalOf = (text: string, oldText: string) => {
  try {
    applyEdits(text, [{ oldText, newText: "x" }], limit);
  } catch (error) {
    if (error instanceof AppError) return error.extra.errors?.[0];
  }
  return undefined;
};

describe("replacement", () => {
  test("is exact: nothing in either text means anything", () => {
    expect(applyEdits("a.b*c", [{ oldText: ".b*", newText: "$& $1 $` $$ \\n" }], limit)).toBe("a$& $1 $` $$ \\nc");
    expect(applyEdits("(x|y)[z]^$", [{ oldText: "(x|y)[z]^$", newText: "" }], limit)).toBe("");
    expect(applyEdits("A\r\nB", [{ oldText: "\r\n", newText: "\n" }], limit)).toBe("A\nB");
    expect(refusalOf("abc", "a.c")).toEqual({ path: "edits.0.oldText", message: "does not occur in the text" });
  });

  test("is unique, overlapping places counted", () => {
    const advice = "give more of the text around it, or send replaceAll: true";
    const message = `occurs 2 times in the text (line 1): ${advice}`;
    expect(refusalOf("abcabc", "abc")?.message).toBe(message);
    expect(refusalOf("aaa", "aa")?.message).toBe(message);
    expect(refusalOf("😀😀", "😀")?.message).toBe(message);
    expect(refusalOf("a\nb\na b a\n\na", "a")?.message).toBe(`occurs 4 times in the text (lines 1, 3, 5): ${advice}`);
    expect(refusalOf("a\n".repeat(500), "a")?.message).toBe(
      `occurs 100 times or more in the text (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more): ${advice}`,
    );
  });

  test("names the closest line of a text that does not occur", () => {
    const text = "# Report\n\nRevenue grew by 12 percent in Q3.\n\tCosts  fell.\n";
    const message = (oldText: string) => refusalOf(text, oldText)?.message;
    expect(message("Revenue grew by 12 % in Q3.")).toBe(
      'does not occur in the text; the closest line is 3: "Revenue grew by 12 percent in Q3."',
    );
    expect(message("\n  Costs fell.")).toBe('does not occur in the text; the closest line is 4: "\\tCosts  fell."');
    expect(message("Entirely unlike")).toBe("does not occur in the text");
    expect(message("?")).toBe("does not occur in the text");
  });

  test("replaces every place where replaceAll says so, and nothing in the new text again", () => {
    const every = (text: string, oldText: string, newText: string, most = limit) =>
      applyEdits(text, [{ oldText, newText, replaceAll: true }], most);
    expect(every("a b a", "a", "$& a")).toBe("$& a b $& a");
    expect(every("aaa", "aa", "b")).toBe("ba");
    expect(() => every("abc", "x", "y")).toThrow("does not occur");
    expect(() => every("a".repeat(1000), "a", "bcd", 2999)).toThrow("larger than 2999 bytes");
    expect(every("a".repeat(1000), "a", "bcd", 3000)).toHaveLength(3000);
  });

  test("goes one after another, each on what the one before left", () => {
    const edits = [
      { oldText: "one", newText: "two" },
      { oldText: "two", newText: "three" },
    ];
    expect(applyEdits("one", edits, limit)).toBe("three");
    expect(() => applyEdits("one two", edits, limit)).toThrow("edits.1.oldText");
  });

  test("puts the new text where the old one was, for any text", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 1 }),
        fc.string(),
        fc.string(),
        (head, oldText, tail, newText) => {
          const text = head + oldText + tail;
          fc.pre(text.indexOf(oldText) === head.length && !text.includes(oldText, head.length + 1));
          expect(applyEdits(text, [{ oldText, newText }], limit)).toBe(head + newText + tail);
        },
      ),
    );
  });
});
