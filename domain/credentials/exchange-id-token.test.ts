// The exchange of id tokens: what a token of the agent may, and every id token that is refused. The issuer is a fake with
// real keys; what it may be fetched from is asserted apart.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { tokenExchange } from "@plinth/contract/oauth";
import { uuidOf } from "@plinth/db/columns";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

import type { Instance } from "../context.ts";
import { FetchError } from "../fetching/guarded-fetch.ts";
import { exchangeIdToken } from "./exchange-id-token.ts";
import { ExchangeRefusal } from "./exchange-refusal.ts";
import { createIssuerKeys } from "../fetching/issuer-keys.ts";
import { expiredExchanges } from "./trust.ts";
import { createOwner, inDays } from "./test/owner.ts";

const { setup, owner, session, createAgent, refusedAgent, listAgents, works } = await createOwner();
afterAll(() => setup.close());

const issuer = "https://ci.example.com";
const subject = "repo:org/site:ref:refs/heads/main";
const { publicUrl } = setup.instance.config;

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let pair: Pair;
let other: Pair;
/** What the issuer publishes, by path; a test changes it. */
let documents: Record<string, unknown>;
let fetched: string[];
let instance: Instance;

beforeAll(async () => {
  pair = await generateKeyPair("RS256");
  other = await generateKeyPair("RS256");
});
beforeEach(async () => {
  documents = {
    "/.well-known/openid-configuration": { issuer, jwks_uri: `${issuer}/keys` },
    "/keys": { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "one", alg: "RS256" }] },
  };
  fetched = [];
  instance = {
    ...setup.instance,
    issuerKeys: createIssuerKeys([], async (url) => {
      fetched.push(url);
      const document = documents[new URL(url).pathname];
      if (document === undefined) throw new FetchError("unreachable", "ci.example.com can't be reached");
      return { status: 200, bytes: Buffer.from(JSON.stringify(document)), url };
    }),
  };
});

/** What every refusal before the signature is proven says (api/id-token-exchange.test.ts). */
const notAccepted = "invalid_grant: the id token is not accepted";

const trusting = (more: object = {}) =>
  createAgent(session, { name: "ci", scopes: ["artifacts:read", "artifacts:create"], issuer, subject, ...more });

const seconds = () => Math.floor(Date.now() / 1000);

/** An id token as the issuer gives it to a job. */
function idToken(
  claims: Record<string, unknown> = {},
  { key = pair, kid = "one", alg = "RS256" } = {},
): Promise<string> {
  const usual = {
    iss: issuer,
    aud: publicUrl,
    sub: subject,
    iat: seconds(),
    exp: seconds() + 300,
    jti: crypto.randomUUID(),
  };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid }).sign(key.privateKey);
}

interface Answer {
  readonly access_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly issued_token_type: string;
  readonly token_type: string;
}

async function exchange(agentId: string, token: string, more: Record<string, string> = {}): Promise<Answer> {
  const form = new URLSearchParams({
    grant_type: tokenExchange.grant,
    client_id: agentId,
    subject_token: token,
    subject_token_type: tokenExchange.idToken,
    ...more,
  });
  return (await (await exchangeIdToken(instance, form, "req-exchange")).json()) as Answer;
}

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no refusal",
    (error: unknown) => (error instanceof ExchangeRefusal ? `${error.error}: ${error.message}` : String(error)),
  );

test("an agent with trust has no token, and is listed with what it trusts", async () => {
  const agent = await trusting();
  expect(agent).toMatchObject({ kind: "agent", issuer, subject });
  expect("token" in agent).toBe(false);
  const { agents } = await setup.call("agent.list", {}, { as: session });
  expect(agents.find(({ agentId }) => agentId === agent.agentId)).toMatchObject({ issuer, subject });
  expect(await createAgent(session)).toMatchObject({ issuer: null, subject: null, token: expect.any(String) });
});

test("half a trust, and one that anyone could use, are refused", async () => {
  for (const [wrong, path] of [
    [{ issuer }, "subject"],
    [{ subject }, "issuer"],
    [{ issuer: "https://token.actions.githubusercontent.com", subject: "repo:*" }, "subject"],
    [{ issuer: "https://accounts.google.com", subject: "1*" }, "subject"],
    [{ issuer: "https://agent.buildkite.com", subject: "organization:*" }, "subject"],
  ] as const)
    expect(await refusedAgent(session, wrong)).toMatchObject({
      code: "invalid_request",
      extra: { errors: [expect.objectContaining({ path })] },
    });
});

test("an id token is exchanged for a token of the agent, with its scopes, for an hour", async () => {
  const { agentId } = await trusting();
  const { access_token, expires_in, ...answer } = await exchange(agentId, await idToken());
  expect(answer).toEqual({
    issued_token_type: tokenExchange.accessToken,
    token_type: "Bearer",
    scope: "artifacts:read artifacts:create",
  });
  expect(expires_in).toBeGreaterThan(3500);
  expect(expires_in).toBeLessThanOrEqual(3600);
  expect(await setup.call("profile.get", {}, { as: access_token })).toMatchObject({
    userId: owner.userId,
    credential: { type: "agent", scopes: ["artifacts:read", "artifacts:create"], label: "ci" },
  });
  // The list has the agent, not each of its tokens.
  const listed = await listAgents(session);
  expect(listed.filter((id) => id === agentId)).toHaveLength(1);
  const { agents } = await setup.call("agent.list", { limit: 100 }, { as: session });
  expect(agents.filter(({ subject: said }) => said === subject).every(({ issuer: said }) => said === issuer)).toBe(
    true,
  );
});

test("the exchange is audited with the subject, in the workspace of the agent", async () => {
  const team = await setup.team({ [owner.userId]: "member" });
  const { agentId } = await trusting({ workspaceId: team.workspaceId, subject: "repo:org/*" });
  const { access_token } = await exchange(agentId, await idToken());
  const [event] = await setup.db.run<{ kind: string; actor: object; after: object; target_id: string }>(
    "SELECT kind, actor, after, target_id FROM audit_event WHERE workspace_id = $1 ORDER BY event_id DESC LIMIT 1",
    [uuidOf("wsp", team.workspaceId)],
  );
  expect(event).toMatchObject({
    kind: "agent.exchanged",
    actor: { type: "agent", id: agentId, label: "ci" },
    target_id: agentId,
    after: { issuer, subject, scopes: ["artifacts:read", "artifacts:create"] },
  });
  expect(JSON.stringify(event)).not.toContain(access_token);
  // It counts in that workspace alone.
  const refused = await setup.refusal("workspace.projects", { workspaceId: owner.workspaceId }, { as: access_token });
  expect(refused.code).toBe("not_found");
  expect(await setup.call("workspace.projects", { workspaceId: team.workspaceId }, { as: access_token })).toBeDefined();
});

test("fewer scopes on request, and none beyond the agent's", async () => {
  const { agentId } = await trusting();
  expect((await exchange(agentId, await idToken(), { scope: "artifacts:read" })).scope).toBe("artifacts:read");
  const wider = exchange(agentId, await idToken(), { scope: "artifacts:read artifacts:delete" });
  expect(await refusal(wider)).toStartWith("invalid_scope: ");
});

test("tokens end with the agent, and no later than it", async () => {
  const { agentId } = await trusting({ expiresAt: inDays(1 / 48) });
  const { access_token, expires_in } = await exchange(agentId, await idToken());
  expect(expires_in).toBeLessThanOrEqual(1800);
  expect(await works(access_token)).toBe(true);
  await setup.call("agent.revoke", { agentId }, { as: session });
  expect(await works(access_token)).toBe(false);
  expect(await refusal(exchange(agentId, await idToken()))).toContain(notAccepted);
});

const hour = 3600;
const wrong: readonly (readonly [what: string, make: () => Promise<string>, says: string])[] = [
  ["another audience", () => idToken({ aud: "https://other.example" }), `its audience must be ${publicUrl}`],
  ["no audience", () => idToken({ aud: undefined }), `its audience must be ${publicUrl}`],
  [
    "another subject",
    () => idToken({ sub: "repo:org/site:pull_request" }),
    "does not trust the subject repo:org/site:pull_request",
  ],
  ["no subject", () => idToken({ sub: undefined }), "the claim sub"],
  ["an empty subject", () => idToken({ sub: "" }), "the subject must be text of 1 to"],
  ["a time that is over", () => idToken({ iat: seconds() - 600, exp: seconds() - 300 }), "has expired"],
  [
    "a time that is long ago, and no near end",
    () => idToken({ iat: seconds() - 2 * hour, exp: seconds() + hour }),
    "has expired",
  ],
  ["no end", () => idToken({ exp: undefined }), "the claim exp"],
  ["no beginning", () => idToken({ iat: undefined }), "the claim iat"],
  ["a beginning ahead", () => idToken({ nbf: seconds() + 600 }), "the claim nbf"],
  ["another key", () => idToken({}, { key: other }), notAccepted],
  ["a key that the issuer does not name", () => idToken({}, { kid: "two" }), notAccepted],
];
for (const [what, make, says] of wrong)
  test(`an id token with ${what} is refused`, async () => {
    const { agentId } = await trusting();
    const said = await refusal(exchange(agentId, await make()));
    expect(said).toStartWith("invalid_grant: ");
    expect(said).toContain(says);
  });

test("a token without a signature, or signed with what everyone knows, is refused", async () => {
  const { agentId } = await trusting();
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: issuer, aud: publicUrl, sub: subject, iat: seconds(), exp: seconds() + 300 };
  expect(await refusal(exchange(agentId, `${part({ alg: "none" })}.${part(claims)}.`))).toContain(notAccepted);
  const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(pair.publicKey)));
  const shared = await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "one" }).sign(secret);
  expect(await refusal(exchange(agentId, shared))).toContain(notAccepted);
  for (const garbage of ["x", "a.b.c", `${part({ alg: "RS256" })}.${part(claims)}.AAAA`])
    expect(await refusal(exchange(agentId, garbage))).toStartWith("invalid_grant: ");
});

test("nothing is fetched for an issuer that the agent does not trust, and all refusals before the proof are one", async () => {
  const [{ agentId }, plain] = [await trusting(), await createAgent(session)];
  const foreign = await idToken({ iss: "https://evil.example" });
  const said = [
    await refusal(exchange(agentId, foreign)),
    await refusal(exchange(plain.agentId, await idToken())),
    await refusal(exchange(`agt_${"0".repeat(26)}`, await idToken())),
    await refusal(exchange("agt_x", await idToken())),
  ];
  expect(new Set(said).size).toBe(1);
  expect(fetched).toEqual([]);
});

test("the form: another type, another target and an actor are refused; the instance's own address is a target", async () => {
  const { agentId } = await trusting();
  const token = await idToken();
  for (const [field, value, code] of [
    ["subject_token", "", "invalid_request"],
    ["subject_token_type", tokenExchange.accessToken, "invalid_request"],
    ["requested_token_type", tokenExchange.idToken, "invalid_request"],
    ["actor_token", "x", "invalid_request"],
    ["audience", "https://other.example", "invalid_target"],
    ["resource", `${publicUrl}/elsewhere`, "invalid_target"],
  ] as const)
    expect([field, await refusal(exchange(agentId, token, { [field]: value }))]).toEqual([
      field,
      expect.stringContaining(`${code}: `),
    ]);
  expect(await exchange(agentId, token, { audience: publicUrl })).toMatchObject({ token_type: "Bearer" });
  expect(await exchange(agentId, await idToken({ aud: [`${publicUrl}/`, "x"] }))).toMatchObject({
    token_type: "Bearer",
  });
});

test("keys are fetched once; an issuer that is away, or says something else, is asked again by the next exchange", async () => {
  const { agentId } = await trusting();
  for (let times = 0; times < 3; times++) await exchange(agentId, await idToken());
  expect(fetched).toEqual([`${issuer}/.well-known/openid-configuration`, `${issuer}/keys`]);
  for (const changed of [
    { "/keys": undefined },
    { "/keys": { keys: "none" } },
    { "/.well-known/openid-configuration": { issuer: "https://evil.example", jwks_uri: `${issuer}/keys` } },
    { "/.well-known/openid-configuration": { issuer } },
  ]) {
    const whole = documents;
    documents = { ...whole, ...changed };
    instance = {
      ...instance,
      issuerKeys: createIssuerKeys([], async (url) => {
        const document = documents[new URL(url).pathname];
        if (document === undefined) throw new FetchError("address", "ci.example.com has an address that is not public");
        return { status: 200, bytes: Buffer.from(JSON.stringify(document)), url };
      }),
    };
    expect(await refusal(exchange(agentId, await idToken()))).toContain(notAccepted);
    documents = whole;
    // A failure is not remembered.
    expect(await exchange(agentId, await idToken())).toMatchObject({ token_type: "Bearer" });
  }
});

test("a new key of the issuer is found, without a fetch for each unknown one; keys are fetched again in time", async () => {
  const { agentId } = await trusting();
  let clock = 0;
  let sets = 0;
  instance = {
    ...instance,
    issuerKeys: createIssuerKeys(
      [],
      async (url) => {
        if (url.endsWith("/keys")) sets++;
        return { status: 200, bytes: Buffer.from(JSON.stringify(documents[new URL(url).pathname])), url };
      },
      () => clock,
    ),
  };
  await exchange(agentId, await idToken());
  documents["/keys"] = { keys: [{ ...(await exportJWK(other.publicKey)), kid: "two", alg: "RS256" }] };
  const renewed = () => idToken({}, { key: other, kid: "two" });
  for (let times = 0; times < 3; times++)
    expect(await refusal(exchange(agentId, await renewed()))).toContain(notAccepted);
  expect(sets).toBe(1);
  clock += 29_999;
  expect(await refusal(exchange(agentId, await renewed()))).toContain(notAccepted);
  expect(sets).toBe(1);
  clock += 1;
  const atOnce = await Promise.all(Array.from({ length: 5 }, async () => exchange(agentId, await renewed())));
  expect(atOnce).toHaveLength(5);
  expect(sets).toBe(2);
  // The key before is not taken any more.
  expect(await refusal(exchange(agentId, await idToken()))).toContain(notAccepted);
  clock += 11 * 60_000;
  await exchange(agentId, await renewed());
  expect(sets).toBe(3);
  // A token that fails for another reason than an unknown key fetches nothing.
  clock += 5 * 60_000;
  const two = await exportJWK(other.publicKey);
  documents["/keys"] = { keys: [two, two].map((key) => ({ ...key, kid: "two", alg: "RS256" })) };
  clock += 6 * 60_000;
  expect(await refusal(exchange(agentId, await renewed()))).toContain(notAccepted);
  expect(sets).toBe(4);
  clock += 31_000;
  expect(await refusal(exchange(agentId, await renewed()))).toContain(notAccepted);
  expect(sets).toBe(4);
});

test("issuers are fetched from public addresses by https alone, unless the operator trusts them", async () => {
  const limits: { url: string; trusted: string | null }[] = [];
  const keys = (trusted: readonly string[]) =>
    createIssuerKeys(trusted, async (url, { trustedOrigin }) => {
      limits.push({ url, trusted: trustedOrigin });
      throw new FetchError("address", "not public");
    });
  const key = async (found: ReturnType<ReturnType<typeof createIssuerKeys>["keysOf"]>) =>
    found({ alg: "RS256" }, { payload: "", signature: "" });
  const ask = (trusted: readonly string[]) =>
    key(keys(trusted).keysOf("http://gitlab.lan")).then(
      () => "known",
      () => "not known",
    );
  expect([await ask([]), await ask(["http://gitlab.lan"])]).toEqual(["not known", "not known"]);
  expect(limits.map(({ trusted }) => trusted)).toEqual([null, "http://gitlab.lan"]);
  const real = key(createIssuerKeys([]).keysOf("http://127.0.0.1:1"));
  expect(await real.then(() => "", String)).toContain("http: is not fetched");
});

test("an agent whose stored pattern has no value before its first * exchanges nothing, but for an issuer of the operator", async () => {
  const { agentId } = await trusting();
  await setup.db.run("UPDATE credential SET subject = 'repo:*' WHERE credential_id = $1", [uuidOf("agt", agentId)]);
  expect(await refusal(exchange(agentId, await idToken()))).toContain(
    "the subject of the agent is no longer accepted, it must name a value before the first *",
  );
  const { config } = setup.instance;
  instance = { ...instance, config: { ...config, trustedIssuers: [issuer] } };
  expect(await exchange(agentId, await idToken())).toMatchObject({ token_type: "Bearer" });
});

test("exchanged tokens are deleted a day after their end, agents with trust are not", async () => {
  const { agentId } = await trusting({ name: "purged" });
  const { access_token } = await exchange(agentId, await idToken());
  const rows = () =>
    setup.db.run("SELECT FROM credential WHERE name = 'purged'").then((found: readonly unknown[]) => found.length);
  await setup.db.run(expiredExchanges);
  expect([await rows(), await works(access_token)]).toEqual([2, true]);
  await setup.db.run("UPDATE credential SET expires_at = now() - interval '25 hours' WHERE name = 'purged'");
  await setup.db.run(expiredExchanges);
  expect(await rows()).toBe(1);
});
