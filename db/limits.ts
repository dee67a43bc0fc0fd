// The limits of a statement: how long PostgreSQL works on it, and how long the process waits for an answer. The
// settings are start-up parameters of the connection, so that no statement is sent for them.

export interface Limits {
  /** The server's limit, in ms; 0 is no limit. */
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
  /** The process's limit, longer than the server's: it only applies to a server that answers nothing. */
  readonly deadlineMs: number;
}

const minute = 60_000;

export const limits = {
  requests: { statementMs: 10_000, lockMs: 5000, idleInTransactionMs: minute, deadlineMs: 12_000 },
  jobs: { statementMs: 5 * minute, lockMs: 30_000, idleInTransactionMs: 5 * minute, deadlineMs: 6 * minute },
  /** The doctor and a restore take time in proportion to the data. */
  tools: { statementMs: 0, lockMs: minute, idleInTransactionMs: 0, deadlineMs: Infinity },
} as const satisfies Record<string, Limits>;

export const startupSettings = (name: string, { statementMs, lockMs, idleInTransactionMs }: Limits) => ({
  application_name: name,
  // Each connection plans a statement once, not for each request (docs/decisions/database.md, "Generic plans").
  plan_cache_mode: "force_generic_plan",
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
});
