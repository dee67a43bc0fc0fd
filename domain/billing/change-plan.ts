// The only place where a workspace's plan changes: by the operator or by a purchase. It is audited and only prevents
// creating more: private artifacts stay private, members stay, and longer retention lasts until the notice is over
// (docs/reference/contract.md §6).
import { isDeepStrictEqual } from "node:util";

import { entitlementsOf, greaterPlan, planIds, retentionNoticeDays, type PlanId } from "@plinth/contract/plans";
import type { Database } from "@plinth/db/connection";
import { workspace } from "@plinth/db/schema/accounts";
import { asc, eq } from "drizzle-orm";

import { lockSeats, lockWorkspace, type LockedWorkspace } from "../plans/lock.ts";
import { recordAs, type Cause } from "../audit/audit.ts";

/** What changes; what is left out stays. */
export interface PlanChange {
  readonly planGranted?: PlanId;
  /** What its own subscription gives; null for nothing. */
  readonly bought?: { readonly plan: PlanId; readonly seats: number | null } | null;
  /** What a team has that leaves its holder's plan for its own. */
  readonly otherwise?: PlanId;
}

const dayMs = 86_400_000;

/**
 * Changes the plan of a workspace, and of the teams on it. Expects a transaction, and takes the locks that seats are
 * counted under. A team that buys a plan is its own holder from then on.
 */
export async function changePlan(
  db: Database,
  workspaceId: string,
  change: PlanChange,
  cause: Cause,
  now = new Date(),
): Promise<LockedWorkspace> {
  const holder = await lockSeats(db, workspaceId);
  const before = holder.workspaceId === workspaceId ? holder : await lockWorkspace(db, workspaceId);
  const { bought, planGranted = before.planGranted, otherwise = "free" } = change;
  const own = bought === undefined ? before : { planBought: bought?.plan ?? null, seatsBought: bought?.seats ?? null };
  const leaves = before.planHolderId !== null && own.planBought !== null;
  const changed = await write(
    db,
    before,
    {
      planGranted: leaves ? (planGranted ?? otherwise) : planGranted,
      planBought: own.planBought,
      seatsBought: own.seatsBought,
      planHolderId: leaves ? null : before.planHolderId,
    },
    { had: holder, has: holder },
    cause,
    now,
  );
  const teams = await db.orm
    .select()
    .from(workspace)
    .where(eq(workspace.planHolderId, workspaceId))
    .orderBy(asc(workspace.workspaceId))
    .for("no key update");
  for (const team of teams) await write(db, team, team, { had: before, has: changed }, cause, now);
  return changed;
}

type Causes = Pick<LockedWorkspace, "planGranted" | "planBought" | "seatsBought" | "planHolderId">;
type Held = Pick<LockedWorkspace, "plan" | "seatsBought">;

/** What the holder had and has counts for a team that is on its plan. */
interface Holder {
  readonly had: Held;
  readonly has: Held;
}

async function write(
  db: Database,
  before: LockedWorkspace,
  causes: Causes,
  holder: Holder,
  cause: Cause,
  now: Date,
): Promise<LockedWorkspace> {
  const { planGranted, planBought, seatsBought, planHolderId } = causes;
  const given = planGranted ?? (planHolderId === null ? "free" : holder.has.plan);
  const plan = planBought === null ? given : greaterPlan(planBought, given);
  const after = { planGranted, planBought, seatsBought, planHolderId, plan, ...keptFrom(before, plan, now) };
  // Most who ask find nothing new, and many ask.
  if (!isSame(before, after))
    await db.orm.update(workspace).set(after).where(eq(workspace.workspaceId, before.workspaceId));
  const [had, has] = [shownOf(before, holder.had), shownOf(after, holder.has)];
  if (had.plan !== has.plan || had.seats !== has.seats) {
    const { workspaceId } = before;
    const target = { type: "workspace", id: workspaceId };
    await recordAs(db, cause, { kind: "plan.changed", workspaceId, target, before: had, after: has });
  }
  return { ...before, ...after };
}

const isSame = (before: LockedWorkspace, after: Partial<LockedWorkspace>): boolean =>
  isDeepStrictEqual(before, { ...before, ...after });

/** A plan, and the seats that there are on it: a team's are its holder's. */
function shownOf(place: Held & Pick<LockedWorkspace, "planHolderId">, holder: Held) {
  const { plan, seatsBought } = place.planHolderId === null ? place : holder;
  return { plan: place.plan, seats: entitlementsOf(plan, seatsBought).seats };
}

/**
 * By whose days is kept from now on (docs/decisions/billing.md, "Retention notice"): where the new plan keeps less, by
 * those of what was until now until the notice is over.
 */
function keptFrom(
  before: LockedWorkspace,
  plan: PlanId,
  now: Date,
): Pick<LockedWorkspace, "planKept" | "planKeptUntil"> {
  const { planKept, planKeptUntil } = before;
  const isNoticed = planKept !== null && planKeptUntil !== null && planKeptUntil > now;
  const longest = isNoticed ? planKept : before.plan;
  if (!isLess(plan, longest)) return { planKept: null, planKeptUntil: null };
  // This change removes nothing more: the earlier notice stays valid.
  if (isNoticed && !isLess(plan, before.plan)) return { planKept, planKeptUntil };
  return { planKept: longest, planKeptUntil: new Date(now.getTime() + retentionNoticeDays * dayMs) };
}

const isLess = (plan: PlanId, than: PlanId): boolean => planIds.indexOf(plan) < planIds.indexOf(than);
