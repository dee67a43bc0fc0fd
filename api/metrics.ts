// GET /metrics: the metrics of this process, for a caller with the token (docs/reference/contract.md §4). This module
// does not know the metrics.
import { AppError } from "@plinth/contract/errors";
import { mayReadMetrics, type Figures } from "@plinth/domain/metrics-token";

/** @throws unauthenticated */
export async function metricsPage({ headers }: Request, { token, contentType, text }: Figures): Promise<Response> {
  if (!mayReadMetrics(headers.get("authorization"), token))
    throw new AppError("unauthenticated", "The figures take the instance's METRICS_TOKEN as bearer");
  return new Response(await text(), {
    headers: { "content-type": contentType, "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}
