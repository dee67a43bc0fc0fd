// Work that arrives together is done together: what comes in one tick, and while a batch is under way, shares the next,
// since a batch costs nearly what one request alone does. Knows nothing of what is done.
import { unbound, waitFor } from "@plinth/db/waiting";

interface BatchOptions<Request, Result> {
  /** Does a batch: a result, or the promise of one, for each request in their order. What it throws each hears. */
  readonly work: (requests: readonly Request[]) => Promise<readonly (Result | Promise<Result>)[]>;
  /** Requests of one name that wait for the same batch are one request of it; each is its own unless given. */
  readonly nameOf?: (request: Request) => string;
  /** Batches under way at once. */
  readonly underWayAtOnce: number;
  /** Requests in one batch. */
  readonly most: number;
  /** Where so many wait, they go beside a batch that is under way; fewer wait until it is back, or late. One unless given. */
  readonly worthwhile?: number;
  /** What a batch may take before nobody waits for it any more: one slow request must not hold up the rest. */
  readonly lateAfterMs?: number;
}

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly name: string | undefined;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a function that does one request, in a batch with those that come beside it. */
export function batched<Request, Result>(
  options: BatchOptions<Request, Result>,
): (request: Request) => Promise<Result> {
  const { work, nameOf, underWayAtOnce, most, worthwhile = 1, lateAfterMs = 5 } = options;
  const waiting: Waiting<Request, Result>[] = [];
  const byName = new Map<string, Promise<Result>>();
  let underWay = 0;
  /** Of those under way. */
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
    // No request bounds what others wait for with it.
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
