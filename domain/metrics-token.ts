// Who may read the figures: whoever has the token that the operator has set for it.
import { createHash, timingSafeEqual } from "node:crypto";

/** Figures in Prometheus' text format, and the token that opens them. */
export interface Figures {
  readonly token: string;
  readonly contentType: string;
  readonly text: () => Promise<string>;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether an `authorization` header has the token; compared in a time that says nothing of it. */
export function mayReadMetrics(authorization: string | null, metricsToken: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(metricsToken));
}
