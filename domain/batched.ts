// Work that arrives together is done together: what comes in one tick, and while as many batches as may be are under
// way, shares a batch. Knows nothing of what is done.

interface BatchOptions<Request, Result> {
  /** Does a batch: a result, or the promise of one, for each request in their order. What it throws each hears. */
  readonly work: (requests: readonly Request[]) => Promise<readonly (Result | Promise<Result>)[]>;
  /** Batches under way at once. */
  readonly underWayAtOnce: number;
  /** Requests in one batch. */
  readonly most: number;
}

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a function that does one request, in a batch with those that come beside it. */
export function batched<Request, Result>(
  options: BatchOptions<Request, Result>,
): (request: Request) => Promise<Result> {
  const { work, underWayAtOnce, most } = options;
  const waiting: Waiting<Request, Result>[] = [];
  let underWay = 0;
  let scheduled = false;

  async function send(): Promise<void> {
    scheduled = false;
    const batch = waiting.splice(0, most);
    underWay++;
    try {
      const results = await work(batch.map(({ request }) => request));
      for (const [n, { resolve, reject }] of batch.entries()) {
        const result = results[n];
        if (result === undefined) reject(new Error("a batch left out a request"));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay--;
      schedule();
    }
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0 || underWay >= underWayAtOnce) return;
    scheduled = true;
    setImmediate(() => void send());
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      schedule();
    });
}
