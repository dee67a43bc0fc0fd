import { expect, test } from "bun:test";
import { exactTime, relativeTime, timeLeft } from "./time.ts";

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

test.each([
  ["2026-11-21T12:00:00.000Z", "expired"],
  ["2026-11-21T12:00:05.000Z", "in a moment"],
  ["2026-11-21T13:00:00.000Z", "in 1 hour"],
  ["2027-02-19T11:59:00.000Z", "in 3 months"],
  ["2026-11-28T11:59:00.000Z", "in 7 days"],
])("until %s", (time, expected) => {
  expect(timeLeft(time, Date.parse("2026-11-21T12:00:00.000Z"))).toBe(expected);
});
