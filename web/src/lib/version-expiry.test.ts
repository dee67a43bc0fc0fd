import { expect, test } from "bun:test";
import { expiresSoon, expiryWords, nextToExpire } from "./version-expiry.ts";

const now = Date.parse("2026-11-22T12:00:00.000Z");
const inDays = (days: number): string => new Date(now + days * 86_400_000).toISOString();

test("soon is within seven days", () => {
  expect([-1, 3, 7, 7.01].map((days) => expiresSoon(inDays(days), now))).toEqual([true, true, true, false]);
});

test.each([
  [3, "Expires in 3 days"],
  [1 / 24, "Expires in 1 hour"],
  [-1 / 24, "Expires any moment"],
])("what has %d days left", (days, words) => {
  expect(expiryWords(inDays(days), now)).toBe(words);
});

test("what expires soon is said once, by the first that does", () => {
  const version = (versionNumber: number, days: number | null) => ({
    versionNumber,
    expiresAt: days === null ? null : inDays(days),
  });
  const gone = { ...version(1, null), prunedAt: inDays(-1) };
  expect(nextToExpire([version(4, null), version(3, 20), gone], now)).toBeNull();
  expect(nextToExpire([version(4, null), version(3, 20), version(2, 3), gone], now)).toBe(
    "Version 2 expires in 3 days.",
  );
  expect(nextToExpire([version(4, null), version(3, 6), version(2, 3), gone], now)).toBe(
    "2 versions expire within 7 days: Version 2 expires in 3 days.",
  );
});
