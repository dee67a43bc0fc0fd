import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import { applyEdits, type Edit } from "./apply-edits.ts";

const limit = 1_000_000;

const refusalOf = (text: string, oldText: string) => {
  const edited = applyEdits(text, [{ oldText, newText: "x" }], limit);
  return typeof edited === "object" && "refused" in edited ? edited.refused : undefined;
};

const textOf = (text: string, edits: readonly Edit[], limitBytes = limit) => {
  const edited = applyEdits(text, edits, limitBytes);
  if (typeof edited === "string" || !("text" in edited)) throw new Error(JSON.stringify(edited));
  return edited.text;
};

describe("replacement", () => {
  test("is exact: nothing in either text means anything", () => {
    expect(textOf("a.b*c", [{ oldText: ".b*", newText: "$& $1 $` $$ \\n" }])).toBe("a$& $1 $` $$ \\nc");
    expect(textOf("(x|y)[z]^$", [{ oldText: "(x|y)[z]^$", newText: "" }])).toBe("");
    expect(textOf("A\r\nB", [{ oldText: "\r\n", newText: "\n" }])).toBe("A\nB");
    expect(refusalOf("abc", "a.c")).toEqual({ path: "edits.0.oldText", message: "does not occur in the text" });
  });

  test("is written in the line ends of a text whose lines all end in CRLF", () => {
    expect(textOf("a\r\nb\r\nc", [{ oldText: "a\nb\n", newText: "x\ny\r\n" }])).toBe("x\r\ny\r\nc");
    expect(
      textOf("a\r\nb\r\n", [
        { oldText: "a", newText: "1\n2" },
        { oldText: "2\nb", newText: "3" },
      ]),
    ).toBe("1\r\n3\r\n");
    // One line with another end: the text is taken as it is.
    expect(textOf("a\r\nb\nc", [{ oldText: "b\nc", newText: "d\ne" }])).toBe("a\r\nd\ne");
    expect(refusalOf("a\r\nb\nc", "a\nb")?.message).toStartWith("does not occur in the text");
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
      textOf(text, [{ oldText, newText, replaceAll: true }], most);
    expect(every("a b a", "a", "$& a")).toBe("$& a b $& a");
    expect(every("aaa", "aa", "b")).toBe("ba");
    expect(() => every("abc", "x", "y")).toThrow("does not occur");
    expect(() => every("a".repeat(1000), "a", "bcd", 2999)).toThrow("too large");
    expect(every("a".repeat(1000), "a", "bcd", 3000)).toHaveLength(3000);
  });

  test("makes a million replacements with all edits together, and no more", () => {
    const edit = (oldText: string, newText: string) => ({ oldText, newText, replaceAll: true });
    const text = "a".repeat(500_000);
    expect(textOf(text, [edit("a", "b"), edit("b", "c")])).toBe("c".repeat(500_000));
    expect(applyEdits(`${text}a`, [edit("a", "b"), edit("b", "c")], limit)).toEqual({
      refused: {
        path: "edits.1.oldText",
        message:
          "makes more than 1,000,000 replacements, with the edits before it: send the whole text as a new version",
      },
    });
  });

  test("goes one after another, each on what the one before left", () => {
    const edits = [
      { oldText: "one", newText: "two" },
      { oldText: "two", newText: "three" },
    ];
    expect(textOf("one", edits)).toBe("three");
    expect(() => textOf("one two", edits)).toThrow("edits.1.oldText");
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
          expect(textOf(text, [{ oldText, newText }])).toBe(head + newText + tail);
        },
      ),
    );
  });
});
