// How long a new key, token or share link lives, as one chooses it in a form.

export const expiryChoices = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "never", label: "No end" },
] as const;

/** What the API is told for a choice: null for no end, undefined (its default of 90 days) for what is no choice. */
export function expiryOf(choice: string, now = Date.now()): string | null | undefined {
  if (choice === "never") return null;
  const days = choice === "90" ? undefined : expiryChoices.find(({ value }) => value === choice)?.value;
  if (days === undefined) return undefined;
  // An hour short of whole days, so that a clock that differs from ours does not make a year too long.
  return new Date(now + Number(days) * 86_400_000 - 3_600_000).toISOString();
}

export const linkExpiryChoices = [
  { value: "1", label: "A day" },
  { value: "7", label: "7 days" },
  ...expiryChoices,
] as const;

/** When a share link of this choice ends; null for no end. Any other value goes on as it is, to be refused. */
export function linkExpiryOf(choice: string, now = Date.now()): string | null {
  if (choice === "never") return null;
  const known = linkExpiryChoices.find(({ value }) => value === choice);
  return known === undefined ? choice : new Date(now + Number(known.value) * 86_400_000).toISOString();
}
