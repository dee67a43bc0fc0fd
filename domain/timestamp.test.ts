import { expect, test } from "bun:test";

import { parseTimestamp } from "./timestamp.ts";

test("a time has any offset, and its plus can have become a space in a query", () => {
  for (const [text, time] of [
    ["2026-05-31T09:00:00Z", "2026-05-31T09:00:00.000Z"],
    ["2026-05-31T09:00:00.1234567+02:00", "2026-05-31T07:00:00.123Z"],
    ["2026-01-01T00:30+05:45", "2025-12-31T18:45:00.000Z"],
    ["2026-05-31T23:00:00-09:30", "2026-06-01T08:30:00.000Z"],
    ["2026-05-31T09:00:00 02:00", "2026-05-31T07:00:00.000Z"],
  ] as const)
    expect([text, parseTimestamp(text, "since")?.toISOString()]).toEqual([text, time]);
});

test("a date is a day in UTC: its beginning, the next day, or its last moment", () => {
  expect(
    (["since", "until", "last"] as const).map((moment) => parseTimestamp("2028-02-29", moment)?.toISOString()),
  ).toEqual(["2028-02-29T00:00:00.000Z", "2028-03-01T00:00:00.000Z", "2028-02-29T23:59:59.999Z"]);
  expect(parseTimestamp("2028-02-29T09:00Z", "until")?.toISOString()).toBe("2028-02-29T09:00:00.000Z");
});

test("what no calendar has and every other form is none", () => {
  for (const text of [
    "2026-02-30T00:00:00Z",
    "2026-02-30T00:00:00+02:00",
    "2026-05-31T25:00:00Z",
    "2026-05-31T09:00:00",
    "2026-02-30",
    "2026-13-01",
    "26-05-31",
    "2026-05-31T09:00:00+24:00",
    "2026-05-31T09:00:00+2",
    "2026-05-31 09:00:00Z",
    "yesterday",
    "",
  ])
    expect([text, parseTimestamp(text, "since")]).toEqual([text, null]);
});
