// Credentials that are revoked, rotated or spent in one transaction while another uses them: the second one waits, and
// then sees what the first one did.
import { afterAll, expect, test } from "bun:test";

import { encodeId } from "@plinth/contract/ids";
import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { redeemSignInLink } from "../identity/sign-in-links.ts";
import { operatorToken, type Caller, outcome } from "../test/context.ts";
import { tokenHash } from "../tokens/token.ts";
import { createMcpUses } from "./mcp-uses.ts";
import { connectCommandLine } from "./test/clients.ts";
import { createUsage } from "./usage.ts";
import { createOwner } from "./test/owner.ts";

const { setup, owner, session } = await createOwner();
afterAll(() => setup.close());

const hold = <Result>(work: Parameters<typeof holdTransaction<Result>>[1]) => holdTransaction(setup.db.url, work);

async function apiKey() {
  const scopes = ["artifacts:read", "agents:manage"] as const;
  const made = await setup.call("apiKey.create", { name: "key", scopes: [...scopes] }, { as: session });
  return { ...made, key: made.key ?? "", id: uuidOf("key", made.apiKeyId) };
}
const createAgent = (as: Caller) =>
  setup.call("agent.create", { name: "reviewer", scopes: ["artifacts:read"] }, { as });

const revoke = "UPDATE credential SET revoked_at = clock_timestamp() WHERE credential_id = $1";

test("a credential that is revoked while it creates another one: the request gets unauthenticated", async () => {
  const { key, id } = await apiKey();
  const [before] = await setup.db.run<{ n: number }>("SELECT count(*)::int AS n FROM credential");
  await hold(async (held) => {
    await held.run(revoke, [id]);
    const creating = outcome(createAgent(key));
    await held.untilWaitedFor(creating);
    await held.commit();
    expect(await creating).toBe("unauthenticated");
  });
  const [after] = await setup.db.run<{ n: number }>("SELECT count(*)::int AS n FROM credential");
  expect(after).toEqual(before);
});

test("a credential whose revocation is rolled back creates another one", async () => {
  const { key, id } = await apiKey();
  await hold(async (held) => {
    await held.run(revoke, [id]);
    const creating = outcome(createAgent(key));
    await held.untilWaitedFor(creating);
    await held.rollback();
    expect(await creating).toBe("done");
  });
});

test("revoking waits for a credential that is being created with the revoked one, and ends it too", async () => {
  const { key, id, apiKeyId } = await apiKey();
  const made = Bun.randomUUIDv7();
  await hold(async (held) => {
    await held.run("SELECT FROM credential WHERE credential_id = $1 FOR SHARE", [id]);
    await held.run(
      `INSERT INTO credential (credential_id, kind, hash, name, scopes, user_id, made_with, created_by)
       SELECT $2, 'agent', $3, 'late', scopes, user_id, $1, created_by FROM credential WHERE credential_id = $1`,
      [id, made, Buffer.from(tokenHash(key + "late"), "hex")],
    );
    const revoking = outcome(setup.call("apiKey.revoke", { apiKeyId }, { as: session }));
    await held.untilWaitedFor(revoking);
    await held.commit();
    expect(await revoking).toBe("done");
  });
  const [row] = await setup.db.run<{ revoked: boolean }>(
    "SELECT revoked_at IS NOT NULL AS revoked FROM credential WHERE credential_id = $1",
    [made],
  );
  expect(row?.revoked).toBe(true);
});

test("two revocations of one credential: the second one waits and records no second event", async () => {
  const { id, apiKeyId } = await apiKey();
  await hold(async (held) => {
    await held.run(revoke, [id]);
    const revoking = outcome(setup.call("apiKey.revoke", { apiKeyId }, { as: session }));
    await held.untilWaitedFor(revoking);
    await held.commit();
    await revoking;
  });
  const events = await setup.db.run("SELECT FROM audit_event WHERE kind = 'api_key.revoked' AND target_id = $1", [
    apiKeyId,
  ]);
  expect(events).toEqual([]);
});

test("two rotations of one key: the second one waits and gets forbidden", async () => {
  const { id, apiKeyId } = await apiKey();
  await hold(async (held) => {
    await held.run("UPDATE credential SET revoked_at = now() + interval '24 hours' WHERE credential_id = $1", [id]);
    const rotating = outcome(setup.call("apiKey.rotate", { apiKeyId }, { as: session }));
    await held.untilWaitedFor(rotating);
    await held.commit();
    expect(await rotating).toBe("forbidden");
  });
});

test("two exchanges of one access token: the second one waits and gets unauthenticated", async () => {
  const { caller, accessToken } = await connectCommandLine(setup, owner.userId);
  await hold(async (held) => {
    await held.run("UPDATE oauth_access_token SET revoked = now() WHERE token = $1", [accessToken]);
    const exchanging = outcome(setup.call("agent.exchangeLogin", { name: "laptop" }, { as: caller }));
    await held.untilWaitedFor(exchanging);
    await held.commit();
    expect(await exchanging).toBe("unauthenticated");
  });
});

test("two redemptions of one sign-in link: the second one waits and gets not_found", async () => {
  const { url } = await setup.call("operator.createSignInLink", { userId: owner.userId }, { as: operatorToken });
  const token = url.split("#")[1] ?? "";
  const hash = Buffer.from(tokenHash(token), "hex");
  await hold(async (held) => {
    expect(await held.run("UPDATE sign_in_link SET used_at = now() WHERE hash = $1 RETURNING 1", [hash])).toHaveLength(
      1,
    );
    const redeeming = outcome(redeemSignInLink(setup.db, token));
    await held.untilWaitedFor(redeeming);
    await held.commit();
    expect(await redeeming).toBe("not_found");
  });
});

for (const [name, flushing] of [
  [
    "last use",
    async (ids: readonly string[]) => {
      const usage = createUsage(setup.db);
      for (const id of ids) usage.record(id);
      await usage.flush();
    },
  ],
  [
    "last use by MCP",
    async (ids: readonly string[]) => {
      const uses = createMcpUses(setup.db);
      for (const id of ids) uses.record(id, "editor");
      await uses.flush();
    },
  ],
] as const)
  test(`writing the ${name} locks credentials in the order of their creation: no deadlock with a revocation`, async () => {
    const [first, second] = [await apiKey(), await apiKey()];
    // The planner reads a table of this size from its beginning, and the first one by its identifier comes last in it.
    await setup.db.run(
      `INSERT INTO credential (credential_id, kind, hash, name, scopes, user_id, created_by)
       SELECT gen_random_uuid(), kind, sha256(convert_to(n || $2, 'UTF8')), 'other', scopes, user_id, created_by
       FROM credential CROSS JOIN generate_series(1, 500) n WHERE credential_id = $1`,
      [first.id, name],
    );
    await setup.db.run("UPDATE credential SET name = 'moved' WHERE credential_id = $1", [first.id]);
    await setup.db.run("ANALYZE credential");
    await hold(async (held) => {
      await held.run(revoke, [first.id]);
      // Recorded in the other order.
      const writing = outcome(flushing([second.apiKeyId, first.apiKeyId]));
      await held.untilWaitedFor(writing);
      // Where the flush had the second one already, this would wait for it and PostgreSQL would end one of the two.
      await held.run(revoke, [second.id]);
      await held.commit();
      expect(await writing).toBe("done");
    });
  });

test("writing the last use locks sessions in the order of their identifiers: no deadlock with a sign-out", async () => {
  const person = await setup.person();
  for (let n = 0; n < 2; n++) await setup.session(person.userId);
  const made = await setup.db.run<{ id: string }>("SELECT id FROM session WHERE user_id = $1 ORDER BY id", [
    uuidOf("usr", person.userId),
  ]);
  // The last one in the table comes first by its identifier.
  const first = `00000000-0000-7000-8000-${crypto.randomUUID().slice(-12)}`;
  const second = made[0]?.id ?? "";
  await setup.db.run("UPDATE session SET id = $2 WHERE id = $1", [made[1]?.id, first]);
  const usage = createUsage(setup.db);
  for (const id of [second, first]) usage.record(encodeId("ses", id));
  const signOut = "DELETE FROM session WHERE id = $1";
  await hold(async (held) => {
    await held.run(signOut, [first]);
    const writing = outcome(usage.flush());
    await held.untilWaitedFor(writing);
    await held.run(signOut, [second]);
    await held.commit();
    expect(await writing).toBe("done");
  });
});
