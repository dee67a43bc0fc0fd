// Last use: recorded without a write, then flushed in one statement.
import { afterAll, beforeEach, expect, test } from "bun:test";

import { connect } from "@plinth/db/connection";
import { newId } from "@plinth/db/columns";

import { flushRegularly } from "@plinth/platform/write-buffer";
import { createOwner } from "./test/owner.ts";
import { createUsage } from "./usage.ts";

const { setup, session } = await createOwner();
const agent = await setup.call("agent.create", { name: "a", scopes: ["artifacts:read"] }, { as: session });
beforeEach(() => setup.instance.usage.flush());
afterAll(() => setup.close());

const lastUsed = async (): Promise<{ agent: number; session: number }> => {
  const [row] = await setup.db.run<{ agent: Date | null; session: Date }>(
    `SELECT (SELECT last_used_at FROM credential WHERE name = 'a') AS agent,
       (SELECT updated_at FROM session LIMIT 1) AS session`,
  );
  return { agent: row?.agent?.getTime() ?? 0, session: row?.session.getTime() ?? 0 };
};
const forget = () =>
  setup.db.run("WITH a AS (UPDATE credential SET last_used_at = NULL) UPDATE session SET updated_at = '2020-01-01Z'");

test("a hundred requests write nothing, and one flush writes them all in one statement", async () => {
  await forget();
  const before = await lastUsed();
  const began = Date.now();
  const statements = await setup.statementsOf(async () => {
    for (let n = 0; n < 100; n++)
      await setup.call("profile.get", {}, { as: n % 2 === 0 ? session : (agent.token ?? "") });
  });
  expect(statements).toBe(100);
  expect(await lastUsed()).toEqual(before);
  expect(await setup.statementsOf(() => setup.instance.usage.flush())).toBe(1);
  const after = await lastUsed();
  expect(after.agent).toBeGreaterThanOrEqual(began - 1000);
  expect(after.session).toBeGreaterThanOrEqual(began - 1000);
  expect(await setup.statementsOf(() => setup.instance.usage.flush())).toBe(0);
  const { agents } = await setup.call("agent.list", {}, { as: session });
  expect(Date.parse(agents[0]?.lastUsedAt ?? "")).toBe(after.agent);
  const { sessions } = await setup.call("session.list", {}, { as: session });
  expect(Date.parse(sessions[0]?.lastUsedAt ?? "")).toBe(after.session);
});

test("what is refused for what it lacks was used all the same; what is not valid was not", async () => {
  await forget();
  await setup.refusal("artifact.createInWorkspace", {}, { as: agent.token ?? "" });
  await setup.refusal("profile.get", {}, { as: "plk_x" });
  await setup.instance.usage.flush();
  expect((await lastUsed()).agent).toBeGreaterThan(0);
});

test("a failed flush keeps the recorded uses, and the time never goes back", async () => {
  await forget();
  const away = connect({ url: "postgres://nobody@127.0.0.1:1/nothing", max: 1 });
  let current = away as { run: typeof away.run };
  const usage = createUsage({ ...setup.db, orm: setup.db.orm, run: (...asked) => current.run(...asked) });
  usage.record(agent.agentId);
  expect(await usage.flush().catch(() => "failed")).toBe("failed");
  const ahead = new Date(Date.now() + 3_600_000);
  await setup.db.run("UPDATE credential SET last_used_at = $1 WHERE name = 'a'", [ahead]);
  current = setup.db;
  await usage.flush();
  expect((await lastUsed()).agent).toBe(ahead.getTime());
  await away.close();
});

test("what no longer exists, or never did, hinders nothing", async () => {
  await forget();
  const usage = createUsage(setup.db);
  for (const id of [newId("key"), newId("agt"), newId("ses"), agent.agentId]) usage.record(id);
  await usage.flush();
  expect((await lastUsed()).agent).toBeGreaterThan(0);
});

test("one statement writes tens of thousands; more are dropped until the next flush", async () => {
  const usage = createUsage(setup.db);
  for (let n = 0; n < 60_000; n++) usage.record(newId("key"));
  await forget();
  usage.record(agent.agentId);
  expect(await setup.statementsOf(() => usage.flush())).toBe(1);
  expect((await lastUsed()).agent).toBe(0);
  usage.record(agent.agentId);
  await usage.flush();
  expect((await lastUsed()).agent).toBeGreaterThan(0);
});

test("stopping writes down what is left, and a failure is told", async () => {
  await forget();
  const errors: unknown[] = [];
  const usage = createUsage(setup.db);
  const flushing = flushRegularly(usage, 60_000, (error) => errors.push(error));
  usage.record(agent.agentId);
  await flushing.stop();
  expect((await lastUsed()).agent).toBeGreaterThan(0);
  expect(errors).toEqual([]);
  const away = { flush: () => Promise.reject(new Error("away")), onFirst: () => undefined };
  const failing = flushRegularly(away, 60_000, (error) => errors.push(error));
  await failing.stop();
  expect(errors).toMatchObject([{ message: "away" }]);
});

test("flushes and revocations at once do not stand in each other's way", async () => {
  const made = await Promise.all(
    Array.from({ length: 30 }, () =>
      setup.call("agent.create", { name: "many", scopes: ["agents:manage"] }, { as: session }),
    ),
  );
  const used = Promise.all(
    Array.from({ length: 5 }, async () => {
      const usage = createUsage(setup.db);
      for (const { agentId } of made.toReversed()) usage.record(agentId);
      await usage.flush();
    }),
  );
  await Promise.all(made.map(({ agentId }) => setup.call("agent.revoke", { agentId }, { as: session })));
  await used;
});
