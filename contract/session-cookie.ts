// The name of the cookie of a browser session, for the API that reads it and the web app that asks whether it is there.

/**
 * `__Host-` ties the cookie to one host and to TLS, which is not to be had over plain http
 * (docs/reference/security.md §3).
 */
export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith("https://") ? "__Host-plinth_session" : "plinth_session";
