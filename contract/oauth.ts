// Where the OAuth 2.1 authorization server is, and what its two pages are told. The pages themselves are the web app's;
// what they ask and answer are the operations of operations/oauth.ts.

/** Below the public address. Machines learn them from the metadata (RFC 8414); the rest is for our own programs. */
export const oauthPaths = {
  metadata: "/.well-known/oauth-authorization-server",
  resourceMetadata: "/.well-known/oauth-protected-resource",
  authorize: "/api/auth/oauth2/authorize",
  token: "/api/auth/oauth2/token",
  register: "/api/auth/oauth2/register",
  revoke: "/api/auth/oauth2/revoke",
  /** The device authorization endpoint (RFC 8628). */
  device: "/api/auth/device/code",
} as const;

/**
 * Pages of the web app.
 *
 * `consent` is opened with a signed query: hand it back whole, without its question mark, as `query`. Or, where the
 * request was so wrong that nobody may be sent back to the client, with `?error=<one of authorizationErrors>`.
 * `device` may be opened with `?user_code=…` (RFC 8628, 3.3.1): fill it in, never send it without a press.
 * Both need a session: without one, `/login?next=` and the page's own address.
 */
export const oauthPages = { consent: "/oauth/consent", device: "/device" } as const;

/** Why an authorization request ends on our page and not at the client. */
export const authorizationErrors = ["invalid_client", "invalid_redirect", "invalid_request", "rate_limited"] as const;
export type AuthorizationError = (typeof authorizationErrors)[number];

/** How a client gets its answer: at a website, at a port of this computer, or in an app by its own scheme. */
export const redirectKinds = ["website", "computer", "app"] as const;
export type RedirectKind = (typeof redirectKinds)[number];

/** The command line's own client: public, loopback redirect on any port, code with PKCE and device grants. */
export const commandLineClient = {
  clientId: "plinth-cli",
  name: "Plinth command line",
  /** Any port of these. */
  redirectUris: ["http://127.0.0.1/callback", "http://[::1]/callback"],
} as const;

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** Two groups of four consonants, so that no code is a word: `WDJB-MJHT`. Lower case and no hyphen will do. */
export const userCodePattern = "^[B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{4}[- ]?[B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{4}$";

/** How long things live, in seconds. */
export const oauthLifetimes = {
  accessToken: 600,
  refreshToken: 30 * 86_400,
  authorizationCode: 60,
  /** From opening the consent page to pressing a button. */
  consent: 600,
  deviceCode: 600,
  /** Between two polls of a device. */
  pollInterval: 5,
} as const;
