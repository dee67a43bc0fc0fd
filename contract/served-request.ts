// What is known of a request once it is answered, for the log and the figures: the pattern of its address, never the
// address, which may be a secret; nothing of what it asked or was told.
import { log } from "./log.ts";
import type { Surface } from "./audit-kinds.ts";

export interface ServedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route, such as `/share/:token`; `unmatched` where there is none. */
  readonly route: string;
  readonly status: number;
  /** Until the answer's headers; a stream goes on. */
  readonly ms: number;
  readonly surface: Surface;
  /** The user, credential or share link that asked, or `anonymous`; null where nobody asked who it was. */
  readonly principal: string | null;
  /** Of the answer's body, where that is known ahead. */
  readonly bytes: number | null;
}

export const unmatched = "unmatched";

/** Writes the line of a request. */
export function logRequest({ requestId, method, route, status, ms, surface, principal, bytes }: ServedRequest): void {
  log.served(status >= 500 ? "error" : "info", {
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

/** The bytes that an answer says it has. */
export function bytesOf({ headers, status }: Response): number | null {
  const length = headers.get("content-length");
  if (length !== null) return Number(length);
  return status === 204 || status === 304 ? 0 : null;
}
