// When retention takes versions, in words, for those that it takes soon.
import { expiryWarningDays } from "@plinth/contract/limits";
import type { Version } from "@plinth/contract/schemas/artifact";
import { viewerTexts } from "#messages/viewer.ts";
import { timeLeft } from "./time.ts";

export const expiresSoon = (expiresAt: string, now = Date.now()): boolean =>
  Date.parse(expiresAt) <= now + expiryWarningDays * 86_400_000;

/** "Expires in 3 days"; what is due goes with the next run. */
export function expiryWords(expiresAt: string, now = Date.now()): string {
  const text = viewerTexts();
  return Date.parse(expiresAt) <= now ? text.expiresAnyMoment : text.expires({ left: timeLeft(expiresAt, now) });
}

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
  const text = viewerTexts();
  const version = first.versionNumber;
  const words =
    Date.parse(first.expiresAt) <= now
      ? text.versionExpiresAnyMoment({ version })
      : text.versionExpires({ version, left: timeLeft(first.expiresAt, now) });
  if (soon.length === 1) return words;
  return text.versionsExpire({ count: soon.length, days: expiryWarningDays, first: words });
}
