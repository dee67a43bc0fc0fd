// A transaction of a guarded pool: each statement, BEGIN and COMMIT have the deadline. The work between statements has
// none.
import type { SQL, TransactionSQL } from "bun";

import type { GuardedPool } from "./guarded-pool.ts";
import { DatabaseSilent, DatabaseTimeout } from "./silent.ts";
import { currentWait } from "./waiting.ts";

/**
 * Runs `work` in a transaction. Where the server does not answer, the caller gets the error at once, not after a
 * rollback that remains unanswered too.
 */
export function beginGuarded<Result>(
  guard: GuardedPool,
  work: (tx: TransactionSQL) => Promise<Result>,
): Promise<Result> {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Result>();
  let isAbandoned = false;
  let isEnding = false;
  const abandon = (error: unknown) => {
    isAbandoned = true;
    ended.reject(error);
  };
  const start = (pool: SQL) => {
    const transaction = pool.begin(async (tx) => {
      begun.resolve();
      if (isAbandoned) throw new DatabaseTimeout("the caller no longer waits for the transaction");
      try {
        const result = await work(tx);
        // The caller is going to get a timeout error, so the transaction must not commit.
        if ((currentWait()?.leftMs(performance.now()) ?? 1) <= 0)
          throw new DatabaseTimeout("the request has waited too long for PostgreSQL");
        return result;
      } catch (error) {
        if (error instanceof DatabaseTimeout || error instanceof DatabaseSilent) abandon(error);
        throw error;
      } finally {
        isEnding = true;
        if (!isAbandoned) guard.wait(() => ending(transaction)).catch(abandon);
      }
    }) as Promise<Result>;
    transaction.then(ended.resolve, (error: unknown) => {
      begun.reject(error);
      ended.reject(error);
    });
    return begun.promise;
  };
  /** COMMIT or ROLLBACK, which were sent. */
  const ending = (transaction: Promise<Result>) => ({
    active: isEnding,
    // oxlint-disable-next-line unicorn/no-thenable -- it stands for the end of the driver's transaction
    then: transaction.then.bind(transaction),
  });
  guard.wait(start).catch(abandon);
  return ended.promise;
}

/** Wraps the connection of a transaction, so that its statements have the deadline. */
export function guarded<Client extends SQL>(client: Client, guard: GuardedPool): Client {
  const unsafe = (text: string, parameters?: unknown[]) => ({
    values: () => guard.wait(() => client.unsafe(text, parameters).values()),
    // oxlint-disable-next-line unicorn/no-thenable -- it stands for the driver's query, which is one
    then: (...callbacks: Parameters<Promise<unknown>["then"]>) =>
      guard.wait(() => client.unsafe(text, parameters)).then(...callbacks),
  });
  return new Proxy(client, {
    get: (_, name) => (name === "unsafe" ? unsafe : Reflect.get(client, name, client)),
  });
}
