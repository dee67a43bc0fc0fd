// What a client can state when it registers (RFC 7591). Registration is open to every caller, so all fields are
// bounded, and unneeded fields are refused: no logos, no remote keys.
import { isStorable } from "../../input.ts";
import { grantTypes } from "./metadata.ts";
import { redirectOf } from "./redirects.ts";
import { OAuthRefusal } from "./refusal.ts";

export interface Registration {
  readonly client_name: string;
  readonly client_uri?: string;
  readonly redirect_uris?: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types?: readonly string[];
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
  const grants = textsOf(given, "grant_types") ?? ["authorization_code", "refresh_token"];
  const unknown = grants.find((grant) => !(grantTypes as readonly string[]).includes(grant));
  if (unknown !== undefined || grants.length === 0) throw wrong(`grant_types may be ${grantTypes.join(", ")}`);
  if (grants.includes("refresh_token") && grants.length === 1) throw wrong("grant_types lacks what a refresh follows");
  const method = textOf(given, "token_endpoint_auth_method", 64) ?? "client_secret_basic";
  if (!authMethods.includes(method)) throw wrong(`token_endpoint_auth_method may be ${authMethods.join(", ")}`);
  const redirects = redirectsOf(given, publicUrl, grants.includes("authorization_code"));
  const uri = homePage(textOf(given, "client_uri", 1024));
  const types = textsOf(given, "response_types");
  if (types?.some((type) => type !== "code")) throw wrong("response_types may be code");
  return {
    client_name: shownName(textOf(given, "client_name", 1024)),
    ...(uri === null ? {} : { client_uri: uri }),
    ...(redirects.length === 0 ? {} : { redirect_uris: redirects }),
    grant_types: [...new Set(grants)],
    ...(grants.includes("authorization_code") ? { response_types: ["code"] } : {}),
    token_endpoint_auth_method: method,
    // Many clients leave it out, and mean what their addresses say.
    application_type: redirects.every((redirect) => redirect.startsWith("https:")) ? "web" : "native",
    ...optional(given, "software_id"),
    ...optional(given, "software_version"),
  };
}

function redirectsOf(given: Record<string, unknown>, publicUrl: string, needed: boolean): string[] {
  const uris = textsOf(given, "redirect_uris") ?? [];
  if ((needed && uris.length === 0) || uris.length > maxRedirects) {
    throw new OAuthRefusal("invalid_redirect_uri", `redirect_uris must be 1 to ${maxRedirects} addresses`);
  }
  if (uris.some((uri) => redirectOf(uri, publicUrl) === null)) {
    throw new OAuthRefusal(
      "invalid_redirect_uri",
      "redirect_uris may be https addresses, http ones at 127.0.0.1, [::1] or localhost, and private schemes that are " +
        "a domain name turned round (or cursor://anysphere.cursor-mcp/); no fragments, wildcards or credentials",
    );
  }
  return uris;
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
