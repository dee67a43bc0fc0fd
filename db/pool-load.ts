// How busy a pool of connections is: counted here, since the driver does not say. Knows no statement.
import type { SQL } from "bun";

export interface PoolLoad {
  /** Connections there may be. */
  readonly size: number;
  /** Statements and transactions under way on one. */
  readonly in_use: number;
  /** Those that wait for one. */
  readonly waiting: number;
}

export interface LoadCount {
  /** Counts the work until it has ended. */
  during<Result>(work: PromiseLike<Result>): Promise<Result>;
  readonly load: () => PoolLoad;
}

export function countLoad(size: number): LoadCount {
  let taken = 0;
  return {
    async during(work) {
      taken++;
      try {
        return await work;
      } finally {
        taken--;
      }
    },
    load: () => ({ size, in_use: Math.min(taken, size), waiting: Math.max(0, taken - size) }),
  };
}

/** The pool as Drizzle asks it outside a transaction, counted. */
export function counted(pool: SQL, count: LoadCount): SQL {
  const unsafe = (text: string, parameters?: unknown[]) => {
    const query = pool.unsafe(text, parameters);
    // A query of the driver's begins when it is first waited for, and is told before that in which form it answers.
    return {
      values: () => count.during(query.values()),
      // oxlint-disable-next-line unicorn/no-thenable -- it stands for the driver's query, which is one
      then: (...heard: Parameters<Promise<unknown>["then"]>) => count.during(query).then(...heard),
    };
  };
  return new Proxy(pool, { get: (target, name) => (name === "unsafe" ? unsafe : Reflect.get(target, name, target)) });
}
