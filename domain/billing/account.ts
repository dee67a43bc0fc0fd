// The accounts of workspaces that were taken to Stripe.
import type { Database } from "@plinth/db/connection";
import { billingAccount } from "@plinth/db/schema/billing";
import { eq } from "drizzle-orm";

export type BillingAccount = typeof billingAccount.$inferSelect;

/** One that has a customer at Stripe. */
export type Customer = BillingAccount & { readonly customerId: string };

/** Reads without a lock; null for a workspace that has never used Stripe. */
export async function findAccount(db: Database, workspaceId: string): Promise<BillingAccount | null> {
  const [row] = await db.orm.select().from(billingAccount).where(eq(billingAccount.workspaceId, workspaceId));
  return row ?? null;
}

/**
 * Holds the account until the transaction ends: all that is asked of Stripe about a customer is asked by one at a time,
 * so that what was asked later is never overwritten by what was asked before. Comes before any lock on a workspace.
 */
export async function lockAccount(db: Database, workspaceId: string): Promise<BillingAccount | null> {
  const [row] = await db.orm
    .select()
    .from(billingAccount)
    .where(eq(billingAccount.workspaceId, workspaceId))
    .for("update");
  return row ?? null;
}

/** The same, made where there is none. */
export async function lockNewAccount(db: Database, workspaceId: string): Promise<BillingAccount> {
  await db.orm.insert(billingAccount).values({ workspaceId }).onConflictDoNothing();
  const row = await lockAccount(db, workspaceId);
  if (row === null) throw new Error("the account was not stored");
  return row;
}
