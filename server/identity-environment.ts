// Reads the sign-in settings from the environment: identity providers, and the owner of the instance
// (docs/reference/experience.md §1).
import { isEmail } from "@plinth/domain/email";
import type { IdentityConfig, ProviderConfig } from "@plinth/domain/config";

/** The trimmed value of a variable; null where it is not set. */
type Text = (name: string) => string | null;

const googleIssuer = "https://accounts.google.com";

/** `hasMail` says whether mail can be sent. @throws Error one line that names the variable */
export function readIdentity(text: Text, hasMail: boolean): IdentityConfig {
  const ownerEmail = text("OWNER_EMAIL");
  if (ownerEmail !== null && !isEmail(ownerEmail)) throw new Error("OWNER_EMAIL must be an email address, ASCII only");
  const providers = [oidc(text), github(text), google(text)].filter((found) => found !== null);
  const emailSignIn = emailSignInOf(text("EMAIL_SIGN_IN"), hasMail);
  return { providers, ownerEmail, ...(emailSignIn && { emailSignIn }) };
}

function emailSignInOf(given: string | null, hasMail: boolean): boolean {
  if (given === null || given === "0") return false;
  if (given !== "1") throw new Error("EMAIL_SIGN_IN must be 1, or 0 for no sign-in links by email");
  if (!hasMail) throw new Error("SMTP_URL must be set where EMAIL_SIGN_IN is");
  return true;
}

function oidc(text: Text): ProviderConfig | null {
  const given = all(text, ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]);
  if (given === null) {
    if (text("OIDC_NAME") !== null) throw new Error("OIDC_ISSUER must be set where OIDC_NAME is");
    return null;
  }
  const [issuer, clientId, clientSecret] = given;
  const { host } = issuerUrl(issuer);
  return { kind: "oidc", id: "oidc", name: text("OIDC_NAME") ?? host, issuer, clientId, clientSecret };
}

function github(text: Text): ProviderConfig | null {
  const given = all(text, ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"]);
  return given && { kind: "github", id: "github", name: "GitHub", clientId: given[0], clientSecret: given[1] };
}

function google(text: Text): ProviderConfig | null {
  const given = all(text, ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"]);
  if (given === null) return null;
  const [clientId, clientSecret] = given;
  return { kind: "oidc", id: "google", name: "Google", issuer: googleIssuer, clientId, clientSecret };
}

/** The values of variables that belong together; null where none is set. */
function all<const Names extends readonly string[]>(text: Text, names: Names): { [Key in keyof Names]: string } | null {
  const values = names.map(text);
  const given = names.find((_, place) => values[place] !== null);
  if (given === undefined) return null;
  const missing = names.find((_, place) => values[place] === null);
  if (missing !== undefined) throw new Error(`${missing} must be set where ${given} is`);
  return values as unknown as { [Key in keyof Names]: string };
}

/** An attacker who could change an issuer's responses could sign in as anyone. */
function issuerUrl(issuer: string): URL {
  const url = URL.parse(issuer);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  const isPlain = url !== null && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === null || !isSafe || !isPlain)
    throw new Error("OIDC_ISSUER must be an https address, such as https://login.example.com");
  return url;
}

/** Whether an IP address or a host name is only reachable from this machine. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
