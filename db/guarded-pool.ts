// A pool whose callers wait until a deadline at most. The server's own timeouts end slow statements; the deadline ends
// the wait for a server that answers nothing. No caller gets a connection with an unread answer: the driver reads
// answers in order, and the pool closes the connections of a silent server.
import type { SQL, TransactionSQL } from "bun";

import { currentWait } from "./waiting.ts";

// The errors for a PostgreSQL that does not answer in time. PostgreSQL may still carry out the statement.

/** The statement took longer than its caller waits. */
export class DatabaseTimeout extends Error {
  override readonly name = "DatabaseTimeout";
}

/** PostgreSQL has stopped answering on every connection. Nothing is sent until it answers again. */
export class DatabaseSilent extends Error {
  override readonly name = "DatabaseSilent";
}

/** The driver's promise for a statement. */
interface Asked<Result> extends PromiseLike<Result> {
  /** True once the driver has sent the statement to the server. */
  readonly active?: boolean;
  cancel?(): unknown;
}

interface Pending {
  readonly startedAt: number;
  readonly deadlineAt: number;
  readonly asked: Asked<unknown>;
  readonly reject: (error: Error) => void;
}

export interface GuardedPool {
  /** The connections in use; replaced after the server was silent. */
  readonly pool: SQL;
  /** Waits for the answer until the deadline. @throws DatabaseTimeout, DatabaseSilent */
  wait<Result>(ask: (pool: SQL) => Asked<Result>): Promise<Result>;
  close(timeoutSeconds: number): Promise<void>;
}

interface GuardOptions {
  readonly open: () => SQL;
  readonly deadlineMs: number;
}

const lookEveryMs = 200;
/** The server has this long to end a statement whose caller no longer waits; then the pool closes the connection. */
const graceMs = 3000;
/** The interval between attempts to reach a silent server, and the timeout of each. */
const probe = { everyMs: 250, atMostMs: 2000 };

export function guardPool({ open, deadlineMs }: GuardOptions): GuardedPool {
  let pool = open();
  let lastAnswerAt = 0;
  let isSilent = false;
  let isClosed = false;
  let timer: ReturnType<typeof setInterval> | null = null;
  const pending = new Set<Pending>();
  /** Statements that were sent, have no answer, and whose callers have been told that they failed. */
  const abandoned = new Set<Pending>();

  function wait<Result>(ask: (pool: SQL) => Asked<Result>): Promise<Result> {
    if (isSilent) return Promise.reject(new DatabaseSilent("PostgreSQL does not answer"));
    const startedAt = performance.now();
    const request = currentWait();
    const ms = Math.min(deadlineMs, request?.leftMs(startedAt) ?? Infinity);
    if (ms <= 0) return Promise.reject(new DatabaseTimeout("the request has waited too long for PostgreSQL"));
    const asked = ask(pool);
    const askedOf = pool;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const one: Pending = { startedAt, deadlineAt: startedAt + ms, asked, reject };
    pending.add(one);
    timer ??= setInterval(look, lookEveryMs);
    request?.begin(startedAt);
    const settle = (isAnswer: boolean) => {
      pending.delete(one);
      abandoned.delete(one);
      const now = performance.now();
      if (isAnswer && askedOf === pool) lastAnswerAt = now;
      request?.end(now);
    };
    asked.then(
      (result) => {
        settle(true);
        resolve(result);
      },
      (error: unknown) => {
        settle(isServersOwn(error));
        reject(error);
      },
    );
    return promise;
  }

  function look(): void {
    const now = performance.now();
    if (now - Math.max(lastAnswerAt, oldestSent() ?? now) >= deadlineMs) return goSilent();
    for (const one of pending) {
      if (one.deadlineAt > now) continue;
      pending.delete(one);
      if (one.asked.active === true) abandoned.add(one);
      else one.asked.cancel?.();
      one.reject(new DatabaseTimeout("PostgreSQL did not answer in time"));
    }
    for (const { startedAt } of abandoned)
      if (now - startedAt > deadlineMs + graceMs) return replacePool(graceMs / 1000);
    if (pending.size > 0 || abandoned.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  /**
   * When the oldest unanswered statement was sent. A statement that waits for a connection says nothing about the
   * server.
   */
  function oldestSent(): number | undefined {
    let oldest: number | undefined;
    for (const { asked, startedAt } of [...abandoned, ...pending])
      if (asked.active === true && startedAt < (oldest ?? Infinity)) oldest = startedAt;
    return oldest;
  }

  function replacePool(timeoutSeconds: number): void {
    const old = pool;
    pool = open();
    abandoned.clear();
    // Callers must receive the reason for the missing answer before the error of a closed connection.
    setImmediate(() => void old.close({ timeout: timeoutSeconds }).catch(() => undefined));
  }

  function goSilent(): void {
    isSilent = true;
    const callers = [...pending];
    pending.clear();
    for (const { reject } of callers) reject(new DatabaseSilent("PostgreSQL does not answer"));
    replacePool(0);
    void untilAnswers();
  }

  async function untilAnswers(): Promise<void> {
    while (!isClosed && !(await answers())) {
      if (!isClosed) replacePool(0);
      await Bun.sleep(probe.everyMs);
    }
    isSilent = false;
  }

  async function answers(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const late = setTimeout(() => resolve(false), probe.atMostMs);
    pool.unsafe("SELECT 1").then(
      () => resolve(true),
      () => resolve(false),
    );
    return promise.finally(() => clearTimeout(late));
  }

  return {
    get pool() {
      return pool;
    },
    wait,
    async close(timeoutSeconds) {
      isClosed = true;
      if (timer !== null) clearInterval(timer);
      await pool.close({ timeout: isSilent ? 0 : timeoutSeconds });
    },
  };
}

/** Whether the server reported the error, rather than the driver of a lost or failed connection. */
const isServersOwn = (error: unknown): boolean =>
  error instanceof Error && typeof (error as { errno?: unknown }).errno === "string";

// A transaction of a guarded pool: each statement, BEGIN and COMMIT have the deadline. The work between statements has
// none.

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
