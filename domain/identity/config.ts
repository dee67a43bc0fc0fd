// Through whom people sign in, as the instance is told at start.

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An OpenID provider, found by discovery. */
export interface OidcConfig extends Client {
  readonly kind: "oidc";
  /** As the sign-in route takes it, and as `account.provider_id` keeps it. */
  readonly id: "oidc" | "google";
  readonly name: string;
  readonly issuer: string;
}

export interface GithubConfig extends Client {
  readonly kind: "github";
  readonly id: "github";
  readonly name: string;
}

export type ProviderConfig = OidcConfig | GithubConfig;

export interface IdentityConfig {
  readonly providers: readonly ProviderConfig[];
  /** Whose instance it is; null where nobody said. */
  readonly ownerEmail: string | null;
}
