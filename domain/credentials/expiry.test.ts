import { expect, test } from "bun:test";

import { expiryOf, expiryProblem } from "./expiry.ts";

const now = new Date("2026-11-20T12:00:00.000Z");

test("90 days by default, no expiry only on request", () => {
  expect(expiryOf(undefined, now)?.toISOString()).toBe("2027-02-18T12:00:00.000Z");
  expect(expiryOf(null, now)).toBeNull();
  expect(expiryOf("2026-12-01T00:00:00Z", now)?.toISOString()).toBe("2026-12-01T00:00:00.000Z");
});

test("a time in UTC that there is or a day to its end, ahead, within a year", () => {
  for (const right of [
    null,
    undefined,
    "2026-11-20T12:00:00.001Z",
    "2026-11-21T00:00Z",
    "2027-11-20T12:00:00Z",
    "2026-11-20",
  ])
    expect(expiryProblem(right, now)).toBeNull();
  for (const wrong of [
    "2026-11-20T12:00:00.000Z",
    "2020-01-01T00:00:00Z",
    "2027-11-20T12:00:00.001Z",
    "2027-11-20T13:00:00.001 01:00",
    "2027-02-30T00:00:00Z",
    "2027-02-29T00:00:00Z",
    "2027-13-01T00:00:00Z",
    "2027-01-01T25:00:00Z",
    "2027-01-01T00:00:00+1",
    "2027-01-01T00:00:00",
    "2026-11-19",
    "2027-11-20",
    "2027-02-29",
    "1830297600000",
    "tomorrow",
    "",
  ])
    expect({ wrong, problem: expiryProblem(wrong, now) }).not.toEqual({ wrong, problem: null });
});
