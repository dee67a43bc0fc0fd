// The job that asks Stripe anew about every customer: events get lost, and a grace that is over is told by nobody.
import type { Database } from "@plinth/db/connection";
import { billingAccount } from "@plinth/db/schema/billing";
import { and, asc, isNotNull, lt } from "drizzle-orm";

import { systemCause } from "../records/system-cause.ts";
import type { Billing } from "./billing.ts";
import { syncAccount, type Syncing } from "./sync.ts";

/** Accounts of one run, those not asked about for the longest first: Stripe bounds what is asked of it. */
const accountsAtMost = 5000;

/** Goes on past an account that fails, and fails in the end. Nothing is done where no plans are sold. */
export async function reconcile(
  { db, billing, config }: Omit<Syncing, "billing"> & { readonly db: Database; readonly billing: Billing | null },
  jobId: string,
  now = new Date(),
): Promise<void> {
  if (billing === null) return;
  const due = await db.orm
    .select({ workspaceId: billingAccount.workspaceId })
    .from(billingAccount)
    .where(and(isNotNull(billingAccount.customerId), lt(billingAccount.askedAt, now)))
    .orderBy(asc(billingAccount.askedAt))
    .limit(accountsAtMost);
  const failures: unknown[] = [];
  for (const { workspaceId } of due) {
    try {
      await syncAccount({ db, billing, config }, workspaceId, systemCause(jobId), now);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `Stripe was not heard about ${failures.length} of ${due.length} customers`);
}
