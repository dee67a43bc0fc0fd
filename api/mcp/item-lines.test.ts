import { describe, expect, test } from "bun:test";

import { listingText, summaryBytes } from "./item-lines.ts";

const listing = (items: readonly string[], nextCursor: string | null = null) =>
  listingText({ of: "http://plinth.test", noun: "name", items, nextCursor, line: (item) => item });

describe("the text of a list", () => {
  test("has a line for each item, and the cursor of the next page", () => {
    expect(listing(["one", "two"])).toBe("http://plinth.test: 2 names.\n- one\n- two");
    expect(listing(["one"], "abc")).toBe('http://plinth.test: the first 1 name.\n- one\nFor more send cursor "abc".');
    expect(listing([])).toBe("http://plinth.test: 0 names.");
  });

  test("leaves out what is too long, and says which limit lists all of it", () => {
    const text = listing(
      Array.from({ length: 100 }, () => "ü".repeat(500)),
      "abc",
    );
    expect(Buffer.byteLength(text)).toBeLessThan(summaryBytes + 200);
    const shown = text.split("\n").filter((line) => line.startsWith("- ")).length;
    expect(text).toEndWith(`${100 - shown} more are too long to list here: send limit ${shown}.`);
  });

  test("shows the first item however long it is", () => {
    expect(listing(["x".repeat(summaryBytes * 2), "y"])).toContain("1 more are too long to list here: send limit 1.");
  });

  test("keeps an item on its line", () => {
    expect(listing(["one\n- two\u2028three"])).toBe("http://plinth.test: 1 name.\n- one - two three");
  });
});
