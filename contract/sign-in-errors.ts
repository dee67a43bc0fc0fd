// Why a sign-in failed, as in `/login?error=<code>`, each with a sentence for the person. The list is closed; the page
// shows the sentence and knows no other code.

export const signInErrors = {
  email_unverified: "Your identity provider has not verified your email address. Verify it there, then sign in again.",
  email_taken:
    "There is an account with this email address already, and it signs in another way. Use that way, or ask the operator of this instance for a sign-in link.",
  email_invalid:
    "Your identity provider gave no email address that can be used here. It must be plain ASCII, such as ada@example.com.",
  denied: "You did not allow the sign-in at your identity provider. Nothing was changed.",
  expired: "The sign-in took too long, or was started in another browser. Start it again.",
  provider_unavailable: "Your identity provider can't be reached at the moment. Try again in a minute.",
  failed: "The sign-in did not succeed. Try again; if it keeps failing, tell the operator of this instance.",
} as const satisfies Record<string, string>;

export type SignInError = keyof typeof signInErrors;

/** The target of a failed sign-in: the login page, with the path that the person wanted to reach. */
export function loginErrorPath(code: SignInError, next: string | null): string {
  const query = new URLSearchParams({ error: code, ...(next === null ? {} : { next }) });
  return `/login?${query}`;
}
