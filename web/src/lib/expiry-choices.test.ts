import { expect, test } from "bun:test";
import { expiryOf } from "./expiry-choices.ts";

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
