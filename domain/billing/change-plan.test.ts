// The one place where a plan changes: what of its causes is in force, what is written down, whose days are kept, and what a
// team has of its holder.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { PlanId } from "@plinth/contract/plans";
import { uuidOf } from "@plinth/db/columns";
import { workspace } from "@plinth/db/schema/accounts";
import { eq } from "drizzle-orm";

import { systemCause } from "../audit/system-cause.ts";
import { createSetup, type Setup } from "../test/context.ts";
import { changePlan, type PlanChange } from "./change-plan.ts";

const dayMs = 86_400_000;
const now = new Date("2026-11-22T12:00:00Z");

let setup: Setup;
let place: string;
beforeAll(async () => {
  setup = await createSetup({ defaultPlan: "free" });
});
afterAll(() => setup.close());
beforeEach(async () => {
  place = (await setup.person({ plan: "free" })).workspaceId;
});

const change = (wanted: PlanChange, at = now, workspaceId = place) =>
  setup.db.transaction((db) => changePlan(db, workspaceId, wanted, systemCause("change-test"), at));

async function stored(workspaceId = place) {
  const [row] = await setup.db.orm.select().from(workspace).where(eq(workspace.workspaceId, workspaceId));
  if (row === undefined) throw new Error("the workspace is gone");
  return row;
}

/** The audited changes after creation: plan and seats before and after. */
async function events(workspaceId = place): Promise<readonly unknown[]> {
  const rows = await setup.db.run<{ before: { plan: string; seats: number }; after: { plan: string; seats: number } }>(
    "SELECT before, after FROM audit_event WHERE kind = 'plan.changed' AND workspace_id = $1 AND before IS NOT NULL ORDER BY event_id",
    [uuidOf("wsp", workspaceId)],
  );
  return rows.map(({ before, after }) => [`${before.plan} ${before.seats}`, `${after.plan} ${after.seats}`]);
}

test("the greater of what is granted and what is bought is in force, whichever comes and goes", async () => {
  const steps: readonly (readonly [PlanChange, PlanId])[] = [
    [{ bought: { plan: "pro", seats: null } }, "pro"],
    [{ planGranted: "team" }, "team"],
    [{ bought: { plan: "team", seats: 12 } }, "team"],
    [{ planGranted: "free" }, "team"],
    [{ bought: null }, "free"],
    [{ planGranted: "pro" }, "pro"],
    [{ bought: { plan: "team", seats: 3 } }, "team"],
  ];
  for (const [wanted, plan] of steps) {
    expect((await change(wanted)).plan).toBe(plan);
    expect((await stored()).plan).toBe(plan);
  }
  expect(await events()).toEqual([
    ["free 1", "pro 1"],
    ["pro 1", "team 10"],
    ["team 10", "team 12"],
    ["team 12", "free 1"],
    ["free 1", "pro 1"],
    ["pro 1", "team 10"],
  ]);
});

test("what is so already is neither written nor told", async () => {
  await change({ bought: { plan: "pro", seats: null } });
  const version = () =>
    setup.db.run("SELECT xmin::text FROM workspace WHERE workspace_id = $1", [uuidOf("wsp", place)]);
  const before = await version();
  for (const wanted of [{ bought: { plan: "pro", seats: null } }, { planGranted: "free" }, {}] as const)
    await change(wanted);
  expect(await version()).toEqual(before);
  expect(await events()).toHaveLength(1);
});

test("where less is kept, it is kept as before for seven days, counted from the change that began it", async () => {
  const later = (days: number) => new Date(now.getTime() + days * dayMs);
  const notice = async () => {
    const { planKept, planKeptUntil } = await stored();
    return planKept === null ? null : [planKept, planKeptUntil?.toISOString()];
  };
  await change({ bought: { plan: "team", seats: 10 } });
  expect(await notice()).toBeNull();
  await change({ bought: { plan: "pro", seats: null } });
  expect(await notice()).toEqual(["team", later(7).toISOString()]);
  // Less again: its own seven days, and what was kept longest goes on being kept.
  await change({ bought: null }, later(3));
  expect(await notice()).toEqual(["team", later(10).toISOString()]);
  // More, though not as much as before: what was said stays.
  await change({ bought: { plan: "pro", seats: null } }, later(4));
  expect(await notice()).toEqual(["team", later(10).toISOString()]);
  await change({ bought: { plan: "team", seats: 10 } }, later(5));
  expect(await notice()).toBeNull();
  await change({ bought: null }, later(6));
  // A notice that is over is not gone back to.
  await change({ bought: { plan: "pro", seats: null } }, later(20));
  expect(await notice()).toBeNull();
});

test("a team has its holder's plan and seats until it buys its own, and then keeps what it is given otherwise", async () => {
  const person = await setup.person({ plan: "team" });
  const as = await setup.session(person.userId);
  const { workspaceId: team } = await setup.call("workspace.create", { slug: setup.name("team"), name: "T" }, { as });
  await change({ planGranted: "free", bought: { plan: "team", seats: 15 } }, now, person.workspaceId);
  expect(await stored(team)).toMatchObject({ plan: "team", planHolderId: person.workspaceId });
  await change({ bought: null }, now, person.workspaceId);
  expect(await stored(team)).toMatchObject({ plan: "free", planKept: "team" });
  expect(await events(team)).toEqual([
    ["team 10", "team 15"],
    ["team 15", "free 1"],
  ]);
  await change({ bought: { plan: "team", seats: 11 }, otherwise: "pro" }, now, team);
  expect(await stored(team)).toMatchObject({ plan: "team", planHolderId: null, planGranted: "pro", seatsBought: 11 });
  await change({ bought: null, otherwise: "team" }, now, team);
  expect(await stored(team)).toMatchObject({ plan: "pro", planHolderId: null, planGranted: "pro", seatsBought: null });
  // Its former holder's is nothing to it any longer.
  await change({ planGranted: "team" }, now, person.workspaceId);
  expect(await stored(team)).toMatchObject({ plan: "pro" });
});

test("a change that fails is none: plan, teams and audit are one", async () => {
  const work = setup.db.transaction(async (db) => {
    await changePlan(db, place, { planGranted: "team" }, systemCause("change-test"), now);
    throw new Error("undone");
  });
  await expect(work).rejects.toThrow("undone");
  expect(await stored()).toMatchObject({ plan: "free", planGranted: "free" });
  expect(await events()).toEqual([]);
});
