// The facts about an answered request, for the log and the metrics. They include the route pattern but never the path,
// which may be a secret, and nothing of the input or output.
import { log } from "@plinth/platform/log";
import type { MainThreadUse } from "@plinth/platform/main-thread";
import type { Surface } from "./audit-kinds.ts";

export interface ServedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The route pattern, for example `/share/:token`; `unmatched` where there is none. */
  readonly route: string;
  readonly status: number;
  /** Until the response's headers; a stream continues. */
  readonly ms: number;
  /** The name of the operation, for example `version.content`; null where there is none. */
  readonly operation: string | null;
  /** What all other requests waited for; null for an answer that was ready. */
  readonly mainThread: MainThreadUse | null;
  readonly surface: Surface;
  /** The user, credential or share link that called, or `anonymous`; null where the caller was not identified. */
  readonly principal: string | null;
  /** The size of the response's body, where it is known in advance. */
  readonly bytes: number | null;
}

export const unmatched = "unmatched";

/** A request that held the main thread for longer is named in the log, in ms of processor time. */
export const mainThreadBoundMs = 50;

/** The message about a request that took longer on the main thread than any should. */
export const heldMainThread = "A request held the main thread";

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

/** Writes the log line of a request. */
export function logRequest({
  requestId,
  method,
  route,
  operation,
  status,
  ms,
  mainThread,
  surface,
  principal,
  bytes,
}: ServedRequest): void {
  // 501 says that the caller asks for a format that there is not.
  log.served(status >= 500 && status !== 501 ? "error" : "info", {
    requestId,
    method,
    route,
    ...(operation !== null && { operation }),
    status,
    ms: rounded(ms),
    ...(mainThread !== null && { mainThreadMs: rounded(mainThread.sharedMs) }),
    surface,
    ...(principal !== null && { principal }),
    ...(bytes !== null && { bytes }),
  });
  if (mainThread === null || Math.max(mainThread.sharedMs, mainThread.aloneMs) <= mainThreadBoundMs) return;
  log.write("warn", {
    message: heldMainThread,
    requestId,
    operation: operation ?? `${method} ${route}`,
    mainThreadMs: rounded(mainThread.sharedMs),
    mainThreadAloneMs: rounded(mainThread.aloneMs),
  });
}

/** The size that a response declares. */
export function bytesOf({ headers, status }: Response): number | null {
  const length = headers.get("content-length");
  if (length !== null) return Number(length);
  return status === 204 || status === 304 ? 0 : null;
}
