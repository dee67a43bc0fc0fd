// Waits for a PostgreSQL that is not there yet: what starts together comes up in no order. Says so once, and once again
// when it is there.
import { sqlState, type Connection } from "@plinth/db/connection";

interface Patience {
  /** Between tries, in ms. */
  readonly everyMs: number;
  /** After this it has failed, in ms. */
  readonly atMostMs: number;
}

const usual: Patience = { everyMs: 500, atMostMs: 60_000 };

/**
 * Resolves when the database answers. `say` hears a line at each change.
 * @throws Error one line, at once where waiting helps nothing (a wrong password), else after a minute
 */
export async function awaitDatabase(
  connection: Pick<Connection, "run">,
  name: string,
  say: (line: string) => void,
  { everyMs, atMostMs }: Patience = usual,
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

/** Connections (08), resources (53) and a server that starts or stops (57P); whatever has no state never got that far. */
function mayPass(failure: unknown): boolean {
  const state = sqlState(failure);
  return state === null || /^(?:08|53|57P)/.test(state);
}

/** One line, and nothing of the address's password: the drivers say none. */
const reasonOf = (failure: unknown): string =>
  (failure instanceof Error ? failure.message : String(failure)).replaceAll(/\s+/g, " ").trim();
