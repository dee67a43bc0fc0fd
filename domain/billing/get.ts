// Billing of a workspace: payment state, seats, usage, entitlements (docs/reference/contract.md §3).
import { eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { entitlementsOf } from "@plinth/contract/plans";
import type { Billing } from "@plinth/contract/schemas/billing";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { workspace as workspaces } from "@plinth/db/schema/accounts";

import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { seatsOf } from "../plans/seats.ts";
import { findAccount } from "./account.ts";
import { listPlans } from "./plans.ts";
import { isLiving, notSubscribed } from "./subscription.ts";
import type { LockedWorkspace } from "../plans/lock.ts";
import { systemCause } from "../audit/system-cause.ts";
import { inTurn, requireBilling } from "./configured.ts";
import { syncAccount } from "./sync.ts";

// Whose subscription a workspace's plan comes from: its own, or its holder's.
interface Paying {
  /** Whose plan it is. */
  readonly workspaceId: string;
  readonly slug: string;
  /** The workspace that was asked about, as it is stored. */
  readonly own: LockedWorkspace;
}

export async function payingWorkspace({ db }: Pick<Context, "db">, { workspaceId }: WorkspaceRow): Promise<Paying> {
  const holder = alias(workspaces, "holder");
  const [row] = await db.orm
    .select({ own: workspaces, holderId: holder.workspaceId, holderSlug: holder.slug })
    .from(workspaces)
    .leftJoin(holder, eq(holder.workspaceId, workspaces.planHolderId))
    .where(eq(workspaces.workspaceId, workspaceId));
  if (row === undefined) throw new Error(`${workspaceId} is gone`);
  const { own, holderId, holderSlug } = row;
  return { workspaceId: holderId ?? own.workspaceId, slug: holderSlug ?? own.slug, own };
}

/** With the plans on offer where they are asked for. */
export const getBilling: JsonHandler<"billing.get"> = async (context, { withPlans }, workspace) => {
  const [billing, offer] = await Promise.all([
    billingOf(context, workspace),
    withPlans === true ? listPlans(context) : undefined,
  ]);
  return offer === undefined ? billing : { ...billing, offer };
};

export async function billingOf(context: Context, workspace: WorkspaceRow): Promise<Billing> {
  const { db, billing } = context;
  const { own, ...holder } = await payingWorkspace(context, workspace);
  const [account, seats, usage] = await Promise.all([
    findAccount(db, holder.workspaceId),
    seatsOf(db, [own]),
    usageOf(db, own.workspaceId),
  ]);
  const bought = account ?? notSubscribed;
  const { status, interval, currentPeriodEnd, cancelAtPeriodEnd, graceUntil } = bought;
  const { plan, seatsBought, planKept, planKeptUntil } = own;
  const shown = seats(own);
  const isNoticed = planKept !== null && planKeptUntil !== null && planKeptUntil.getTime() > Date.now();
  return {
    workspaceId: own.workspaceId,
    plan,
    boughtPlan: isLiving(bought) ? bought.plan : null,
    status,
    interval,
    currentPeriodEnd: currentPeriodEnd?.toISOString() ?? null,
    cancelAtPeriodEnd,
    graceUntil: graceUntil?.toISOString() ?? null,
    retentionShortensAt: isNoticed ? planKeptUntil.toISOString() : null,
    seats: shown,
    usage,
    entitlements: { ...entitlementsOf(plan, seatsBought), seats: shown.limit },
    holder,
    available: billing !== null,
  };
}

/** Content shared by several versions counts for each of them, because each would delete it. */
const usageStatement = `
SELECT count(*)::int AS artifacts, count(*) FILTER (WHERE NOT a.public_view)::int AS private_artifacts,
  coalesce(sum(v.size), 0)::bigint::text AS storage_bytes,
  (SELECT coalesce(sum(f.size_bytes), 0)::bigint::text FROM workspace_file f WHERE f.workspace_id = $1) AS file_bytes
FROM artifact a
CROSS JOIN LATERAL (
  SELECT sum(v.size_bytes) AS size FROM version v WHERE v.artifact_id = a.artifact_id AND v.pruned_at IS NULL
) v
WHERE a.workspace_id = $1 AND a.deleted_at IS NULL`;

async function usageOf(db: Database, workspaceId: string): Promise<Billing["usage"]> {
  const [row] = await db.run<{
    artifacts: number;
    private_artifacts: number;
    storage_bytes: string;
    file_bytes: string;
  }>(usageStatement, [uuidOf("wsp", workspaceId)]);
  if (row === undefined) throw new Error("the usage was not counted");
  return {
    artifacts: row.artifacts,
    privateArtifacts: row.private_artifacts,
    storageBytes: Number(row.storage_bytes),
    fileBytes: Number(row.file_bytes),
  };
}

/** @throws billing_unavailable */
export const refreshBilling: JsonHandler<"billing.refresh"> = async (context, _input, workspace) => {
  const billing = requireBilling(context);
  const { db, config, call } = context;
  const { workspaceId } = await payingWorkspace(context, workspace);
  const host = { db, billing, config };
  await inTurn(workspaceId, () => syncAccount(host, workspaceId, systemCause(call.requestId)));
  return billingOf(context, workspace);
};
