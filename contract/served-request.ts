// The facts about an answered request, for the log and the metrics. They include the route pattern but never the path,
// which may be a secret, and nothing of the input or output.
import { log } from "@plinth/platform/log";
import type { Surface } from "./audit-kinds.ts";

export interface ServedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The route pattern, for example `/share/:token`; `unmatched` where there is none. */
  readonly route: string;
  readonly status: number;
  /** Until the response's headers; a stream continues. */
  readonly ms: number;
  readonly surface: Surface;
  /** The user, credential or share link that called, or `anonymous`; null where the caller was not identified. */
  readonly principal: string | null;
  /** The size of the response's body, where it is known in advance. */
  readonly bytes: number | null;
}

export const unmatched = "unmatched";

/** Writes the log line of a request. */
export function logRequest({ requestId, method, route, status, ms, surface, principal, bytes }: ServedRequest): void {
  // 501 says that the caller asks for a format that there is not.
  log.served(status >= 500 && status !== 501 ? "error" : "info", {
    requestId,
    method,
    route,
    status,
    ms: Math.round(ms * 10) / 10,
    surface,
    ...(principal !== null && { principal }),
    ...(bytes !== null && { bytes }),
  });
}

/** The size that a response declares. */
export function bytesOf({ headers, status }: Response): number | null {
  const length = headers.get("content-length");
  if (length !== null) return Number(length);
  return status === 204 || status === 304 ? 0 : null;
}
