// The queue as the operator sees it (docs/reference/contract.md §1).
import { pageLimit } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";

import { notFound } from "../access/refusals.ts";
import { requireBilling } from "../billing/configured.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { invalid } from "../input.ts";
import { enqueue } from "../queue/outbox.ts";
import { record } from "../audit/audit.ts";

/** Failed ones first; the queue keeps no order to page through. */
export async function listJobs(
  context: Context,
  { limit = pageLimit.default, cursor, state }: Input<"operator.listJobs">,
): Promise<Output<"operator.listJobs">> {
  if (cursor !== undefined) throw invalid([{ path: "cursor", message: "is not a cursor of this list" }]);
  return { jobs: await context.queue.list(limit, state), nextCursor: null };
}

/** @throws not_found */
export const retryJob: JsonHandler<"operator.retryJob"> = async (context, { jobId }) => {
  const job = await context.queue.retry(jobId);
  if (job === null) throw notFound();
  await recordRun(context, { jobId, kind: job.kind, retried: true });
  return job;
};

/** @throws billing_unavailable for a job of selling plans where none are sold */
export async function runJob(context: Context, { kind }: Input<"operator.runJob">): Promise<Output<"operator.runJob">> {
  if (kind === "billing-reconcile") requireBilling(context);
  await transact(context, async (inside, db) => {
    await enqueue(db, kind, {});
    await recordRun(inside, { kind });
  });
  return {};
}

const recordRun = (context: Context, after: { kind: string; jobId?: string; retried?: true }) =>
  record(context, {
    kind: "operator.job_run",
    workspaceId: null,
    target: { type: "job", id: after.jobId ?? after.kind },
    after,
  });
