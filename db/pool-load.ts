// Counts the load of a connection pool, because the driver does not report it.
import type { SQL } from "bun";

import type { GuardedPool } from "./guarded-pool.ts";

export interface PoolLoad {
  /** The most connections. */
  readonly size: number;
  /** Statements and transactions in progress. */
  readonly in_use: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

export interface LoadCount {
  /** Counts the work until it settles. */
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

/** The pool as Drizzle uses it outside a transaction, counted and guarded. */
export function counted(guard: GuardedPool, count: LoadCount): SQL {
  const unsafe = (text: string, parameters?: unknown[]) => {
    // A driver's query starts at its first `then`; the form of its result is chosen before that.
    const ask = () => guard.wait((pool) => pool.unsafe(text, parameters));
    return {
      values: () => count.during(guard.wait((pool) => pool.unsafe(text, parameters).values())),
      // oxlint-disable-next-line unicorn/no-thenable -- it stands for the driver's query, which is one
      then: (...callbacks: Parameters<Promise<unknown>["then"]>) => count.during(ask()).then(...callbacks),
    };
  };
  return new Proxy(guard.pool, {
    get: (_, name) => (name === "unsafe" ? unsafe : Reflect.get(guard.pool, name, guard.pool)),
  });
}
