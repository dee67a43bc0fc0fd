// Codes and refresh tokens that are used while another transaction uses, revokes or ends what they belong to.
import { afterAll, expect, test } from "bun:test";

import { holdTransaction, type HeldTransaction } from "@plinth/db/test/locks";
import { tokenHash } from "@plinth/domain/tokens/token";

import { createOAuthService, registerClient, type RegisteredClient } from "./test/oauth-clients.ts";

const { service, browser, status, token } = await createOAuthService();
const { db } = service.setup;
afterAll(() => service.close());

const connected = async () => {
  const own = await registerClient(service);
  return { own, tokens: await own.connect(browser) };
};

const refresh = (own: RegisteredClient, refreshToken: string | undefined) =>
  token({ grant_type: "refresh_token", refresh_token: refreshToken ?? "", client_id: own.client.client_id });

const lock = (held: HeldTransaction, own: RegisteredClient) =>
  held.run("SELECT FROM credential WHERE client_id = $1 FOR NO KEY UPDATE", [own.client.client_id]);

const tokensOf = async (own: RegisteredClient) => {
  const [rows] = await db.run<{ refresh: number; access: number }>(
    `SELECT (SELECT count(*)::int FROM oauth_refresh_token WHERE client_id = $1) AS refresh,
       (SELECT count(*)::int FROM oauth_access_token WHERE client_id = $1) AS access`,
    [own.client.client_id],
  );
  return rows;
};

/** Adds a refresh token as another use of the same one does. */
const addSibling = (held: HeldTransaction, refreshToken: string | undefined) =>
  held.run(
    `INSERT INTO oauth_refresh_token (id, token, client_id, user_id, scopes, authorization_code_id, expires_at)
     SELECT gen_random_uuid(), 'sibling-' || token, client_id, user_id, scopes, authorization_code_id, expires_at
     FROM oauth_refresh_token WHERE token = $1`,
    [tokenHash(refreshToken ?? "")],
  );

/** What the work comes to after it waited for a transaction that did the rest. */
const afterWaiting = <Result>(
  first: (held: HeldTransaction) => Promise<unknown>,
  work: () => Promise<Result>,
  then: (held: HeldTransaction) => Promise<unknown>,
): Promise<Result> =>
  holdTransaction(db.url, async (held) => {
    await first(held);
    const working = work();
    await held.untilWaitedFor(working);
    await then(held);
    await held.commit();
    return working;
  });

test("a refresh token that another process retires at the same time: the second use gets a pair too", async () => {
  const { own, tokens } = await connected();
  const answer = await afterWaiting(
    (held) => lock(held, own),
    () => refresh(own, tokens.refresh_token),
    (held) =>
      held.run("UPDATE oauth_refresh_token SET revoked = now(), rotated_at = now() WHERE token = $1", [
        tokenHash(tokens.refresh_token ?? ""),
      ]),
  );
  expect(answer.status).toBe(200);
  expect(await status(answer.body["access_token"] ?? "")).toBe(200);
});

test("a connection that is revoked while its token is refreshed: no new token is made", async () => {
  const { own, tokens } = await connected();
  const before = await tokensOf(own);
  const answer = await afterWaiting(
    (held) => held.run("SELECT FROM credential WHERE client_id = $1 FOR UPDATE", [own.client.client_id]),
    () => refresh(own, tokens.refresh_token),
    (held) => held.run("UPDATE credential SET revoked_at = now() WHERE client_id = $1", [own.client.client_id]),
  );
  expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_grant"]);
  expect(await tokensOf(own)).toEqual(before);
});

test("a family that ends while one of its tokens is refreshed: none stays", async () => {
  const { own, tokens } = await connected();
  const answer = await afterWaiting(
    (held) => lock(held, own),
    () => refresh(own, tokens.refresh_token),
    (held) => held.run("DELETE FROM oauth_refresh_token WHERE client_id = $1", [own.client.client_id]),
  );
  expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_grant"]);
  expect(await tokensOf(own)).toEqual({ refresh: 0, access: 0 });
});

test("a late use of a retired token while another token of the family is refreshed ends the new one too", async () => {
  const { own, tokens } = await connected();
  await refresh(own, tokens.refresh_token);
  await db.run(
    `UPDATE oauth_refresh_token SET revoked = now() - interval '61 seconds', rotated_at = now() - interval '61 seconds'
     WHERE token = $1`,
    [tokenHash(tokens.refresh_token ?? "")],
  );
  const answer = await afterWaiting(
    (held) => lock(held, own),
    () => refresh(own, tokens.refresh_token),
    (held) => addSibling(held, tokens.refresh_token),
  );
  expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_grant"]);
  expect(await tokensOf(own)).toEqual({ refresh: 0, access: 0 });
});

test("a client that revokes its token while it is refreshed: the new one is revoked too", async () => {
  const { own, tokens } = await connected();
  await afterWaiting(
    (held) => lock(held, own),
    () => own.revoke(tokens.refresh_token ?? ""),
    (held) => addSibling(held, tokens.refresh_token),
  );
  expect(await tokensOf(own)).toEqual({ refresh: 0, access: 0 });
});

test("a code that is used again while its tokens are made ends them", async () => {
  const own = await registerClient(service);
  const asked = await own.request();
  const code = (await browser.allow(asked.url)).searchParams.get("code") ?? "";
  const form = {
    grant_type: "authorization_code",
    code,
    redirect_uri: own.redirectUri,
    client_id: own.client.client_id,
    code_verifier: asked.verifier,
  };
  const answer = await afterWaiting(
    (held) => held.run("DELETE FROM verification WHERE identifier = $1", [tokenHash(code)]),
    () => token(form),
    (held) =>
      held.run(
        `INSERT INTO oauth_refresh_token (id, token, client_id, user_id, scopes, authorization_code_id, expires_at)
         SELECT gen_random_uuid(), 'made', client_id, user_id, scopes, $2, now() + interval '1 day'
         FROM credential WHERE client_id = $1`,
        [own.client.client_id, tokenHash(code)],
      ),
  );
  expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_grant"]);
  expect(await tokensOf(own)).toEqual({ refresh: 0, access: 0 });
  const reused = await db.run<{ after: object }>(
    "SELECT after FROM audit_event WHERE kind = 'agent.reuse_detected' AND before->>'client' = $1",
    [own.client.client_id],
  );
  expect([...reused]).toEqual([{ after: { reused: "authorization_code" } }]);
});
