// The job that reads every customer from Stripe again: events get lost, and no event reports the end of a grace period.
import type { Database } from "@plinth/db/connection";
import { billingAccount } from "@plinth/db/schema/billing";
import { and, asc, isNotNull, lt } from "drizzle-orm";

import { systemCause } from "../audit/system-cause.ts";
import type { Billing } from "../services.ts";
import { isAway } from "./stripe.ts";
import { syncAccount, type Syncing } from "./sync.ts";

/** Accounts of one run, those not asked about for the longest first: Stripe bounds what is asked of it. */
const accountsAtMost = 5000;
/** Accounts in a row for which Stripe is away: the others wait for the next run, rather than this one for hours. */
const awayAtMost = 3;

/**
 * Each account is asked about by itself, and nothing is held between two. Goes on past one that fails, and fails in the
 * end. Nothing is done where no plans are sold.
 */
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
  let away = 0;
  for (const { workspaceId } of due) {
    try {
      await syncAccount({ db, billing, config }, workspaceId, systemCause(jobId), now);
      away = 0;
    } catch (error) {
      failures.push(error);
      away = isAway(error) ? away + 1 : 0;
      if (away === awayAtMost) break;
    }
  }
  if (failures.length === 0) return;
  const left = away === awayAtMost ? ", and it was left at that" : "";
  throw new Error(`${failures.length} of ${due.length} customers were not brought up to date${left}`, {
    cause: failures[0],
  });
}
