// How busy a pool of connections is: counted here, since the driver does not say. Knows no statement.
import type { SQL } from "bun";

import type { GuardedPool } from "./guarded-pool.ts";

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

/** The pool as Drizzle asks it outside a transaction, counted and guarded. */
export function counted(guard: GuardedPool, count: LoadCount): SQL {
  const unsafe = (text: string, parameters?: unknown[]) => {
    // A query of the driver's begins when it is first waited for, and is told before that in which form it answers.
    const ask = () => guard.wait((pool) => pool.unsafe(text, parameters));
    return {
      values: () => count.during(guard.wait((pool) => pool.unsafe(text, parameters).values())),
      // oxlint-disable-next-line unicorn/no-thenable -- it stands for the driver's query, which is one
      then: (...heard: Parameters<Promise<unknown>["then"]>) => count.during(ask()).then(...heard),
    };
  };
  return new Proxy(guard.pool, {
    get: (_, name) => (name === "unsafe" ? unsafe : Reflect.get(guard.pool, name, guard.pool)),
  });
}
