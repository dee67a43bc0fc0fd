// The endpoints and the two pages of the OAuth 2.1 authorization server. The web app has the pages; operations/oauth.ts
// has the operations behind them.

/**
 * Paths below the public URL. Programs learn them from the metadata (RFC 8414), except for the paths that only Plinth's
 * own programs use.
 */
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
 * `consent` is opened with a signed query: send it back whole, without its question mark, as `query`. Where the request
 * is too malformed to redirect the person to the client, it is opened with `?error=<one of authorizationErrors>`.
 * `device` may be opened with `?user_code=…` (RFC 8628, 3.3.1): fill the code in, but never submit it without a click.
 * Both require a session: without one, redirect to `/login?next=` and the page's own path.
 */
export const oauthPages = { consent: "/oauth/consent", device: "/device" } as const;

/** Why an authorization request ends on Plinth's page and not at the client. */
export const authorizationErrors = ["invalid_client", "invalid_redirect", "invalid_request", "rate_limited"] as const;
export type AuthorizationError = (typeof authorizationErrors)[number];

/** The target of a client's redirect: a website, a port of this computer, or an app with its own scheme. */
export const redirectKinds = ["website", "computer", "app"] as const;
export type RedirectKind = (typeof redirectKinds)[number];

/** The command line's client: public, loopback redirect on any port, code with PKCE and device grants. */
export const commandLineClient = {
  clientId: "plinth-cli",
  name: "Plinth command line",
  /** The client may use any port of these hosts. */
  redirectUris: ["http://127.0.0.1/callback", "http://[::1]/callback"],
} as const;

/** The exchange of an id token for a token of an agent that trusts it (RFC 8693). */
export const tokenExchange = {
  grant: "urn:ietf:params:oauth:grant-type:token-exchange",
  idToken: "urn:ietf:params:oauth:token-type:id_token",
  jwt: "urn:ietf:params:oauth:token-type:jwt",
  accessToken: "urn:ietf:params:oauth:token-type:access_token",
  /** The longest lifetime of the token, in seconds. */
  lifetime: 3600,
} as const;

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * Two groups of four consonants, so that no code is a word: `WDJB-MJHT`. Lower case and a missing hyphen are accepted.
 */
export const userCodePattern = "^[B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{4}[- ]?[B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{4}$";

/** Lifetimes in seconds. */
export const oauthLifetimes = {
  accessToken: 600,
  refreshToken: 30 * 86_400,
  /** How long a refresh token that was used still gives a new pair. */
  retiredRefreshToken: 60,
  authorizationCode: 60,
  /** From opening the consent page to pressing its button. */
  consent: 600,
  deviceCode: 600,
  /** Between two polls of a device. */
  pollInterval: 5,
} as const;
