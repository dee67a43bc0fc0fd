// Signing in through a third-party OpenID provider, over HTTP, against two instances that share a database and differ
// in their provider.
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import { ownDatabase, scaledOut, type OwnDatabase } from "./harness/database.ts";
import { jsonOf, problemOf, send } from "./harness/http.ts";
import { startIdentityProvider, type IdentityProvider } from "./harness/identity-provider.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { fresh, operatorOf } from "./harness/people.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";
import { hung } from "./harness/process.ts";
import { visitor, type Visitor } from "./harness/sign-in.ts";

setDefaultTimeout(hung);

let database: OwnDatabase;
let first: IdentityProvider;
let second: IdentityProvider;
let instance: Instance;
let elsewhere: Instance;

beforeAll(async () => {
  database = await ownDatabase();
  [first, second] = await Promise.all([startIdentityProvider(), startIdentityProvider()]);
  const env = scaledOut(database.url);
  instance = await startInstance({ env: { ...env, ...first.env } });
  elsewhere = await startInstance({ env: { ...env, ...second.env } });
  await first.trust(instance.origin);
  await second.trust(elsewhere.origin);
});
afterAll(async () => {
  // Stopping searches the log for tracked secrets: codes, cookies, URLs.
  await Promise.all([instance.stop(), elsewhere.stop()]);
  await Promise.all([first.stop(), second.stop()]);
  await database.drop();
});
beforeEach(() => {
  first.tamper = (claims) => claims;
});

/** A new account at the provider, which is signed in there from now on. */
function somebody(more: object = {}, at = first) {
  const sub = fresh("subject");
  return (at.account = { sub, email: trackSecret(`${sub}@example.org`), email_verified: true, name: "Ada", ...more });
}

interface Profile {
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

const profileOf = async (who: Visitor, at = instance): Promise<Profile> =>
  jsonOf(await send(`${at.origin}/api/profile/me`, { headers: { cookie: who.header() } }));

/** The callback that the provider sends a visitor back to. */
const backOf = async (who: Visitor): Promise<string> => who.through(jsonOf<{ url: string }>(await who.begin()).url);

/** Where a refusal ends; no session is left behind it. */
async function refused(who: Visitor, to: string, at = instance) {
  expect([...who.cookies.keys()].filter((name) => name.endsWith("session"))).toEqual([]);
  const { origin, pathname, searchParams } = new URL(to);
  expect(origin + pathname).toBe(`${at.origin}/login`);
  return Object.fromEntries(searchParams);
}

const people = async (email: string) => {
  const [row] = (await database.sql`SELECT count(*)::int AS people FROM "user" WHERE email = ${email}`) as [
    { people: number },
  ];
  return row.people;
};

describe("an account at the provider", () => {
  test("signs up, chooses a username, and is the same user ever after", async () => {
    const { email } = somebody();
    const signingUp = visitor(instance.origin);
    const next = "/dashboard?tab=keys&q=%2F#top";
    expect(await signingUp.signIn(next)).toBe(`${instance.origin}/workspaces/new?${new URLSearchParams({ next })}`);
    const profile = await profileOf(signingUp);
    expect(profile).toMatchObject({ email, emailVerified: true, username: null, name: "Ada" });
    const events = await database.sql`
      SELECT kind, actor, surface, after FROM audit_event WHERE target_id = ${profile.userId}`;
    expect([...events]).toEqual([
      {
        kind: "user.created",
        actor: { type: "user", id: profile.userId, label: "Ada" },
        surface: "web",
        after: { provider: "oidc", emailVerified: true },
      },
    ]);
    // Nothing of the provider's that could be used in the person's name is kept.
    const accounts = await database.sql`
      SELECT provider_id, account_id, access_token, refresh_token, id_token FROM account
      WHERE user_id = (SELECT user_id FROM "user" WHERE email = ${email})`;
    expect([...accounts]).toEqual([
      {
        provider_id: "oidc",
        account_id: `${first.issuer} ${first.account?.sub}`,
        access_token: null,
        refresh_token: null,
        id_token: null,
      },
    ]);

    const username = fresh("ada");
    await database.sql`
      INSERT INTO workspace (workspace_id, slug, name, kind, personal_of, plan, plan_granted)
      SELECT ${Bun.randomUUIDv7()}, ${username}, ${username}, 'personal', user_id, 'team', 'team' FROM "user" WHERE email = ${email}`;
    const again = visitor(instance.origin);
    expect(await again.signIn(next)).toBe(instance.origin + next);
    expect(await profileOf(again)).toMatchObject({ userId: profile.userId, username });
  });

  test("is who they were when their address at the provider has changed", async () => {
    const account = somebody();
    const before = visitor(instance.origin);
    await before.signIn();
    for (const changed of [{ email: "other@example.org", email_verified: false }, { email: "ada@\u212Aelvin.org" }]) {
      first.account = { ...account, ...changed };
      const after = visitor(instance.origin);
      expect(await after.signIn()).toStartWith(`${instance.origin}/workspaces/new`);
      expect(await profileOf(after)).toEqual(await profileOf(before));
    }
  });

  test("is one user, however many sign-ups of theirs arrive at once", async () => {
    const { email } = somebody();
    const visitors = Array.from({ length: 12 }, () => visitor(instance.origin));
    const callbacks: string[] = [];
    for (const one of visitors) callbacks.push(await backOf(one));
    const arrived = await Promise.all(visitors.map((one, place) => one.arrive(callbacks[place] ?? "")));
    expect(new Set(arrived)).toEqual(new Set([`${instance.origin}/workspaces/new?next=%2F`]));
    expect(new Set((await Promise.all(visitors.map((one) => profileOf(one)))).map(({ userId }) => userId)).size).toBe(
      1,
    );
    expect(await people(email)).toBe(1);
  });

  test("is still known when the provider has changed its keys", async () => {
    somebody();
    await visitor(instance.origin).signIn();
    await first.rotate();
    const after = visitor(instance.origin);
    await after.signIn();
    expect((await profileOf(after)).userId).toStartWith("usr_");
  });
});

describe("refused", () => {
  test("who says no at the provider", async () => {
    first.account = null;
    const who = visitor(instance.origin);
    expect(await refused(who, await who.signIn("/dashboard"))).toEqual({ error: "denied", next: "/dashboard" });
  });

  test("by a state of another browser, one that is made up, or one that was used", async () => {
    somebody();
    const who = visitor(instance.origin);
    const callback = await backOf(who);
    const other = visitor(instance.origin);
    expect(await refused(other, await other.arrive(callback))).toMatchObject({ error: "expired" });
    const madeUp = new URL(callback);
    madeUp.searchParams.set("state", "A".repeat(32));
    expect(await refused(other, await other.arrive(madeUp.href))).toMatchObject({ error: "expired" });
    madeUp.searchParams.delete("state");
    expect(await refused(other, await other.arrive(madeUp.href))).toMatchObject({ error: "expired" });

    expect(await who.arrive(callback)).toStartWith(`${instance.origin}/workspaces/new`);
    const stolen = visitor(instance.origin);
    for (const [name, pair] of who.cookies) if (!name.endsWith("session")) stolen.cookies.set(name, pair);
    expect(await refused(stolen, await stolen.arrive(callback))).toMatchObject({ error: "expired" });
  });

  test("by a used code, in another person's sign-in", async () => {
    somebody();
    const victim = visitor(instance.origin);
    const used = await backOf(victim);
    await victim.arrive(used);
    const thief = visitor(instance.origin);
    const theirs = new URL(await backOf(thief));
    theirs.searchParams.set("code", new URL(used).searchParams.get("code") ?? "");
    expect(await refused(thief, await thief.arrive(theirs.href))).toMatchObject({ error: "failed" });
  });

  test.each([
    ["another nonce", { nonce: "another" }],
    ["no nonce", { nonce: undefined }],
    ["a time that is over", { iat: 1_700_000_000, exp: 1_700_000_600 }],
    ["no end", { exp: undefined }],
    ["another audience", { aud: "somebody-else" }],
    ["another issuer", { iss: "http://127.0.0.1:1" }],
    ["another client that it was made for", { aud: ["plinth", "other"], azp: "other" }],
    ["no subject", { sub: undefined }],
    ["a subject of two words", { sub: "one two" }],
  ])("by an ID token with %s", async (_what, changed) => {
    const { email } = somebody();
    first.tamper = (claims) => ({ ...claims, ...changed }) as typeof claims;
    const who = visitor(instance.origin);
    expect(await refused(who, await who.signIn())).toMatchObject({ error: "failed" });
    expect(await people(email)).toBe(0);
  });

  test("by an ID token that another key signed", async () => {
    const { email } = somebody();
    first.forge = true;
    const who = visitor(instance.origin);
    const to = await who.signIn();
    first.forge = false;
    expect(await refused(who, to)).toMatchObject({ error: "failed" });
    expect(await people(email)).toBe(0);
  });

  test("with an address that is not verified, not there, or not ASCII", async () => {
    for (const [more, error] of [
      [{ email_verified: false }, "email_unverified"],
      [{ email_verified: undefined }, "email_unverified"],
      [{ email: undefined }, "email_invalid"],
      // The Kelvin sign, which lower-casing makes a k.
      [{ email: "\u212Aim@example.org" }, "email_invalid"],
      [{ email: "ada@ex\u00E4mple.org" }, "email_invalid"],
      [{ email: "no address" }, "email_invalid"],
    ] as const) {
      const { sub } = somebody(more);
      const who = visitor(instance.origin);
      expect(await refused(who, await who.signIn("/x"))).toEqual({ error, next: "/x" });
      const accounts = await database.sql`SELECT 1 FROM account WHERE account_id LIKE ${`%${sub}`}`;
      expect([...accounts]).toEqual([]);
    }
  });

  test("as another person by their email at another provider, nor by their subject there", async () => {
    const { sub, email } = somebody();
    const here = visitor(instance.origin);
    await here.signIn();

    second.account = { sub, email: trackSecret(email.toUpperCase()), email_verified: true };
    const there = visitor(elsewhere.origin);
    expect(await refused(there, await there.signIn(), elsewhere)).toMatchObject({ error: "email_taken" });
    expect(await people(email)).toBe(1);

    // The same subject of another issuer is another person.
    somebody({ sub }, second);
    await there.signIn();
    expect((await profileOf(there, elsewhere)).userId).not.toBe((await profileOf(here)).userId);
  });
});

describe("a user whom the operator made", () => {
  const made = async (email: string, more: object = {}) =>
    operatorOf(instance).call("operator.createUser", { email: trackSecret(email), username: fresh("made"), ...more });

  test("is bound to the first identity with their verified address, and to no other", async () => {
    const { sub, email } = somebody();
    const { userId, username } = await made(email);
    // Both providers at once: one identity is bound, the other refused.
    second.account = { sub, email, email_verified: true };
    const [here, there] = [visitor(instance.origin), visitor(elsewhere.origin)];
    const [one, other] = await Promise.all([backOf(here), backOf(there)]);
    const arrived = await Promise.all([here.arrive(one), there.arrive(other)]);
    const refusals = arrived.filter((to) => to.includes("error=email_taken"));
    expect([arrived.length, refusals.length]).toEqual([2, 1]);
    const [bound, at] = arrived[0]?.includes("error=") ? [there, elsewhere] : [here, instance];
    expect(await profileOf(bound, at)).toMatchObject({ userId, username, email });
    const events = await database.sql`
      SELECT actor, after FROM audit_event WHERE target_id = ${userId} AND kind = 'user.identity_bound'`;
    expect([...events]).toEqual([
      { actor: { type: "user", id: userId, label: username }, after: { provider: "oidc" } },
    ]);
  });

  test("is bound to none where the operator did not vouch for the address, or the provider does not", async () => {
    const { email } = somebody({ email_verified: false });
    await made(email);
    const who = visitor(instance.origin);
    expect(await refused(who, await who.signIn())).toMatchObject({ error: "email_unverified" });

    const unproven = somebody();
    await made(unproven.email, { emailVerified: false });
    expect(await refused(who, await who.signIn())).toMatchObject({ error: "email_taken" });
  });
});

describe("a provider that can't be reached", () => {
  test("is reported before a redirect, and everything else continues", async () => {
    await first.stop();
    const answer = await visitor(instance.origin).begin();
    expect(problemOf(answer)).toMatchObject({ status: 503, code: "identity_unavailable" });
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await send(`${instance.origin}/api/health`)).status).toBe(200);
    const { userId } = await operatorOf(instance).call("operator.createUser", {
      email: trackSecret(`${fresh("away")}@example.org`),
      username: fresh("away"),
    });
    const { url } = await operatorOf(instance).call("operator.createSignInLink", { userId });
    expect(trackSecret(new URL(url).hash.slice(1))).toHaveLength(32);
    await first.start();
    somebody();
    expect(await visitor(instance.origin).signIn()).toStartWith(`${instance.origin}/workspaces/new`);
  });

  test("on the way back is a page that says so", async () => {
    somebody();
    const who = visitor(instance.origin);
    const callback = await backOf(who);
    await first.stop();
    const to = await who.arrive(callback);
    await first.start();
    expect(await refused(who, to)).toMatchObject({ error: "provider_unavailable" });
  });
});

test("the way to the provider carries a state, a nonce and a challenge, and asks for no more than is needed", async () => {
  const begun = jsonOf<{ url: string }>(await visitor(instance.origin).begin());
  const { searchParams } = new URL(begun.url);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: "code",
    client_id: "plinth",
    redirect_uri: `${instance.origin}/api/auth/callback/oidc`,
    scope: "openid email profile",
    code_challenge_method: "S256",
  });
  for (const name of ["state", "nonce", "code_challenge"]) expect(searchParams.get(name)?.length).toBeGreaterThan(30);
});
