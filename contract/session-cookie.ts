// The name of the session cookie, for the API that reads it and the web app that checks whether it exists.

/** `__Host-` ties the cookie to one host and to TLS, which plain http does not have (docs/reference/security.md §3). */
export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith("https://") ? "__Host-plinth_session" : "plinth_session";
