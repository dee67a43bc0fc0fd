// An id token is exchanged once: by its identifier or its signed part, by several requests and processes at the same time,
// and what is recorded of a second use.
import { afterAll, expect, test } from "bun:test";

import { tokenExchange } from "@plinth/contract/oauth";
import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { purge } from "../retention/purge.ts";
import { exchangeIdToken } from "./exchange-id-token.ts";
import { ExchangeRefusal } from "./exchange-refusal.ts";
import { createIssuer, otherSignature, testIssuer } from "./test/issuer.ts";
import { createOwner } from "./test/owner.ts";

const { setup, session, createAgent, works } = await createOwner();
afterAll(() => setup.close());

const issuer = await createIssuer();
const instance = { ...setup.instance, issuerKeys: issuer.issuerKeys };
const subject = "repo:org/site:main";
const { publicUrl } = instance.config;
const trusting = () => createAgent(session, { name: "ci", issuer: testIssuer, subject: "repo:org/*" });
const signed = (more: Record<string, unknown> = {}) => issuer.idToken(publicUrl, subject, more);
const withoutIdentifier = () => signed({ jti: undefined, job: crypto.randomUUID() });

const again =
  "invalid_grant: the id token has been exchanged before: request a new id token, because each is exchanged once";

/** The access token, or the refusal. */
async function exchange(agentId: string, token: string, more: Record<string, string> = {}, requestId = "req-use") {
  const form = new URLSearchParams({
    client_id: agentId,
    subject_token: token,
    subject_token_type: tokenExchange.idToken,
    ...more,
  });
  try {
    const answer = (await (await exchangeIdToken(instance, form, requestId)).json()) as { access_token: string };
    return answer.access_token;
  } catch (error) {
    if (error instanceof ExchangeRefusal) return `${error.error}: ${error.message}`;
    throw error;
  }
}

const uses = async () => [
  ...(await setup.db.run<{ reused: boolean }>("SELECT reused_at IS NOT NULL AS reused FROM id_token_use")),
];

test("a token is exchanged once, and what it was exchanged for still works", async () => {
  const { agentId } = await trusting();
  for (const token of [
    await signed(),
    await withoutIdentifier(),
    await signed({ jti: 5 }),
    await signed({ jti: "" }),
  ]) {
    const first = await exchange(agentId, token);
    expect(first).toStartWith("pla_");
    expect([await exchange(agentId, token), await exchange(agentId, token)]).toEqual([again, again]);
    expect(await works(first)).toBe(true);
  }
});

test("a token without an identifier is the same one with its signature written differently", async () => {
  const { agentId } = await trusting();
  const token = await withoutIdentifier();
  expect(await exchange(agentId, otherSignature(token))).toStartWith("pla_");
  expect(otherSignature(token)).not.toBe(token);
  expect(await exchange(agentId, token)).toBe(again);
});

test("the identifier counts, not the token: two tokens of one are one, and others are not affected", async () => {
  const { agentId } = await trusting();
  const [jti, other] = [crypto.randomUUID(), crypto.randomUUID()];
  expect(await exchange(agentId, await signed({ jti }))).toStartWith("pla_");
  expect(await exchange(agentId, await signed({ jti, job: 2 }))).toBe(again);
  expect(await exchange(agentId, await signed({ jti: other }))).toStartWith("pla_");
});

test("a token is for one agent alone, and an identifier for one issuer alone", async () => {
  const [one, two] = [await trusting(), await trusting()];
  const jti = crypto.randomUUID();
  const token = await signed({ jti });
  expect(await exchange(one.agentId, token)).toStartWith("pla_");
  expect(await exchange(two.agentId, token)).toBe(again);
  await setup.db.run("UPDATE credential SET issuer = 'https://other.example' WHERE credential_id = $1", [
    uuidOf("agt", two.agentId),
  ]);
  const others = await createIssuer("https://other.example");
  const form = new URLSearchParams({
    client_id: two.agentId,
    subject_token: await others.idToken(publicUrl, subject, { jti }),
    subject_token_type: tokenExchange.idToken,
  });
  const answer = await exchangeIdToken({ ...instance, issuerKeys: others.issuerKeys }, form, "req-other");
  expect(answer.status).toBe(200);
});

test("an exchange that is refused for its scope, audience or agent uses nothing up", async () => {
  const { agentId } = await trusting();
  const token = await signed();
  expect(await exchange(agentId, token, { scope: "artifacts:delete" })).toStartWith("invalid_scope");
  expect(await exchange(agentId, token, { audience: "https://other.example" })).toStartWith("invalid_target");
  expect(await exchange(`agt_${"0".repeat(26)}`, token)).toStartWith("invalid_grant: the id token is not accepted");
  expect(await exchange(agentId, token)).toStartWith("pla_");
});

test("of requests at the same time one gets a token, and the others learn that it was used", async () => {
  const { agentId } = await trusting();
  for (const token of [await signed(), await withoutIdentifier()]) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(agentId, token)));
    expect(answers.filter((answer) => answer.startsWith("pla_"))).toHaveLength(1);
    expect(answers.filter((answer) => answer === again)).toHaveLength(7);
  }
});

/** Another process that has used the token up, and has not committed yet. */
const useOf = "INSERT INTO id_token_use (hash, ends_at) SELECT hash, ends_at FROM kept_use";

test("an exchange waits for another process that exchanges the token, and is refused when that one commits", async () => {
  const { agentId } = await trusting();
  for (const end of ["commit", "rollback"] as const) {
    const token = await signed();
    await exchange(agentId, token);
    await setup.db.run("CREATE TABLE kept_use AS SELECT * FROM id_token_use ORDER BY ends_at DESC");
    await setup.db.run("DELETE FROM id_token_use");
    await holdTransaction(setup.db.url, async (held) => {
      await held.run(useOf);
      const second = exchange(agentId, token);
      await held.untilWaitedFor(second);
      await held[end]();
      if (end === "commit") expect(await second).toBe(again);
      else expect(await second).toStartWith("pla_");
    });
    await setup.db.run("DROP TABLE kept_use");
  }
});

test("an exchange whose agent is being revoked uses nothing up", async () => {
  const { agentId } = await trusting();
  const token = await signed();
  await setup.db.run("DELETE FROM id_token_use");
  await holdTransaction(setup.db.url, async (held) => {
    await held.run("UPDATE credential SET revoked_at = clock_timestamp() WHERE credential_id = $1", [
      uuidOf("agt", agentId),
    ]);
    const exchanging = exchange(agentId, token);
    await held.untilWaitedFor(exchanging);
    await held.commit();
    expect(await exchanging).toBe("invalid_grant: the agent has been revoked");
  });
  expect(await uses()).toEqual([]);
});

test("a second use is one audit event, however often it is tried", async () => {
  const { agentId } = await trusting();
  const token = await signed();
  await exchange(agentId, token, {}, "req-first");
  await Promise.all(Array.from({ length: 4 }, () => exchange(agentId, token, {}, "req-reuse")));
  const events = await setup.db.run(
    "SELECT kind, actor, target_id, before, after FROM audit_event WHERE request_id = $1",
    ["req-reuse"],
  );
  expect([...events]).toEqual([
    {
      kind: "agent.reuse_detected",
      actor: { type: "system", id: "system", label: "Plinth" },
      target_id: agentId,
      before: { name: "ci", kind: "agent" },
      after: { reused: "id_token", issuer: testIssuer, subject },
    },
  ]);
  expect(JSON.stringify(events)).not.toContain(token);
});

test("a use is kept as long as the token is accepted, and purged an hour after", async () => {
  const { agentId } = await trusting();
  await setup.db.run("DELETE FROM id_token_use");
  const now = Math.floor(Date.now() / 1000);
  // Its end, and an hour after its beginning where that is sooner, each with 30 s between the clocks.
  await exchange(agentId, await signed({ iat: now - 60, exp: now + 300 }));
  await exchange(agentId, await signed({ iat: now - 60, exp: now + 86_400 }));
  const ends = await setup.db.run<{ ends_at: Date }>("SELECT ends_at FROM id_token_use ORDER BY ends_at");
  expect(ends.map(({ ends_at }) => ends_at.getTime() / 1000 - now)).toEqual([330, 3570]);
  await setup.db.run("UPDATE id_token_use SET ends_at = now() - interval '61 minutes' WHERE ends_at = $1", [
    ends[0]?.ends_at,
  ]);
  await setup.db.run("UPDATE id_token_use SET ends_at = now() - interval '59 minutes' WHERE ends_at = $1", [
    ends[1]?.ends_at,
  ]);
  await purge(setup.db, "req-purge");
  expect(await uses()).toHaveLength(1);
});
