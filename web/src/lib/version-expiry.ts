// When retention takes versions, in words, for those that it takes soon.
import { expiryWarningDays } from "@plinth/contract/limits";
import type { Version } from "@plinth/contract/schemas/artifact";
import { timeLeft } from "./time.ts";

export const expiresSoon = (expiresAt: string, now = Date.now()): boolean =>
  Date.parse(expiresAt) <= now + expiryWarningDays * 86_400_000;

/** "Expires in 3 days"; what is due goes with the next run. */
export const expiryWords = (expiresAt: string, now = Date.now()): string =>
  Date.parse(expiresAt) <= now ? "Expires any moment" : `Expires ${timeLeft(expiresAt, now)}`;

/** Of versions, those that expire soon as one sentence; null where none does. */
export function nextToExpire(
  versions: readonly Pick<Version, "versionNumber" | "expiresAt" | "prunedAt">[],
  now = Date.now(),
): string | null {
  const soon = versions.flatMap(({ versionNumber, expiresAt, prunedAt }) =>
    prunedAt === undefined && expiresAt !== null && expiresSoon(expiresAt, now) ? [{ versionNumber, expiresAt }] : [],
  );
  const [first] = soon.toSorted((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt));
  if (first === undefined) return null;
  const words = expiryWords(first.expiresAt, now).toLowerCase();
  if (soon.length === 1) return `Version ${first.versionNumber} ${words}.`;
  return `${soon.length} versions expire within ${expiryWarningDays} days: version ${first.versionNumber} ${words}.`;
}
