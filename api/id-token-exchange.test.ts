// The exchange of id tokens over HTTP: before the signature is proven every refusal is one answer, and the log has the reason.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";

import { oauthPaths, tokenExchange } from "@plinth/contract/oauth";
import { createIssuer, shortKeySet, testIssuer } from "@plinth/domain/credentials/test/issuer";
import { FetchError, type FetchRefusal } from "@plinth/domain/fetching/guarded-fetch";
import { createIssuerKeys, type FetchUrl, type IssuerKeys } from "@plinth/domain/fetching/issuer-keys";
import { log } from "@plinth/platform/log";

import { createService, origin, type Service } from "./test/service.ts";

const subject = "repo:org/site:main";

let service: Service;
let ask: ReturnType<Service["askOf"]>;
let issuerKeys: IssuerKeys;
let signed: string;
let keySet: object;
let agentId: string;
let plainAgentId: string;
let revokedAgentId: string;

beforeAll(async () => {
  service = await createService();
  ask = service.askOf({
    ...service.setup.instance,
    issuerKeys: { keysOf: (named) => (header, token) => issuerKeys.keysOf(named)(header, token) },
  });
  const issuer = await createIssuer();
  signed = await issuer.idToken(origin, subject);
  keySet = issuer.keySet;
  const { userId } = await service.setup.person();
  const as = await service.setup.session(userId);
  const create = async (trust: object) =>
    (await service.setup.call("agent.create", { name: "ci", scopes: ["artifacts:read"], ...trust }, { as })).agentId;
  agentId = await create({ issuer: testIssuer, subject });
  plainAgentId = await create({});
  revokedAgentId = await create({ issuer: testIssuer, subject });
  await service.setup.call("agent.revoke", { agentId: revokedAgentId }, { as });
});
afterAll(() => service.close());

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const unsigned = (header: object, claims: unknown, signature = "AAAA") =>
  `${part(header)}.${part(claims)}.${signature}`;
const seconds = Math.floor(Date.now() / 1000);
const claims = { iss: testIssuer, aud: origin, sub: subject, iat: seconds, exp: seconds + 300 };
const header = { alg: "ES256", kid: "one" };

const json = (url: string, body: unknown, status = 200) => ({
  status,
  bytes: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  url,
});
/** An issuer whose documents are these. */
const publishes =
  (discovery: unknown, keys: unknown = keySet, status = 200): FetchUrl =>
  (url) =>
    Promise.resolve(json(url, url.endsWith("/keys") ? keys : discovery, status));
const isDiscovered = { issuer: testIssuer, jwks_uri: `${testIssuer}/keys` };
const fails =
  (refusal: FetchRefusal): FetchUrl =>
  () =>
    Promise.reject(new FetchError(refusal, `ci.example.com: ${refusal}`));
const keysFail: FetchUrl = (url) =>
  url.endsWith("/keys")
    ? fails("address")(url, { bytes: 1, ms: 1, trustedOrigin: null })
    : Promise.resolve(json(url, isDiscovered));

interface Case {
  readonly token?: () => string;
  readonly agent?: () => string;
  readonly fetchUrl?: () => FetchUrl | Promise<FetchUrl>;
  /** What the log says. */
  readonly reason: string;
}

const cases: Readonly<Record<string, Case>> = {
  "a token that is no JWT": { token: () => "x", reason: "is not a JWT" },
  "three parts of garbage": { token: () => "a.b.c", reason: "is not a JWT" },
  "claims that are no object": { token: () => unsigned(header, "text"), reason: "is not a JWT" },
  "no issuer": { token: () => unsigned(header, { ...claims, iss: undefined }), reason: "is not a JWT" },
  "an issuer that is a number": { token: () => unsigned(header, { ...claims, iss: 5 }), reason: "is not a JWT" },
  "an issuer that is a list": {
    token: () => unsigned(header, { ...claims, iss: [testIssuer] }),
    reason: "is not a JWT",
  },
  "an issuer with NUL": { token: () => unsigned(header, { ...claims, iss: "a\0" }), reason: "is not a JWT" },
  "an issuer with half a character": {
    token: () => unsigned(header, { ...claims, iss: "\ud800" }),
    reason: "is not a JWT",
  },
  "an issuer that no agent trusts": {
    token: () => unsigned(header, { ...claims, iss: "https://evil.example" }),
    reason: "no agent of that identifier trusts the issuer",
  },
  "the issuer with a slash": {
    token: () => unsigned(header, { ...claims, iss: `${testIssuer}/` }),
    reason: "no agent of that identifier trusts the issuer",
  },
  "an agent that is not there": { agent: () => `agt_${"0".repeat(26)}`, reason: "no agent of that identifier" },
  "no identifier": { agent: () => "", reason: "client_id is no identifier" },
  "an identifier of another form": { agent: () => "key_x", reason: "client_id is no identifier" },
  "an agent without trust": { agent: () => plainAgentId, reason: "no agent of that identifier" },
  "a revoked agent": { agent: () => revokedAgentId, reason: "no agent of that identifier" },
  "an issuer at a private address": { fetchUrl: () => fails("address"), reason: "ci.example.com: address" },
  "an issuer that can't be reached": { fetchUrl: () => fails("unreachable"), reason: "ci.example.com: unreachable" },
  "an issuer that is too slow": { fetchUrl: () => fails("time"), reason: "ci.example.com: time" },
  "an issuer by http": { fetchUrl: () => fails("protocol"), reason: "ci.example.com: protocol" },
  "an issuer that redirects for ever": { fetchUrl: () => fails("redirects"), reason: "ci.example.com: redirects" },
  "an issuer whose document is too large": { fetchUrl: () => fails("size"), reason: "ci.example.com: size" },
  "an issuer that answers 404": { fetchUrl: () => publishes({}, {}, 404), reason: "answered 404" },
  "an issuer that answers 503": { fetchUrl: () => publishes({}, {}, 503), reason: "answered 503" },
  "a document that is no JSON": { fetchUrl: () => publishes("<html>"), reason: "did not answer with JSON" },
  "a document that is null": { fetchUrl: () => publishes(null), reason: "did not answer with an object" },
  "a document of another issuer": {
    fetchUrl: () => publishes({ ...isDiscovered, issuer: "https://evil.example" }),
    reason: "calls itself something else",
  },
  "no jwks_uri": { fetchUrl: () => publishes({ issuer: testIssuer }), reason: "names no jwks_uri" },
  "a jwks_uri that is no URL": {
    fetchUrl: () => publishes({ issuer: testIssuer, jwks_uri: "x" }),
    reason: "names no jwks_uri",
  },
  "keys at a private address": { fetchUrl: () => keysFail, reason: "ci.example.com: address" },
  "keys that are no set": { fetchUrl: () => publishes(isDiscovered, { keys: "none" }), reason: "has no set of keys" },
  "a set without keys": { fetchUrl: () => publishes(isDiscovered, { keys: [] }), reason: "ERR_JWKS_NO_MATCHING_KEY" },
  "two keys of one identifier": {
    fetchUrl: () => {
      const { keys } = keySet as { keys: object[] };
      return publishes(isDiscovered, { keys: [...keys, ...keys] });
    },
    reason: "ERR_JWKS_MULTIPLE_MATCHING_KEYS",
  },
  "a key that is no key": {
    fetchUrl: () =>
      publishes(isDiscovered, { keys: [{ kty: "EC", kid: "one", alg: "ES256", crv: "P-256", x: "!", y: "!" }] }),
    reason: "the signature cannot be checked",
  },
  "a key that is too short": {
    token: () => unsigned({ alg: "RS256", kid: "one" }, claims),
    fetchUrl: async () => publishes(isDiscovered, await shortKeySet()),
    reason: "the signature cannot be checked",
  },
  "a key that the issuer does not have": {
    token: () => unsigned({ ...header, kid: "two" }, claims),
    reason: "ERR_JWKS_NO_MATCHING_KEY",
  },
  "no signature": { token: () => unsigned({ alg: "none" }, claims, ""), reason: "the signature cannot be checked" },
  "a shared secret": { token: () => unsigned({ ...header, alg: "HS256" }, claims), reason: "ERR_JOSE_ALG_NOT_ALLOWED" },
  "a critical header": {
    token: () => unsigned({ ...header, crit: ["x"], x: 1 }, claims),
    reason: "the signature cannot be checked",
  },
  "a signature of other claims": {
    token: () => unsigned(header, { ...claims, sub: "repo:evil/x:main" }, signed.split(".")[2]),
    reason: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  },
  "an expired token without a proof": {
    token: () => unsigned(header, { ...claims, exp: seconds - 1000 }),
    reason: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  },
  "another audience without a proof": {
    token: () => unsigned(header, { ...claims, aud: "https://other.example" }),
    reason: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  },
};

async function answerOf({
  token = () => signed,
  agent = () => agentId,
  fetchUrl = () => publishes(isDiscovered),
}: Case) {
  issuerKeys = createIssuerKeys([], await fetchUrl());
  const sent = token();
  const body = new URLSearchParams({
    grant_type: tokenExchange.grant,
    client_id: agent(),
    subject_token: sent,
    subject_token_type: tokenExchange.idToken,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await ask("POST", oauthPaths.token, { body: body.toString(), headers });
  const { "x-request-id": requestId, ...kept } = Object.fromEntries(answer.headers);
  return { sent, requestId, answer: { status: answer.status, headers: kept, body: await answer.text() } };
}

test("before the signature is proven every refusal is the same status, headers and body, and the log has its reason", async () => {
  const lines: object[] = [];
  const write = spyOn(log, "write").mockImplementation((level, fields) => void lines.push({ level, ...fields }));
  const answers: Record<string, Awaited<ReturnType<typeof answerOf>>["answer"]> = {};
  try {
    for (const [name, one] of Object.entries(cases)) {
      lines.length = 0;
      const { sent, requestId, answer } = await answerOf(one);
      answers[name] = answer;
      for (const long of sent.split(".").filter(({ length }) => length > 8))
        expect(JSON.stringify(lines)).not.toContain(long);
      const line = { level: "warn", requestId, idToken: "refused", reason: expect.stringContaining(one.reason) };
      expect({ name, lines }).toMatchObject({ name, lines: [line] });
      expect(lines).toHaveLength(1);
    }
  } finally {
    write.mockRestore();
  }
  const [one = expect.unreachable()] = Object.values(answers);
  expect(answers).toEqual(Object.fromEntries(Object.keys(cases).map((name) => [name, one])));
  expect(one.status).toBe(400);
  expect(JSON.parse(one.body)).toEqual({
    error: "invalid_grant",
    error_description: expect.stringContaining("the log of the instance has the reason"),
  });
});

test("the token that the cases change is accepted, so that each is refused for its own fault", async () => {
  expect((await answerOf({ reason: "" })).answer).toMatchObject({ status: 200 });
});
