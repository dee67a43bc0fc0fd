// The connection to PostgreSQL: Drizzle for ordinary queries, prepared text for the hot statements, and one way to open
// a transaction. It counts statements, so that tests can limit the number on hot paths.
import { SQL, type TransactionSQL } from "bun";
import type { Logger } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sql";

import { beginGuarded, guarded, type GuardedPool, guardPool } from "./guarded-pool.ts";
import { limits, startupSettings, type Limits } from "./limits.ts";
import type { ObjectStore } from "./object-store.ts";

// Counts the load of a connection pool, because the driver does not report it.
interface PoolLoad {
  /** The most connections. */
  readonly size: number;
  /** Statements and transactions in progress. */
  readonly in_use: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

interface LoadCount {
  /** Counts the work until it settles. */
  during<Result>(work: PromiseLike<Result>): Promise<Result>;
  readonly load: () => PoolLoad;
}

function countLoad(size: number): LoadCount {
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
function counted(guard: GuardedPool, count: LoadCount): SQL {
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

type Orm = ReturnType<typeof openOrm>;

/** A pool, or the one connection of a transaction. A handler can't tell which. */
export interface Database {
  readonly orm: Orm;
  /** Runs one prepared statement. The text must be constant, or plans accumulate on the server. */
  run<Row>(statement: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs `work` in one transaction and rolls it back when `work` throws. Inside a transaction it is a savepoint, so
   * that a caller that catches the error can send further statements.
   */
  transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result>;
  readonly statements: StatementCount;
  /** Has the contents that are not in the database; null where all are. */
  readonly objects: ObjectStore | null;
}

export interface Connection extends Database {
  readonly pool: SQL;
  /** How busy the connections are. */
  load(): PoolLoad;
  close(): Promise<void>;
}

class StatementCount implements Logger {
  total = 0;
  logQuery(statement: string, parameters: readonly unknown[]): void {
    this.total++;
    if (logsStatements) console.error(statementLine(statement, parameters));
  }
}

/** For development only: parameters contain text that people wrote. */
const logsStatements = process.env["LOG_SQL"] === "1";
/** The characters of a parameter that are logged. */
const loggedLength = 80;

function statementLine(statement: string, parameters: readonly unknown[]): string {
  const values = parameters.map((value) => Bun.inspect(value).replaceAll(/\s+/g, " ").slice(0, loggedLength));
  return `sql: ${statement.replaceAll(/\s+/g, " ").trim()}${values.length > 0 ? ` [${values.join(", ")}]` : ""}`;
}

const openOrm = (client: SQL, logger: Logger) => drizzle({ client, logger, casing: "snake_case" });

interface ConnectOptions {
  readonly url: string;
  /** The most connections of the pool. */
  readonly max?: number;
  /** The name of the connections in pg_stat_activity. */
  readonly name?: string;
  /** The limits of requests unless given. */
  readonly limits?: Limits;
  /** Seconds after which an unused connection is closed; unlimited unless given. */
  readonly idleSeconds?: number;
  readonly objects?: ObjectStore | null;
  /** Called after each connection has opened. */
  readonly onOpen?: () => void;
}

/** Opens a pool. Connections are opened on first use. */
export function connect({
  url,
  max = 16,
  name = "plinth",
  limits: given = limits.requests,
  idleSeconds = 0,
  objects = null,
  onOpen = () => undefined,
}: ConnectOptions): Connection {
  const connection = startupSettings(name, given);
  const open = () =>
    new SQL(url, { max, idleTimeout: idleSeconds, connectionTimeout: 3, connection, onconnect: () => onOpen() });
  const guard = guardPool({ open, deadlineMs: given.deadlineMs });
  const statements = new StatementCount();
  const count = countLoad(max);
  const { orm, run } = database(counted(guard, count), { statements, objects });
  return {
    orm,
    run,
    statements,
    objects,
    get pool() {
      return guard.pool;
    },
    load: count.load,
    transaction: (work) =>
      count.during(
        beginGuarded(guard, (tx) => work(inTransaction(guarded(tx, guard), { statements, objects }, guard))),
      ),
    close: () => guard.close(5),
  };
}

/** What a transaction shares with its connection. */
type Shared = Pick<Database, "statements" | "objects">;

function inTransaction(tx: TransactionSQL, shared: Shared, guard: GuardedPool): Database {
  return {
    ...database(tx, shared),
    transaction: (work) => tx.savepoint((inner) => work(inSavepoint(guarded(inner, guard), shared))) as Promise<never>,
  };
}

function inSavepoint(inner: SQL, shared: Shared): Database {
  const joined: Database = { ...database(inner, shared), transaction: (work) => work(joined) };
  return joined;
}

function database(client: SQL, { statements, objects }: Shared) {
  let orm: Orm | undefined;
  return {
    get orm() {
      return (orm ??= openOrm(client, statements));
    },
    run: async <Row>(statement: string, parameters: readonly unknown[] = []): Promise<Row[]> => {
      statements.logQuery(statement, parameters);
      return (await client.unsafe(statement, [...parameters])) as Row[];
    },
    statements,
    objects,
  };
}

/** The SQLSTATE of an error from the driver, also inside Drizzle's wrapper; null for any other error. */
export function sqlState(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { errno } = cause as { errno?: unknown };
    if (typeof errno === "string" && /^[0-9A-Z]{5}$/.test(errno)) return errno;
  }
  return null;
}

/** The constraint that an error of class 23 names; null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { constraint } = cause as { constraint?: unknown };
    if (typeof constraint === "string") return constraint;
  }
  return null;
}
