import { expect, test } from "bun:test";
import { expiryOf, linkExpiryOf } from "./expiry-choices.ts";

const now = Date.parse("2026-11-21T12:00:00.000Z");

test.each([
  ["30", "2026-12-21T11:00:00.000Z"],
  ["365", "2027-11-21T11:00:00.000Z"],
  ["90", undefined],
  ["never", null],
  ["", undefined],
  ["9999", undefined],
])("%s", (choice, expected) => {
  expect(expiryOf(choice, now)).toBe(expected);
});

test("a share link ends when its choice says, or never; what is no choice goes on to be refused", () => {
  const now = Date.parse("2026-11-21T12:00:00.000Z");
  expect(linkExpiryOf("7", now)).toBe("2026-11-28T12:00:00.000Z");
  expect(linkExpiryOf("never", now)).toBeNull();
  expect(linkExpiryOf("tomorrow", now)).toBe("tomorrow");
});
