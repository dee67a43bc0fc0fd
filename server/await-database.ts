// Waits for a PostgreSQL that has not started yet, because services that start together come up in any order. It
// reports once that it waits, and once that the database answers.
import { sqlState, type Connection } from "@plinth/db/connection";

interface RetryPolicy {
  /** Between attempts, in ms. */
  readonly everyMs: number;
  /** The time limit, in ms. */
  readonly atMostMs: number;
}

const usual: RetryPolicy = { everyMs: 500, atMostMs: 60_000 };

/**
 * Resolves when the database answers. `say` receives a line at each change. @throws Error one line, at once where
 * waiting cannot help (a wrong password), else after a minute
 */
export async function awaitDatabase(
  connection: Pick<Connection, "run">,
  name: string,
  say: (line: string) => void,
  { everyMs, atMostMs }: RetryPolicy = usual,
): Promise<void> {
  const startedAt = performance.now();
  let hasWaited = false;
  for (;;) {
    const failure = await connection.run("SELECT 1").then(
      () => null,
      (error: unknown) => error,
    );
    if (failure === null) break;
    const reason = reasonOf(failure);
    if (!mayPass(failure)) throw new Error(`${name} refuses: ${reason}`, { cause: failure });
    if (performance.now() - startedAt > atMostMs)
      throw new Error(`${name} did not answer within ${atMostMs / 1000} s: ${reason}`, { cause: failure });
    if (!hasWaited) say(`Waiting for ${name}: ${reason}`);
    hasWaited = true;
    await Bun.sleep(everyMs);
  }
  if (hasWaited) say(`${name} answers.`);
}

/**
 * Connections (08), resources (53) and a server that starts or stops (57P). An error without an SQLSTATE never reached
 * the server.
 */
function mayPass(failure: unknown): boolean {
  const state = sqlState(failure);
  return state === null || /^(?:08|53|57P)/.test(state);
}

/** One line without the URL's password, which the drivers never print. */
const reasonOf = (failure: unknown): string =>
  (failure instanceof Error ? failure.message : String(failure)).replaceAll(/\s+/g, " ").trim();
