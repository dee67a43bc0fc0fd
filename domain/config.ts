// The settings of an instance at its start. The server reads them from the environment.
import type { BillingInterval, PaidPlanId, PlanId } from "@plinth/contract/plans";

export interface Config {
  /** Version of the program. */
  readonly version: string;
  /** Where people reach the instance, without a trailing slash. */
  readonly publicUrl: string;
  /** Where user content is served, without a trailing slash; the public address unless set apart. */
  readonly contentOrigin: string;
  /** Key of everything the instance signs. */
  readonly secret: string;
  readonly operatorToken: string;
  /** Plan of a new workspace. */
  readonly defaultPlan: PlanId;
  /** Bytes of UTF-8 in one version. */
  readonly maxContentBytes: number;
  /** How long a reader waits for a rendering before they are shown the text without it, in ms. */
  readonly renderWaitMs: number;
  /** Requests a minute for each principal; 0 switches the limit off. */
  readonly rateLimits: { readonly reads: number; readonly writes: number };
  /** Origins that html artifacts may load scripts, styles, fonts and images from. */
  readonly htmlCdnAllowlist: readonly string[];
  /** The npm registry that packages of html documents are fetched from, without a trailing slash; null for none. */
  readonly packageRegistry: string | null;
  /** Whether images of other sites that documents show are fetched, once, and kept. */
  readonly remoteImages: boolean;
  /** Issuers of id tokens that may have a private address and speak http. */
  readonly trustedIssuers: readonly string[];
  /** Origins whose pages may speak MCP, beside the instance's own and those of the reader's machine. */
  readonly mcpAllowedOrigins: readonly string[];
  /** Host names that the instance answers to, beside those of its public URL and content origin. */
  readonly allowedHosts: readonly string[];
  /** Where to report a vulnerability, a `mailto:` or `https:` URI; null where the operator names none. */
  readonly securityContact: string | null;
  readonly identity: IdentityConfig;
  /** Where mail is handed over; null where none is sent. */
  readonly mail: MailSettings | null;
  /** Null where no plans are sold. */
  readonly billing: BillingConfig | null;
}

export interface MailSettings {
  /** Of the mail server (smtp or smtps), with its user and password. */
  readonly url: string;
  /** The sender: an address, or a name with an address in angle brackets. */
  readonly from: string;
  /** The instance's name in mails; Plinth unless given. */
  readonly siteName?: string;
}

/** Where contents are that are not in the database. */
export interface ObjectStoreSettings {
  readonly bucket: string;
  /** Of every key, with a slash at its end; empty for the bucket's root. */
  readonly prefix: string;
  /** Of the S3 server; null for that of AWS in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
  /** Whether objects are only read: new contents stay in the database, and no object is removed. */
  readonly isReadOnly: boolean;
}

/** What a provider knows the instance by. */
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

/** Through whom people sign in. */
export interface IdentityConfig {
  readonly providers: readonly ProviderConfig[];
  /** The owner's email; null where none is set. */
  readonly ownerEmail: string | null;
  /** Whether the operator allows sign-in links by email; they need a mail server. */
  readonly emailSignIn?: boolean;
}

/** The settings for selling plans (docs/reference/contract.md §1). */
export interface BillingConfig {
  readonly secretKey: string;
  /** An event signed with any of them is accepted, so that a secret can be rotated. */
  readonly webhookSecrets: readonly string[];
  /** Stripe's identifiers; a plan without one is not sold. */
  readonly prices: Readonly<Record<PaidPlanId, Readonly<Partial<Record<BillingInterval, string>>>>>;
  /** The URL of a fake Stripe; null for Stripe itself. */
  readonly apiBase: string | null;
}
