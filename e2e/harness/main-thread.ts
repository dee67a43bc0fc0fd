// No request may stop the others. Reads the log of an instance that a test has ended, and fails where a request held the
// main thread for longer than the bound, unless its operation is listed with a reason.
import { heldMainThread, mainThreadBoundMs } from "@plinth/contract/served-request";

/** Why an operation may hold the main thread for longer. */
const reasons: Readonly<Record<string, string>> = {
  health: "The first is asked while the process still starts, and is given what that takes",
};

/** The first request of an operation loads and compiles its code, in ms of processor time. */
const firstBoundMs = 500;

interface Line {
  readonly message?: string;
  readonly requestId?: string;
  readonly operation?: string;
  readonly method?: string;
  readonly route?: string;
  readonly mainThreadAloneMs?: number;
}

/** The requests of a log that held the main thread for too long while no other work was under way, each in words. */
export function longRequests(log: string): string[] {
  if (!log.includes(heldMainThread)) return [];
  const lines = log.split("\n").filter((line) => line.startsWith("{") && line.includes('"requestId"'));
  const seen = new Set<string>();
  const firsts = new Set<string | undefined>();
  const found: string[] = [];
  for (const text of lines) {
    const line = JSON.parse(text) as Line;
    if (line.message === heldMainThread) {
      const { operation = "", requestId, mainThreadAloneMs: ms = 0 } = line;
      const boundMs = firsts.has(requestId) ? firstBoundMs : mainThreadBoundMs;
      if (ms > boundMs && !(operation in reasons)) found.push(`${operation}: ${ms} ms, request ${requestId}`);
    } else if (line.route !== undefined) {
      const kind = line.operation ?? `${line.method} ${line.route}`;
      if (!seen.has(kind)) firsts.add(line.requestId);
      seen.add(kind);
    }
  }
  return found;
}

/** @throws Error where a request held the main thread for too long */
export function requireShortRequests(log: string): void {
  const found = longRequests(log);
  if (found.length > 0)
    throw new Error(`held the main thread for more than ${mainThreadBoundMs} ms:\n${found.join("\n")}`);
}
