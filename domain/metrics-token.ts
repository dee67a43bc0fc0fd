// The token that the operator sets for reading the metrics.
import { createHash, timingSafeEqual } from "node:crypto";

/** Metrics in Prometheus' text format, and the token that they require. */
export interface Figures {
  readonly token: string;
  readonly contentType: string;
  readonly text: () => Promise<string>;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether an `authorization` header has the token, compared in constant time. */
export function mayReadMetrics(authorization: string | null, metricsToken: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(metricsToken));
}
