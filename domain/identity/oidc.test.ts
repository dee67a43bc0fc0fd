// An OpenID provider whose ID token has no email, as is usual: what it says of the person at its own address counts, if
// it is the same person. The rest of signing in is tried with a whole provider in e2e/sign-in.test.ts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

import { createSetup, type Setup } from "../test/context.ts";
import { runFlow, type Flow } from "./flow.ts";
import { oidcProvider } from "./oidc.ts";

const { publicKey, privateKey } = await generateKeyPair("RS256");
const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "RS256" }] };
const clientId = "client";
const nonce = "nonce-of-this-sign-in";

let setup: Setup;
let said: object = {};
const server = Bun.serve({
  port: 0,
  fetch({ url }) {
    const { pathname, origin } = new URL(url);
    if (pathname === "/keys") return Response.json(keys);
    if (pathname === "/userinfo") return Response.json(said);
    return Response.json({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      userinfo_endpoint: `${origin}/userinfo`,
      jwks_uri: `${origin}/keys`,
    });
  },
});
const issuer = server.url.origin;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(async () => {
  await server.stop(true);
  await setup.close();
});

/** Signs in with an ID token of this subject; what the flow says in the end. */
async function signIn(subject: string) {
  const idToken = await new SignJWT({ nonce })
    .setProtectedHeader({ alg: "RS256", kid: "one" })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime("1m")
    .sign(privateKey);
  const provider = oidcProvider(
    { kind: "oidc", id: "oidc", name: "Company", issuer, clientId, clientSecret: "secret" },
    setup.db,
  );
  const flow: Flow = { requestId: "request-test", refusal: null, fault: null, userId: null };
  const info = await runFlow(flow, () =>
    provider.getUserInfo({ idToken, accessToken: "access", expectedIdTokenNonce: nonce }),
  ).catch(() => null);
  return { email: info?.user.email ?? null, refusal: flow.refusal };
}

test("an email that the ID token lacks is asked of the provider", async () => {
  said = { sub: "ada", email: "ada@example.org", email_verified: true };
  expect(await signIn("ada")).toEqual({ email: "ada@example.org", refusal: null });
});

test("claims about another person sign no one in", async () => {
  said = { sub: "eve", email: "eve@example.org", email_verified: true };
  expect(await signIn("bob")).toEqual({ email: null, refusal: "failed" });
});
