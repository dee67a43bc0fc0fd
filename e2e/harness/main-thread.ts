// No request may stop the others. Reads the log of an instance that a test has ended, and fails where a request held the
// main thread for longer than the bound, unless its operation is listed with a reason.
import { heldMainThread, mainThreadBoundMs } from "@plinth/contract/served-request";

/** Why an operation may hold the main thread for longer. */
const reasons: Readonly<Record<string, string>> = {
  health: "The first is asked while the process still starts, and is given what that takes",
};

/**
 * The machine of a test is shared by other tests: it takes up to four times the processor time, and work of no request (the
 * queue, collections of garbage, reads from memory) falls into the requests that wait. So a test proves work that
 * grows with its input, and the stress test `main-thread`, alone on its machine, the bound itself.
 */
export const testBoundMs = 10 * mainThreadBoundMs;
/** The first request of an operation loads and compiles its code, in ms of processor time. */
const firstBoundMs = 4 * testBoundMs;
/**
 * One request over the bound proves nothing: so many of an operation do, where they are at least this part of its requests,
 * or one that takes much longer.
 */
const proof = { requests: 3, part: 1 / 10, oneMs: 4 * testBoundMs } as const;

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
  const lines = log
    .split("\n")
    // A process that was killed may have left a part of a line.
    .slice(0, -1)
    .filter((line) => line.startsWith("{") && line.includes('"requestId"'))
    .map((line) => JSON.parse(line) as Line);
  // The warning follows the line of its request: several requests of one page have its identifier.
  const served = lines.flatMap((line, place) => {
    if (line.route === undefined) return [];
    const next = lines[place + 1];
    const isHeld = next?.message === heldMainThread && next.requestId === line.requestId;
    return [{ kind: kindOf(line), requestId: line.requestId, ms: isHeld ? (next.mainThreadAloneMs ?? 0) : 0 }];
  });
  const found: string[] = [];
  for (const [operation, requests] of Map.groupBy(served, ({ kind }) => kind)) {
    if (operation in reasons) continue;
    const [first, ...rest] = requests;
    const over = rest.filter(({ ms }) => ms > testBoundMs);
    const isProven =
      over.some(({ ms }) => ms > proof.oneMs) ||
      (over.length >= proof.requests && over.length >= requests.length * proof.part);
    const long = [...(first !== undefined && first.ms > firstBoundMs ? [first] : []), ...(isProven ? over : [])];
    found.push(...long.map(({ requestId, ms }) => `${operation}: ${ms} ms, request ${requestId}`));
  }
  return found;
}

const kindOf = ({ operation, method, route }: Line): string => operation ?? `${method} ${route}`;

/** @throws Error where a request held the main thread for too long */
export function requireShortRequests(log: string): void {
  const found = longRequests(log);
  if (found.length > 0) throw new Error(`held the main thread for more than ${testBoundMs} ms:\n${found.join("\n")}`);
}
