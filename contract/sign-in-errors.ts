// Why a sign-in failed, as in `/login?error=<code>`. The list is closed; the page has a sentence for each
// (web/src/messages/sign-in.ts) and knows no other code.

export const signInErrors = [
  "email_unverified",
  "email_taken",
  "email_invalid",
  "denied",
  "expired",
  "provider_unavailable",
  "failed",
] as const;

export type SignInError = (typeof signInErrors)[number];

/** The target of a failed sign-in: the login page, with the path that the person wanted to reach. */
export function loginErrorPath(code: SignInError, next: string | null): string {
  const query = new URLSearchParams({ error: code, ...(next === null ? {} : { next }) });
  return `/login?${query}`;
}
