// The lifetimes of a new key, token or share link, as choices of a form.
import { formats } from "../messages/formats.ts";
import { credentialTexts } from "../messages/credentials.ts";

const days = <const Count extends number>(count: Count) => ({
  value: `${count}` as const,
  get label() {
    return count === 365 ? formats().duration(1, "year") : formats().duration(count, "day");
  },
});

/** Each label is in the language of the page. */
export const expiryChoices = [
  days(30),
  days(90),
  days(365),
  {
    value: "never",
    get label() {
      return credentialTexts().never;
    },
  },
] as const;

/** What the API is told for a choice: null for no end, undefined (its default of 90 days) for what is no choice. */
export function expiryOf(choice: string, now = Date.now()): string | null | undefined {
  if (choice === "never") return null;
  const chosen = choice === "90" ? undefined : expiryChoices.find(({ value }) => value === choice)?.value;
  if (chosen === undefined) return undefined;
  // An hour short of whole days, so that a clock that differs from ours does not make a year too long.
  return new Date(now + Number(chosen) * 86_400_000 - 3_600_000).toISOString();
}

export const linkExpiryChoices = [days(1), days(7), ...expiryChoices] as const;

/** When a share link of this choice ends; null for no end. Any other value goes on as it is, to be refused. */
export function linkExpiryOf(choice: string, now = Date.now()): string | null {
  if (choice === "never") return null;
  const known = linkExpiryChoices.find(({ value }) => value === choice);
  return known === undefined ? choice : new Date(now + Number(known.value) * 86_400_000).toISOString();
}
