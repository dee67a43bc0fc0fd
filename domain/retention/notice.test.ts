// A plan that keeps less takes nothing for the days of its notice: what goes, goes when it was said to
// (docs/decisions/billing.md, "Retention notice").
import { afterAll, beforeAll, expect, test } from "bun:test";

import { retentionNoticeDays, type PlanId } from "@plinth/contract/plans";
import { uuidOf } from "@plinth/db/columns";

import { changePlan } from "../billing/change-plan.ts";
import { systemCause } from "../audit/system-cause.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { pruneVersions } from "./prune-versions.ts";
import { removeEvents } from "./remove-events.ts";
import { daysAgo, violations, prunedOf, publishOld } from "./test/old-artifacts.ts";
import { noDeadline } from "./deadline.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

const inDays = (days: number): Date => daysAgo(-days);
const dayMs = 86_400_000;

const to = (workspaceId: string, planGranted: PlanId, days: number) =>
  setup.db.transaction((db) => changePlan(db, workspaceId, { planGranted }, systemCause("notice"), inDays(days)));

/** A user on the Team plan with versions superseded that many days ago, each by the next. */
async function keeper(superseded: readonly number[]): Promise<TestPerson & { artifactId: string }> {
  const person = await setup.person({ plan: "team" });
  const { slug } = await setup.project(person.token);
  return { ...person, artifactId: await publishOld(setup, person, slug, [900, ...superseded]) };
}

/** In how many days each version goes, the oldest first, as its artifact's list says; null for the head. */
async function goIn(artifactId: string): Promise<(number | null)[]> {
  const { versions } = await setup.call("version.list", { artifactId });
  return versions
    .toReversed()
    .map(({ expiresAt }) =>
      expiresAt === null ? null : Math.round(((Date.parse(expiresAt) - Date.now()) / dayMs) * 10) / 10,
    );
}

const prune = (at: Date) => pruneVersions(setup.db, at, "notice", noDeadline);

/** Expects that retention takes the artifact's oldest versions when its list says, and no sooner. */
async function goesAsSaid(artifactId: string): Promise<void> {
  const { versions } = await setup.call("version.list", { artifactId });
  const ends = versions.flatMap(({ versionNumber, expiresAt }) =>
    expiresAt === null ? [] : [{ versionNumber, end: Date.parse(expiresAt) }],
  );
  const goneAt = (time: number) => ends.flatMap((one) => (one.end <= time ? [one.versionNumber] : [])).toReversed();
  for (const end of new Set(ends.map((one) => one.end).toSorted((a, b) => a - b)))
    for (const time of [end - 1, end]) {
      await prune(new Date(time));
      expect(await prunedOf(setup, artifactId)).toEqual(goneAt(time));
    }
}

/** Ages of the workspace's events, in days, that are left at a time. */
async function eventsLeft(workspaceId: string, ages: readonly number[], at: Date): Promise<number[]> {
  const of = uuidOf("wsp", workspaceId);
  await setup.db.run("DELETE FROM audit_event WHERE workspace_id = $1 AND request_id = 'aged'", [of]);
  await setup.db.run(
    `INSERT INTO audit_event (event_id, occurred_at, kind, actor, surface, workspace_id, target_type, target_id, request_id)
     SELECT ('01800000-0000-7000-8000-' || right(md5($1::text || e.age), 12))::uuid, e.at, 'workspace.updated', '{}', 'api',
       $1::uuid, 'workspace', e.age::text, 'aged'
     FROM json_to_recordset($2::text::json) AS e(at timestamptz, age int)`,
    [of, JSON.stringify(ages.map((age) => ({ age, at: daysAgo(age) })))],
  );
  await removeEvents(setup.db, at, noDeadline);
  const rows = await setup.db.run<{ age: string }>(
    "SELECT target_id AS age FROM audit_event WHERE workspace_id = $1 AND request_id = 'aged'",
    [of],
  );
  return rows.map(({ age }) => Number(age)).toSorted((a, b) => a - b);
}

const justBefore = (days: number): Date => new Date(inDays(days).getTime() - 60_000);
const justAfter = (days: number): Date => new Date(inDays(days).getTime() + 60_000);

test("what a lesser plan keeps no longer is kept until the notice is over, and its list says so", async () => {
  const { workspaceId, artifactId } = await keeper([300, 100, 20, 8]);
  expect(await goIn(artifactId)).toEqual([65, 265, 345, 357, null]);
  await to(workspaceId, "free", 0);
  // By the plan of now the third goes in ten days; the notice is over before that.
  expect(await goIn(artifactId)).toEqual([7, 7, 10, 22, null]);
});

test("audit events are kept through the notice as well", async () => {
  const { workspaceId } = await setup.person({ plan: "team" });
  await to(workspaceId, "free", 0);
  expect(await eventsLeft(workspaceId, [3, 60, 200, 357, 360], justBefore(7))).toEqual([3, 60, 200, 357]);
  expect(await eventsLeft(workspaceId, [0, 1, 3, 60, 200, 357], justAfter(7))).toEqual([]);
});

test("each version goes when it was said to", async () => {
  const { workspaceId, artifactId } = await keeper([363, 300, 100, 29, 20, 8]);
  await to(workspaceId, "free", 0);
  // The first is past the days of the former plan within the notice.
  expect(await goIn(artifactId)).toEqual([2, 7, 7, 7, 10, 22, null]);
  await goesAsSaid(artifactId);
});

test("a greater plan in time saves all of it", async () => {
  const { workspaceId, artifactId } = await keeper([300, 100, 20]);
  const before = await goIn(artifactId);
  await to(workspaceId, "free", 0);
  await prune(justBefore(7));
  await to(workspaceId, "team", 6.9);
  expect(await goIn(artifactId)).toEqual(before);
  await prune(justAfter(8));
  expect(await prunedOf(setup, artifactId)).toEqual([]);
  expect(await eventsLeft(workspaceId, [340], justAfter(8))).toEqual([340]);
});

test("a second downgrade within the notice begins the days again, for all of it", async () => {
  const { workspaceId, artifactId } = await keeper([300, 100, 20]);
  await to(workspaceId, "pro", 0);
  // Pro keeps versions for as long.
  expect(await goIn(artifactId)).toEqual([65, 265, 345, null]);
  await to(workspaceId, "free", 3);
  expect(await goIn(artifactId)).toEqual([10, 10, 10, null]);
  expect(await eventsLeft(workspaceId, [60, 200], justBefore(3 + retentionNoticeDays))).toEqual([60, 200]);
  await goesAsSaid(artifactId);
});

test("a second one when the first notice is over keeps by the plan between them", async () => {
  const { workspaceId } = await setup.person({ plan: "team" });
  await to(workspaceId, "pro", 0);
  await to(workspaceId, "free", 8);
  expect(await eventsLeft(workspaceId, [50, 200], justBefore(15))).toEqual([50]);
  expect(await eventsLeft(workspaceId, [50, 200], justAfter(15))).toEqual([]);
});

test("the same plan again, or one in between, leaves the notice as it was", async () => {
  for (const plan of ["free", "pro"] as const) {
    const { workspaceId } = await setup.person({ plan: "team" });
    await to(workspaceId, "free", 0);
    await to(workspaceId, plan, 4);
    expect(await eventsLeft(workspaceId, [20, 200], justBefore(7))).toEqual([20, 200]);
    expect(await eventsLeft(workspaceId, [20, 200], justAfter(7))).toEqual(plan === "pro" ? [20] : []);
  }
});

test("a team has the notice of its holder's plan, and what it is saved by", async () => {
  const holder = await setup.person({ plan: "team" });
  const as = await setup.session(holder.userId);
  const { workspaceId, slug } = await setup.call("workspace.create", { slug: setup.name("team"), name: "T" }, { as });
  const project = await setup.project(as, slug);
  const token = await setup.key(holder.userId, undefined, workspaceId);
  const artifactId = await publishOld(setup, { ...holder, token }, project.slug, [300, 100, 20]);
  const before = await goIn(artifactId);
  await to(holder.workspaceId, "free", 0);
  expect(await goIn(artifactId)).toEqual([7, 10, null]);
  await to(holder.workspaceId, "team", 5);
  expect(await goIn(artifactId)).toEqual(before);
  await to(holder.workspaceId, "free", 6);
  await goesAsSaid(artifactId);
});

test("the page says from when on less is kept, and nothing where nothing is lost", async () => {
  const { userId, workspaceId } = await setup.person({ plan: "team" });
  const as = await setup.session(userId);
  const shortens = async () => (await setup.call("billing.get", { workspaceId }, { as })).retentionShortensAt;
  expect(await shortens()).toBeNull();
  const { planKeptUntil } = await to(workspaceId, "free", 0);
  expect(await shortens()).toBe(planKeptUntil?.toISOString() ?? "");
  await to(workspaceId, "team", 1);
  expect(await shortens()).toBeNull();
  await to(workspaceId, "free", -8);
  expect(await shortens()).toBeNull();
});

test("after all this the database is as it should be", async () => {
  expect(await violations(setup)).toEqual([]);
});
