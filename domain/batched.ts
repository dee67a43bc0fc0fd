// Batching: requests of one tick, and those that arrive while a batch is in progress, share the next batch, because a
// batch costs little more than one request. Knows nothing of the work itself.
import { unbound, waitFor } from "@plinth/db/waiting";

interface BatchOptions<Request, Result> {
  /** Does a batch: returns a result, or its promise, for each request in order. An error rejects all its requests. */
  readonly work: (requests: readonly Request[]) => Promise<readonly (Result | Promise<Result>)[]>;
  /** Waiting requests with the same name become one request. Without it, each request is separate. */
  readonly nameOf?: (request: Request) => string;
  /** The most batches in progress. */
  readonly underWayAtOnce: number;
  /** The most requests in one batch. */
  readonly most: number;
  /** From this many waiting, a batch starts beside one in progress; fewer wait until that is done or late. Default 1. */
  readonly worthwhile?: number;
  /** After this time the next batch does not wait for this one: one slow request must not hold up the rest. */
  readonly lateAfterMs?: number;
}

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly name: string | undefined;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** Returns a function that does one request in a batch. */
export function batched<Request, Result>(
  options: BatchOptions<Request, Result>,
): (request: Request) => Promise<Result> {
  const { work, nameOf, underWayAtOnce, most, worthwhile = 1, lateAfterMs = 5 } = options;
  const waiting: Waiting<Request, Result>[] = [];
  const byName = new Map<string, Promise<Result>>();
  let underWay = 0;
  /** The late ones of those in progress. */
  let late = 0;
  let scheduled = false;

  async function send(): Promise<void> {
    scheduled = false;
    const batch = waiting.splice(0, most);
    for (const { name } of batch) if (name !== undefined) byName.delete(name);
    underWay++;
    schedule();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late++;
      schedule();
    }, lateAfterMs);
    try {
      const results = await work(batch.map(({ request }) => request));
      batch.forEach(({ resolve, reject }, n) => {
        const result = results[n];
        if (result === undefined) reject(new Error("a batch left out a request"));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      clearTimeout(timer);
      if (isLate) late--;
      underWay--;
      schedule();
    }
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0 || underWay >= underWayAtOnce) return;
    if (underWay > late && waiting.length < worthwhile) return;
    scheduled = true;
    // The deadline of one request must not bound the whole batch.
    setImmediate(() => unbound(() => void send()));
  }

  return (request) => {
    const name = nameOf?.(request);
    const same = name === undefined ? undefined : byName.get(name);
    if (same !== undefined) return waitFor(same);
    const result = new Promise<Result>((resolve, reject) => {
      waiting.push({ request, name, resolve, reject });
      schedule();
    });
    if (name !== undefined) byName.set(name, result);
    return waitFor(result);
  };
}
