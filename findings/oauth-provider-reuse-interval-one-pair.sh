#!/usr/bin/env bash
# Good guess: with `refreshTokenReuseInterval`, two windows of a client that share a stored refresh token can both use
# it within the interval, and then go on, each with what it got.
#
# What happens in @better-auth/oauth-provider 1.7.5:
# - At the same moment, which is when two windows do it, one of them gets `invalid_grant` in spite of the interval.
# - One after the other, both get the same pair. When the first has used that pair's refresh token and the interval is
#   over, the second one's use counts as a theft and ends the tokens of both, and of each other sign-in of this user
#   with this client.
#
# Why it matters: agents run in several windows with one stored token, and a client that is named by the URL of its
# metadata document has one identifier on all machines of a user. A late window signs them all out. An MCP server that
# wants a grace has to add its own.
#
# Needs Node and npm. Everything runs in one process, with the library's adapter for memory.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund --ignore-scripts \
  better-auth@1.7.7 @better-auth/oauth-provider@1.7.5 \
  @better-auth/core@1.7.7 @better-auth/utils@0.4.2 @better-fetch/fetch@1.3.2 better-call@1.4.0

cat >"$folder/probe.mjs" <<'PROBE'
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { oauthProvider } from "@better-auth/oauth-provider";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";

const baseURL = "http://127.0.0.1:3000";
const interval = 5;
const core = ["user", "session", "account", "verification"];
const oauth = ["Client", "RefreshToken", "AccessToken", "Consent", "Resource", "ClientResource", "ClientAssertion"];
const tables = [...core, ...oauth.map((name) => `oauth${name}`)];
const auth = betterAuth({
  baseURL,
  secret: randomBytes(32).toString("hex"),
  database: memoryAdapter(Object.fromEntries(tables.map((name) => [name, []]))),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  plugins: [
    oauthProvider({
      loginPage: "/login",
      consentPage: "/consent",
      scopes: ["offline_access"],
      disableJwtPlugin: true,
      allowDynamicClientRegistration: true,
      allowUnauthenticatedClientRegistration: true,
      refreshTokenReuseInterval: interval,
    }),
  ],
});

let cookie = "";
function send(path, body) {
  const headers = { origin: baseURL, cookie };
  if (body && !(body instanceof URLSearchParams)) headers["content-type"] = "application/json";
  const sent = body && (body instanceof URLSearchParams ? body : JSON.stringify(body));
  return auth.handler(
    new Request(`${baseURL}/api/auth${path}`, { method: body ? "POST" : "GET", headers, body: sent }),
  );
}
const post = async (path, body) => {
  const response = await send(path, body);
  return { status: response.status, ...(await response.json()) };
};

const account = { name: "Ada", email: "ada@example.com", password: randomBytes(12).toString("hex") };
const signedUp = await send("/sign-up/email", account);
cookie = signedUp.headers
  .getSetCookie()
  .map((each) => each.split(";")[0])
  .join("; ");
const redirect_uri = "http://127.0.0.1/callback";
const { client_id } = await post("/oauth2/register", {
  redirect_uris: [redirect_uri],
  application_type: "native",
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
});
const token = (fields) => post("/oauth2/token", new URLSearchParams({ client_id, ...fields }));
const refresh = ({ refresh_token }) => token({ grant_type: "refresh_token", refresh_token });

/** A sign-in of the user with the client, on one more machine. */
async function signIn() {
  const code_verifier = randomBytes(32).toString("base64url");
  const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
  const request = { response_type: "code", client_id, redirect_uri, scope: "offline_access", state: "state" };
  const asked = new URLSearchParams({ ...request, code_challenge, code_challenge_method: "S256" });
  let next = (await send(`/oauth2/authorize?${asked}`)).headers.get("location");
  if (next.startsWith("/consent?")) {
    ({ url: next } = await post("/oauth2/consent", { accept: true, oauth_query: next.split("?")[1] }));
  }
  const code = new URL(next).searchParams.get("code");
  return token({ grant_type: "authorization_code", code, redirect_uri, code_verifier });
}

let differs = false;
function show(what, answers, expected) {
  const said = answers.map(({ status, error }) => (error ? `${status} ${error}` : `${status}`)).join(", ");
  console.log(`${what}: ${said}`);
  differs ||= said !== expected;
}

const parallel = await signIn();
const both = await Promise.all([refresh(parallel), refresh(parallel)]);
show(
  "Two windows, at the same moment",
  both.toSorted((a, b) => a.status - b.status),
  "200, 400 invalid_grant",
);

const [stored, other] = [await signIn(), await signIn()];
const [first, second] = [await refresh(stored), await refresh(stored)];
show("Two windows, one after the other", [first, second], "200, 200");
const isOnePair = first.refresh_token === second.refresh_token && first.access_token === second.access_token;
console.log(`  the same pair: ${isOnePair}`);
differs ||= !isOnePair;
const further = await refresh(first);
show("The first window goes on", [further], "200");
await wait((interval + 1) * 1000);
show("The second window goes on when the interval is over", [await refresh(second)], "400 invalid_grant");
show("The first window again", [await refresh(further)], "400 invalid_grant");
show("Another machine of the user, which did nothing", [await refresh(other)], "400 invalid_grant");
process.exitCode = differs ? 1 : 0;
PROBE

if ! node "$folder/probe.mjs"; then
  echo "The behaviour differs: the reuse interval treats windows that share a refresh token in another way." >&2
  exit 1
fi
echo "As described: the reuse interval gives one pair to all, one after the other; a late use ends every sign-in."
