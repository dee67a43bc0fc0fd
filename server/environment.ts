// Reads the environment and checks it once at start (docs/reference/contract.md §1). Every wrong value gives one clear
// line, and a process requires only the variables that it uses.
import { join } from "node:path";

import { logSettings, type LogSettings } from "@plinth/platform/log";
import { planIds, type PlanId } from "@plinth/contract/plans";
import { contentBytes } from "@plinth/contract/limits";
import type { TrustedProxies } from "@plinth/api/request-meta";
import type { BillingConfig, IdentityConfig, ObjectStoreSettings } from "@plinth/domain/config";
import { isEmail } from "@plinth/domain/email";
import type { Site } from "@plinth/web/site";

import { billingOf } from "./billing-environment.ts";
import { isLoopback, readIdentity } from "./identity-environment.ts";
import { mailOf, type MailEnvironment } from "./mail-environment.ts";
import { objectStoreOf } from "./object-store.ts";
import { siteNameOf, siteOf } from "./site-environment.ts";
import { trustedProxies } from "./trusted-proxies.ts";

/** Everything in one process, or one part of it in each process. */
const processKinds = ["standalone", "api", "worker", "web"] as const;
export type ProcessKind = (typeof processKinds)[number];

export interface Environment {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** The folder with the executables of the command line. */
  readonly clientDir: string;
  readonly publicUrl: string;
  readonly contentOrigin: string;
  /** The API's URL for a web app in another process. */
  readonly apiOrigin: string | null;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  /** Where contents are that are not in the database; null where all are. */
  readonly objectStore: ObjectStoreSettings | null;
  readonly secret: string | null;
  readonly operatorToken: string | null;
  readonly defaultPlan: PlanId;
  readonly maxContentBytes: number;
  /** How long a reader waits for a rendering before the page shows the text without it, in ms. */
  readonly renderWaitMs: number;
  readonly rateLimits: { readonly reads: number; readonly writes: number };
  readonly htmlCdnAllowlist: readonly string[];
  /** The npm registry for packages of html documents, without a trailing slash; null where it is turned off. */
  readonly packageRegistry: string | null;
  /** Whether images of other sites that documents show are fetched and kept. */
  readonly remoteImages: boolean;
  /** Origins of issuers of id tokens that may have private addresses and speak http. */
  readonly trustedIssuers: readonly string[];
  readonly mcpAllowedOrigins: readonly string[];
  /** What the operator calls the instance. */
  readonly site: Site;
  /** A URI. */
  readonly securityContact: string | null;
  readonly trustedProxies: TrustedProxies;
  /** Accepted host names in addition to those of the public URL and the content origin. */
  readonly allowedHosts: readonly string[];
  /** The path of the browser for screenshots; null to search for one. */
  readonly chromiumPath: string | null;
  readonly identity: IdentityConfig;
  readonly mail: MailEnvironment | null;
  readonly billing: BillingConfig | null;
  readonly log: Partial<LogSettings>;
  /** Authorizes reading the metrics; null disables them. */
  readonly metricsToken: string | null;
  /** The port on which a worker reports its state; null for none. */
  readonly workerPort: number | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

const secretLength = 16;

/**
 * The required variables of each process kind: nothing is generated for one process among several
 * (docs/reference/contract.md §1).
 */
const required: Readonly<Record<ProcessKind, readonly string[]>> = {
  standalone: [],
  api: ["DATABASE_URL", "SECRET", "OPERATOR_TOKEN"],
  worker: ["DATABASE_URL", "SECRET"],
  web: ["API_ORIGIN"],
};

/** @throws Error one line that names the variable */
export function readEnvironment(variables: Variables, kind: ProcessKind = "standalone"): Environment {
  const text = (name: string): string | null => variables[name]?.trim() || null;
  const whole = (name: string, otherwise: number, min: number, max: number): number => {
    const given = text(name);
    if (given === null) return otherwise;
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`${name} must be a whole number from ${min} to ${max}`);
    return value;
  };
  const missing = required[kind].find((name) => text(name) === null);
  if (missing !== undefined) throw new Error(`${missing} must be set for \`bun run ${kind}\``);
  if (kind === "standalone" && text("DATABASE_URL") !== null) {
    for (const name of ["SECRET", "OPERATOR_TOKEN"])
      if (text(name) === null) throw new Error(`${name} must be set where DATABASE_URL is`);
  }
  const port = whole("PORT", 3000, 1, 65_535);
  const publicUrl = origin("PUBLIC_URL", text("PUBLIC_URL") ?? `http://localhost:${port}`);
  const [contentOrigin, apiOrigin] = [text("CONTENT_ORIGIN"), text("API_ORIGIN")];
  const billing = billingOf(text);
  const host = text("HOST") ?? "127.0.0.1";
  const mail = mailOf(text("SMTP_URL"), text("MAIL_FROM"), siteNameOf(text));
  const identity = readIdentity(text, mail !== null);
  // Sign-in links alone give strangers no way to sign in, so an operator who opens the port to other machines must
  // confirm that.
  const signsIn = kind === "standalone" || kind === "api";
  const admitsPeople = identity.providers.length > 0 || identity.emailSignIn === true;
  if (signsIn && !admitsPeople && !isLoopback(host) && text("ALLOW_LOCAL_LOGIN") !== "1") {
    throw new Error(
      `HOST must be an address of this machine alone while no identity provider is set (OIDC_ISSUER, GITHUB_CLIENT_ID or ` +
        `GOOGLE_CLIENT_ID) and EMAIL_SIGN_IN is off; ALLOW_LOCAL_LOGIN=1 opens it with sign-in links alone`,
    );
  }
  return {
    port,
    host,
    dataDir: text("DATA_DIR") ?? "./data",
    clientDir: text("CLIENT_DIR") ?? join(import.meta.dir, "../cli/dist/release"),
    publicUrl,
    contentOrigin: contentOrigin === null ? publicUrl : origin("CONTENT_ORIGIN", contentOrigin),
    apiOrigin: apiOrigin === null ? null : origin("API_ORIGIN", apiOrigin),
    databaseUrl: server("DATABASE_URL", text("DATABASE_URL"), "postgres://user:password@db.example.com:5432/plinth"),
    redisUrl: server("REDIS_URL", text("REDIS_URL"), "redis://:password@redis.example.com:6379"),
    objectStore: objectStoreOf(text),
    secret: secretOf(text("SECRET")),
    operatorToken: text("OPERATOR_TOKEN"),
    defaultPlan: planOf(text("DEFAULT_PLAN"), billing),
    renderWaitMs: whole("RENDER_WAIT_MS", 1000, 0, 60_000),
    maxContentBytes: whole("MAX_CONTENT_BYTES", contentBytes.default, 1, contentBytes.max),
    rateLimits: {
      reads: whole("RATE_LIMIT_READS", 1200, 0, 999_999_999),
      writes: whole("RATE_LIMIT_WRITES", 240, 0, 999_999_999),
    },
    htmlCdnAllowlist: list(text("HTML_CDN_ALLOWLIST")).map((address) => origin("HTML_CDN_ALLOWLIST", address)),
    packageRegistry: registryOf(text("PACKAGE_REGISTRY")),
    remoteImages: onUnlessOff("REMOTE_IMAGES", text("REMOTE_IMAGES")),
    trustedIssuers: list(text("TRUSTED_ISSUERS")).map((address) => origin("TRUSTED_ISSUERS", address)),
    mcpAllowedOrigins: list(text("MCP_ALLOWED_ORIGINS")).map((address) => origin("MCP_ALLOWED_ORIGINS", address)),
    site: kind === "standalone" || kind === "web" ? siteOf(text) : {},
    securityContact: securityContactOf(text("SECURITY_CONTACT")),
    trustedProxies: trustedProxies(list(text("TRUSTED_PROXIES"))),
    allowedHosts: list(text("ALLOWED_HOSTS")).map(hostName),
    chromiumPath: text("CHROMIUM_PATH"),
    identity,
    billing,
    mail,
    log: logSettings(variables),
    metricsToken: metricsTokenOf(text("METRICS_TOKEN")),
    workerPort: text("WORKER_PORT") === null ? null : whole("WORKER_PORT", 0, 1, 65_535),
  };
}

/** A line of security.txt (RFC 9116). A plain address of email is meant as `mailto:`. */
function securityContactOf(given: string | null): string | null {
  if (given === null || /^(?:mailto:[!-~]+@[!-~]+|https:\/\/[!-~]+)$/.test(given)) return given;
  if (isEmail(given)) return `mailto:${given}`;
  throw new Error("SECURITY_CONTACT must be an address of email, or a mailto: or https: URI");
}

/** Long enough to resist guessing, and valid in a header. */
function metricsTokenOf(given: string | null): string | null {
  if (given === null || /^[\x21-\x7e]{8,512}$/.test(given)) return given;
  throw new Error("METRICS_TOKEN must have 8 to 512 characters, without spaces");
}

/** A caller that guessed the secret could sign everything that only the instance signs. */
function secretOf(given: string | null): string | null {
  if (given !== null && given.length < secretLength)
    throw new Error(`SECRET must have at least ${secretLength} characters; \`openssl rand -base64 32\` makes one`);
  return given;
}

/**
 * An instance that sells no plans starts everyone on the greatest one; an instance that sells plans starts with the
 * free one.
 */
function planOf(given: string | null, billing: BillingConfig | null): PlanId {
  if (given === null) return billing === null ? "team" : "free";
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

/** The registry may have a path, as those of companies do. */
export function registryOf(given: string | null): string | null {
  if (given === "off") return null;
  const url = URL.parse(given ?? "https://registry.npmjs.org");
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "")
    throw new Error(
      "PACKAGE_REGISTRY must be off or the address of an npm registry, such as https://registry.npmjs.org",
    );
  return url.href.replace(/\/$/, "");
}

function onUnlessOff(name: string, given: string | null): boolean {
  if (given === null || given === "on") return true;
  if (given === "off") return false;
  throw new Error(`${name} must be on or off`);
}

const schemes = { DATABASE_URL: /^postgres(?:ql)?:$/, REDIS_URL: /^rediss?:$/ } as const;

/** Validates the URL of a server. Its errors do not contain the value, which has a password in it. */
function server(name: keyof typeof schemes, given: string | null, example: string): string | null {
  if (given === null) return null;
  if (!URL.canParse(given) || !schemes[name].test(new URL(given).protocol))
    throw new Error(`${name} must be an address such as ${example}`);
  return given;
}

/** A host name as in a request's `Host`, without a port. */
function hostName(given: string): string {
  const url = /^(?:[\w.-]+|\[[\d:a-f.]+\])$/i.test(given) ? URL.parse(`http://${given}`) : null;
  if (url === null) throw new Error("ALLOWED_HOSTS must be names of hosts without a port, such as plinth.internal");
  return url.hostname;
}

const list = (given: string | null): string[] => (given ?? "").split(/[\s,]+/).filter((part) => part !== "");
