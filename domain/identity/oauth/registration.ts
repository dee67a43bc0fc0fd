// Reads a client's registration (RFC 7591). Of lists that name more values than are served here, the served values are
// kept and answered (3.2.1): a client states one registration to every server. Registration is open to every caller, so
// all fields are bounded, and unneeded fields are dropped: no logos, no remote keys.
import { isStorable } from "../../input.ts";
import { grantTypes } from "./metadata.ts";
import { redirectOf } from "./redirects.ts";
import { OAuthRefusal } from "./refusal.ts";

export interface Registration {
  readonly client_name: string;
  readonly client_uri?: string;
  readonly redirect_uris?: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly token_endpoint_auth_method: string;
  readonly application_type: "web" | "native";
  readonly software_id?: string;
  readonly software_version?: string;
}

const nameLength = 100;
export const maxRedirects = 10;
const authMethods = ["none", "client_secret_basic", "client_secret_post"];

/** The registration as the plugin takes it. @throws OAuthRefusal naming what is wrong */
export function readRegistration(body: unknown, publicUrl: string): Registration {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw wrong("the body must be a JSON object");
  const given = body as Record<string, unknown>;
  // Without refresh tokens, a person would have to consent every ten minutes.
  const asked = textsOf(given, "grant_types") ?? ["authorization_code", "refresh_token"];
  const grants = grantTypes.filter((grant) => asked.includes(grant));
  if (grants.length === 0) throw wrong(`grant_types has none of ${grantTypes.join(", ")}`);
  if (grants.every((grant) => grant === "refresh_token")) throw wrong("grant_types lacks what a refresh follows");
  const method = textOf(given, "token_endpoint_auth_method", 64) ?? "client_secret_basic";
  if (!authMethods.includes(method)) throw wrong(`token_endpoint_auth_method may be ${authMethods.join(", ")}`);
  const isByBrowser = grants.includes("authorization_code");
  const redirects = redirectsOf(given, publicUrl, isByBrowser);
  const uri = homePage(textOf(given, "client_uri", 1024));
  const types = textsOf(given, "response_types") ?? [];
  if (isByBrowser && types.length > 0 && !types.includes("code")) throw wrong("response_types lacks code");
  return {
    client_name: shownName(textOf(given, "client_name", 1024)),
    ...(uri === null ? {} : { client_uri: uri }),
    ...(redirects.length === 0 ? {} : { redirect_uris: redirects }),
    grant_types: grants,
    // None is said too: where the answer leaves them out, a client reads `code` (RFC 7591, 2).
    response_types: isByBrowser ? ["code"] : [],
    token_endpoint_auth_method: method,
    // Many clients leave it out, and mean what their addresses say.
    application_type: redirects.every((redirect) => redirect.startsWith("https:")) ? "web" : "native",
    ...optional(given, "software_id"),
    ...optional(given, "software_version"),
  };
}

/** Those of the client where it can be answered. */
function redirectsOf(given: Record<string, unknown>, publicUrl: string, needed: boolean): string[] {
  const uris = textsOf(given, "redirect_uris") ?? [];
  const served = uris.filter((uri) => redirectOf(uri, publicUrl) !== null);
  if ((needed && uris.length === 0) || served.length > maxRedirects) {
    throw new OAuthRefusal("invalid_redirect_uri", `redirect_uris must be 1 to ${maxRedirects} addresses`);
  }
  if (needed && served.length === 0) {
    throw new OAuthRefusal(
      "invalid_redirect_uri",
      "redirect_uris may be https addresses, http ones at 127.0.0.1, [::1] or localhost, and private schemes that are " +
        "a domain name turned round (or cursor://anysphere.cursor-mcp/); no fragments, wildcards or credentials",
    );
  }
  return served;
}

/** Without what would let a name look like another, or like none. */
function shownName(name: string | null): string {
  const clean = (name ?? "")
    .normalize("NFC")
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  return Array.from(clean).slice(0, nameLength).join("").trim() || "Unnamed client";
}

function homePage(uri: string | null): string | null {
  const url = uri === null ? null : URL.parse(uri);
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? url.href : null;
}

const optional = (given: Record<string, unknown>, field: "software_id" | "software_version") => {
  const text = textOf(given, field, 255);
  return text === null || text === "" ? {} : { [field]: text };
};

function textOf(given: Record<string, unknown>, field: string, longest: number): string | null {
  const value = given[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== "string" || value.length > longest || !isStorable(value)) {
    throw wrong(`${field} must be well-formed text of at most ${longest} characters`);
  }
  return value;
}

function textsOf(given: Record<string, unknown>, field: string): string[] | null {
  const value = given[field];
  if (value === undefined || value === null) return null;
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string" && isStorable(item));
  if (!isList) throw wrong(`${field} must be a list of well-formed texts`);
  return value as string[];
}

const wrong = (description: string): OAuthRefusal => new OAuthRefusal("invalid_client_metadata", description);
