import { expect, test } from "bun:test";

import { readEnd, readPast } from "./given-time.ts";

/** A Wednesday. */
const now = new Date("2026-12-02T15:30:00Z");

test("an end: dates and times as they are, words and lengths from now", () => {
  for (const [text, time] of [
    ["2026-12-04", "2026-12-04"],
    ["2026-12-04T09:00:00+02:00", "2026-12-04T09:00:00+02:00"],
    ["today", "2026-12-02"],
    ["Tomorrow", "2026-12-03"],
    ["friday", "2026-12-04"],
    ["fri", "2026-12-04"],
    ["wednesday", "2026-12-09"],
    ["tue", "2026-12-08"],
    ["7d", "2026-12-09T15:30:00.000Z"],
    ["12h", "2026-12-03T03:30:00.000Z"],
    ["2w", "2026-12-16T15:30:00.000Z"],
    ["90m", "2026-12-02T17:00:00.000Z"],
    ["none", null],
  ] as const)
    expect([text, readEnd(text, now)]).toEqual([text, time]);
});

test("a beginning lies in the past", () => {
  for (const [text, time] of [
    ["yesterday", "2026-12-01"],
    ["friday", "2026-11-27"],
    ["wednesday", "2026-11-25"],
    ["tuesday", "2026-12-01"],
    ["7d", "2026-11-25T15:30:00.000Z"],
  ] as const)
    expect([text, readPast(text, now)]).toEqual([text, time]);
});

test("everything else is refused with what may be written", () => {
  for (const text of ["", "soon", "7", "7y", "fr", "constructor", "__proto__", "04.12.2026", "12/04/2026", "99999d"])
    expect(() => readEnd(text, now)).toThrow("must be a date such as 2030-01-31, a time in ISO 8601, or tomorrow");
});
