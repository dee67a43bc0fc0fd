import { expect, test } from "bun:test";

import { datedWords } from "./date-words.ts";

/** A Thursday. */
const now = new Date(2026, 10, 26, 15, 30);
const day = (year: number, month: number, date: number) => new Date(year, month - 1, date).toISOString();

test.each([
  ["last month report", "report", day(2026, 10, 1), day(2026, 11, 1)],
  ["report last month", "report", day(2026, 10, 1), day(2026, 11, 1)],
  ["Last  Week", "", day(2026, 11, 16), day(2026, 11, 23)],
  ["revenue this week", "revenue", day(2026, 11, 23), undefined],
  ["yesterday", "", day(2026, 11, 25), day(2026, 11, 26)],
  ["today plan", "plan", day(2026, 11, 26), undefined],
  ["plan this month", "plan", day(2026, 11, 1), undefined],
  ["last year budget", "budget", day(2025, 1, 1), day(2026, 1, 1)],
  ["churn last 30 days", "churn", day(2026, 10, 27), undefined],
  ["last monday notes", "notes", day(2026, 11, 23), day(2026, 11, 24)],
  ["notes last thursday", "notes", day(2026, 11, 19), day(2026, 11, 20)],
  ["report in october", "report", day(2026, 10, 1), day(2026, 11, 1)],
  ["report in December", "report", day(2025, 12, 1), day(2026, 1, 1)],
  ["report in may 2024", "report", day(2024, 5, 1), day(2024, 6, 1)],
  ["since october report", "report", day(2026, 10, 1), undefined],
])("%j is a date and words", (query, words, since, until) => {
  const dated = datedWords(query, now);
  expect([dated.words, dated.since, dated.until]).toEqual([words, since, until]);
  expect(query.toLowerCase()).toContain((dated.said ?? "none").toLowerCase());
});

test.each([
  "october report",
  "the last month of it",
  "todays list",
  "yesterdays",
  "week 43",
  "last",
  '"last month"',
  "",
])("%j has no date", (query) => {
  expect(datedWords(query, now)).toEqual({ words: query, said: null });
});

test("the year and the week turn where the calendar does", () => {
  expect(datedWords("last month", new Date(2027, 0, 1)).since).toBe(day(2026, 12, 1));
  expect(datedWords("last week", new Date(2027, 0, 3)).since).toBe(day(2026, 12, 21));
  expect(datedWords("this week", new Date(2027, 0, 4)).since).toBe(day(2027, 1, 4));
});
