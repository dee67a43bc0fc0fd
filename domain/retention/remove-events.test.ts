// Audit events go when their workspace's days are over, and what belongs to none is kept as long as any.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { encodeId } from "@plinth/contract/ids";
import { planIds, retentionNoticeDays, type PlanId } from "@plinth/contract/plans";
import { newId, uuidOf } from "@plinth/db/columns";

import { createSetup, operatorToken, type Setup } from "../test/context.ts";
import { removeEvents } from "./remove-events.ts";
import { daysAgo } from "./test/old-artifacts.ts";
import { noDeadline } from "./deadline.ts";

let setup: Setup;
const workspaces = new Map<PlanId, string>();
beforeAll(async () => {
  setup = await createSetup();
  for (const plan of planIds) workspaces.set(plan, (await setup.person({ plan })).workspaceId);
});
afterAll(() => setup.close());

const run = () => removeEvents(setup.db, new Date(), noDeadline);

/** Of that age, in days, by the database's clock; by the writer's, so many hours off, where it is another. */
async function event(workspaceId: string | null, days: number, clockHours = 0): Promise<string> {
  const ms = Math.round(daysAgo(days).getTime() + clockHours * 3_600_000);
  const digits = ms.toString(16).padStart(12, "0");
  const uuid = `${digits.slice(0, 8)}-${digits.slice(8)}-7${Bun.randomUUIDv7().slice(15)}`;
  await setup.db.run(
    `INSERT INTO audit_event (event_id, occurred_at, kind, actor, surface, workspace_id, target_type, target_id, request_id)
     VALUES ($1, $2, 'workspace.updated', '{}', 'api', $3, 'workspace', 'test', 'old')`,
    [uuid, daysAgo(days), workspaceId === null ? null : uuidOf("wsp", workspaceId)],
  );
  return encodeId("evt", uuid);
}

async function left(): Promise<string[]> {
  const rows = await setup.db.run<{ id: string }>(
    "SELECT event_id AS id FROM audit_event WHERE request_id = 'old' ORDER BY event_id",
  );
  return rows.map(({ id }) => encodeId("evt", id));
}

const of = (plan: PlanId) => workspaces.get(plan) ?? "";
const days: Readonly<Record<PlanId, number>> = { free: 7, pro: 90, team: 365 };

test("each plan has its days, and what belongs to nothing that there is has the most", async () => {
  const kept: string[] = [];
  for (const plan of planIds) {
    await event(of(plan), days[plan] + 0.01);
    kept.push(await event(of(plan), days[plan] - 0.01));
  }
  for (const workspaceId of [null, newId("wsp")]) {
    await event(workspaceId, 365.01);
    kept.push(await event(workspaceId, 364.99));
  }
  await run();
  expect(await left()).toEqual(kept.toSorted());
  await run();
  expect(await left()).toEqual(kept.toSorted());
});

test("when it occurred is what counts, by the database's clock", async () => {
  const before = await left();
  const ahead = await event(of("free"), 7.01, 0.5);
  const young = await event(of("free"), 6.9, -48);
  expect(await left()).toContain(ahead);
  await run();
  expect(await left()).toEqual([...before, young].toSorted());
});

test("a longer plan in time saves them, a shorter one takes them when its notice is over", async () => {
  const { workspaceId } = await setup.person({ plan: "free" });
  const saved = await event(workspaceId, 20);
  const take = async (plan: PlanId, inDays = 0) => {
    await setup.call("operator.setPlan", { workspaceId, plan }, { as: operatorToken });
    await removeEvents(setup.db, daysAgo(-inDays), noDeadline);
    return (await left()).includes(saved);
  };
  expect([await take("pro"), await take("team"), await take("free")]).toEqual([true, true, true]);
  expect(await take("free", retentionNoticeDays)).toBe(false);
});

test("many events are removed in batches, two runs share them, and a passed deadline stops between batches", async () => {
  const { workspaceId } = await setup.person({ plan: "free" });
  await setup.db.run(
    `INSERT INTO audit_event (event_id, occurred_at, kind, actor, surface, workspace_id, target_type, target_id, request_id)
     SELECT ('01800000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now() - interval '30 days', 'workspace.updated', '{}',
       'api', $1, 'workspace', 'test', 'many' FROM generate_series(1, 1700) n`,
    [uuidOf("wsp", workspaceId)],
  );
  const many = async () =>
    (await setup.db.run<{ n: number }>("SELECT count(*)::int AS n FROM audit_event WHERE request_id = 'many'"))[0]?.n;
  let asked = 0;
  expect(await removeEvents(setup.db, new Date(), { hasPassed: () => asked++ > 0 })).toBe(false);
  expect(await many()).toBe(1200);
  expect(await Promise.all([run(), run()])).toEqual([true, true]);
  expect(await many()).toBe(0);
});

test("a run looks at no event that is not due, and at no workspace but by the index", async () => {
  await run();
  const few = await setup.statementsOf(run);
  for (let n = 0; n < 5; n++) await event((await setup.person({ plan: "pro" })).workspaceId, 1);
  expect(await setup.statementsOf(run)).toBe(few);
});
