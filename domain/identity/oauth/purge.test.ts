// The daily purge of OAuth: the rows that it deletes and the rows that it keeps.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { newId, uuidOf } from "@plinth/db/columns";

import { createSetup, type Setup } from "../../test/context.ts";
import { purge } from "../../retention/purge.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

const clients = async () =>
  (await setup.db.run<{ client_id: string }>("SELECT client_id FROM oauth_client ORDER BY client_id")).map(
    (row) => row.client_id,
  );

test("deletes expired codes and tokens, and clients that no user approved within a month", async () => {
  const { userId } = await setup.person();
  await setup.instance.oauth.ready();
  for (const [clientId, days] of [
    ["new", 29],
    ["unused", 31],
    ["used", 31],
  ] as const) {
    await setup.db.run(
      `INSERT INTO oauth_client (id, client_id, redirect_uris, created_at)
       VALUES (gen_random_uuid(), $1, '{}', now() - make_interval(days => $2))`,
      [clientId, days],
    );
  }
  await setup.db.run(
    `INSERT INTO credential (credential_id, kind, name, client_id, scopes, user_id, created_by, revoked_at)
     VALUES ($1, 'oauth', 'Used', 'used', '{artifacts:read}', $2, '{}', now())`,
    [uuidOf("agt", newId("agt")), uuidOf("usr", userId)],
  );
  for (const [token, hours] of [
    ["fresh", 1],
    ["stale", 25],
  ] as const) {
    await setup.db.run(
      `INSERT INTO oauth_access_token (id, token, client_id, user_id, scopes, expires_at)
       VALUES (gen_random_uuid(), $1, 'used', $2, '{}', now() - make_interval(hours => $3))`,
      [token, uuidOf("usr", userId), hours],
    );
  }
  await purge(setup.db, "req-test");
  expect(await clients()).toEqual(["new", "plinth-cli", "used"]);
  expect([...(await setup.db.run("SELECT token FROM oauth_access_token"))]).toEqual([{ token: "fresh" }]);
});
