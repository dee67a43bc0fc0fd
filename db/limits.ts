// How long PostgreSQL works for a connection, and how long the process waits for an answer. The settings go with the
// connection's start, so that no statement is sent for them.

export interface Limits {
  /** Of the server, in ms; 0 is none. */
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
  /** Of this process, longer than the server's: only a server that answers nothing is met by it. */
  readonly deadlineMs: number;
}

const minute = 60_000;

export const limits = {
  requests: { statementMs: 10_000, lockMs: 5000, idleInTransactionMs: minute, deadlineMs: 12_000 },
  jobs: { statementMs: 5 * minute, lockMs: 30_000, idleInTransactionMs: 5 * minute, deadlineMs: 6 * minute },
  /** The doctor, a restore: they take as long as the data is large. */
  tools: { statementMs: 0, lockMs: minute, idleInTransactionMs: 0, deadlineMs: Infinity },
} as const satisfies Record<string, Limits>;

export const startupSettings = (name: string, { statementMs, lockMs, idleInTransactionMs }: Limits) => ({
  application_name: name,
  // A statement is planned once for each connection, not for each request (docs/decisions/database.md, "Generic
  // plans").
  plan_cache_mode: "force_generic_plan",
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
});
