// What the environment says, checked once at start (contract 1). Every wrong value is one clear line.
import { planIds, type PlanId } from "@plinth/contract/plans";
import { contentBytes } from "@plinth/contract/limits";
import type { IdentityConfig } from "@plinth/domain/identity/config";

import { isLoopback, readIdentity } from "./identity-environment.ts";

export interface Environment {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly publicUrl: string;
  readonly contentOrigin: string;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly secret: string | null;
  readonly operatorToken: string | null;
  readonly defaultPlan: PlanId;
  readonly maxContentBytes: number;
  readonly rateLimits: { readonly reads: number; readonly writes: number };
  readonly htmlCdnAllowlist: readonly string[];
  readonly mcpAllowedOrigins: readonly string[];
  readonly trustedProxies: ReadonlySet<string>;
  /** Where the browser is that takes pictures; null to look for one. */
  readonly chromiumPath: string | null;
  readonly identity: IdentityConfig;
  readonly mail: { readonly url: string; readonly from: string } | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws Error one line that names the variable */
export function readEnvironment(variables: Variables): Environment {
  const text = (name: string): string | null => variables[name]?.trim() || null;
  const whole = (name: string, otherwise: number, min: number, max: number): number => {
    const given = text(name);
    if (given === null) return otherwise;
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`${name} must be a whole number from ${min} to ${max}`);
    return value;
  };
  if (text("DATABASE_URL") !== null) {
    // Nothing is generated for one machine of several (contract 1).
    for (const name of ["SECRET", "OPERATOR_TOKEN"])
      if (text(name) === null) throw new Error(`${name} must be set where DATABASE_URL is`);
  }
  const port = whole("PORT", 3000, 1, 65_535);
  const publicUrl = origin("PUBLIC_URL", text("PUBLIC_URL") ?? `http://localhost:${port}`);
  const contentOrigin = text("CONTENT_ORIGIN");
  const host = text("HOST") ?? "127.0.0.1";
  const identity = readIdentity(text);
  // Links alone are no way for strangers to sign in, so whoever opens the port to others says that they mean it.
  if (identity.providers.length === 0 && !isLoopback(host) && text("ALLOW_LOCAL_LOGIN") !== "1") {
    throw new Error(
      `HOST must be an address of this machine alone while no identity provider is set (OIDC_ISSUER, GITHUB_CLIENT_ID or ` +
        `GOOGLE_CLIENT_ID); ALLOW_LOCAL_LOGIN=1 opens it with sign-in links alone`,
    );
  }
  return {
    port,
    host,
    dataDir: text("DATA_DIR") ?? "./data",
    publicUrl,
    contentOrigin: contentOrigin === null ? publicUrl : origin("CONTENT_ORIGIN", contentOrigin),
    databaseUrl: text("DATABASE_URL"),
    redisUrl: text("REDIS_URL"),
    secret: text("SECRET"),
    operatorToken: text("OPERATOR_TOKEN"),
    defaultPlan: planOf(text("DEFAULT_PLAN")),
    maxContentBytes: whole("MAX_CONTENT_BYTES", contentBytes.default, 1, contentBytes.max),
    rateLimits: {
      reads: whole("RATE_LIMIT_READS", 1200, 0, 999_999_999),
      writes: whole("RATE_LIMIT_WRITES", 240, 0, 999_999_999),
    },
    htmlCdnAllowlist: list(text("HTML_CDN_ALLOWLIST")).map((address) => origin("HTML_CDN_ALLOWLIST", address)),
    mcpAllowedOrigins: list(text("MCP_ALLOWED_ORIGINS")).map((address) => origin("MCP_ALLOWED_ORIGINS", address)),
    trustedProxies: new Set(list(text("TRUSTED_PROXIES"))),
    chromiumPath: text("CHROMIUM_PATH"),
    identity,
    mail: mailOf(text("SMTP_URL"), text("MAIL_FROM")),
  };
}

/** Whoever hosts it for themselves gets everything. */
function planOf(given: string | null): PlanId {
  if (given === null) return "team";
  const plan = planIds.find((id) => id === given);
  if (plan === undefined) throw new Error(`DEFAULT_PLAN must be one of ${planIds.join(", ")}`);
  return plan;
}

function origin(name: string, given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin)
    throw new Error(`${name} must be an http or https address without a path, such as https://plinth.example.com`);
  return url.origin;
}

const address = '[^\\s@<>,;"]+@[A-Za-z0-9.-]*[A-Za-z0-9]';
const mailbox = new RegExp(`^(?:${address}|[^<>@\\p{Cc}]*<${address}>)$`, "u");

/** Says nothing of the values: there may be a password in one. */
function mailOf(url: string | null, from: string | null): Environment["mail"] {
  if (url === null && from === null) return null;
  const server = url !== null && URL.canParse(url) ? new URL(url) : null;
  if (url === null || server === null || !/^smtps?:$/.test(server.protocol) || server.hostname === "")
    throw new Error("SMTP_URL must be the address of a mail server, such as smtps://user:password@mail.example.com");
  if (from === null || !mailbox.test(from))
    throw new Error("MAIL_FROM must be an email address, or a name and one, such as Plinth <plinth@example.com>");
  return { url, from };
}

const list = (given: string | null): string[] => (given ?? "").split(/[\s,]+/).filter((part) => part !== "");
