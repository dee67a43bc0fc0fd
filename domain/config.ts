// What an instance is told at start. Read from the environment by whoever composes the processes.
import type { PlanId } from "@plinth/contract/plans";

import type { BillingConfig } from "./billing/config.ts";
import type { IdentityConfig } from "./identity/config.ts";

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
  /** Origins whose pages may speak MCP, beside the instance's own and those of the reader's machine. */
  readonly mcpAllowedOrigins: readonly string[];
  /** Host names that the instance answers to, beside those of its public URL and content origin. */
  readonly allowedHosts: readonly string[];
  readonly identity: IdentityConfig;
  /** Where mail is handed over; null where none is sent. */
  readonly mail: MailSettings | null;
  /** Null where no plans are sold. */
  readonly billing: BillingConfig | null;
}

export interface MailSettings {
  /** Of the mail server (smtp or smtps), with what it takes to log in. */
  readonly url: string;
  /** Whom mail is from: an address, or a name with an address in angle brackets. */
  readonly from: string;
}
