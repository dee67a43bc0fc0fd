import { expect, test } from "bun:test";
import { exactTime, relativeTime } from "./time.ts";

const now = Date.parse("2026-11-20T12:00:00.000Z");

test.each([
  ["2026-11-20T12:00:30.000Z", "just now"],
  ["2026-11-20T11:59:01.000Z", "just now"],
  ["2026-11-20T11:59:00.000Z", "1 minute ago"],
  ["2026-11-20T10:00:00.000Z", "2 hours ago"],
  ["2026-11-18T12:00:00.000Z", "2 days ago"],
  ["2026-09-01T12:00:00.000Z", "2 months ago"],
  ["2025-11-20T12:00:00.000Z", "1 year ago"],
])("%s is %s", (time, expected) => {
  expect(relativeTime(time, now)).toBe(expected);
});

test("the exact time is in UTC", () => {
  expect(exactTime("2026-11-20T12:00:00.123Z")).toBe("2026-11-20 12:00:00 UTC");
});
