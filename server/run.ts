// Starts and stops any process: the environment, the shutdown steps, one line where the start fails, and an orderly
// end. It must not know the services.
import { logFault } from "@plinth/api/log";
import { log } from "@plinth/platform/log";
import { writeLog } from "@plinth/domain/telemetry-log";

import { readEnvironment, type Environment, type ProcessKind } from "./environment.ts";

// When and how the process ends: in order on SIGINT and SIGTERM, at once on a second signal, and with a clear line when
// the embedded database ends.

/** A signal to a process group arrives here in several ways. */
const sameSignalMs = 1000;

/** The shutdown's time limit, even where the database does not answer, in ms. */
const timeoutMs = 9000;

/** Calls `end` once and exits: 0 after a signal, 1 when the database ended unasked. */
function onShutdown(end: () => Promise<void>, databaseExited?: Promise<unknown>): void {
  let toldAt: number | null = null;

  const finish = async (code: number): Promise<void> => {
    const ended = end().then(
      () => code,
      () => 1,
    );
    process.exit(await Promise.race([ended, Bun.sleep(timeoutMs).then(() => 1)]));
  };

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (toldAt === null) {
        toldAt = performance.now();
        void finish(0);
      } else if (performance.now() - toldAt > sameSignalMs) {
        process.exit(130);
      }
    });
  }

  void databaseExited?.then(() => {
    if (toldAt !== null) return;
    toldAt = performance.now();
    process.stderr.write("plinth: the embedded PostgreSQL has ended. Start Plinth again; its log is in DATA_DIR.\n");
    void finish(1);
  });
}

export interface Start {
  readonly environment: Environment;
  readonly kind: ProcessKind;
  /** In the time of `performance.now()`. */
  readonly startedAt: number;
  /**
   * Registers a step that undoes the last one. The steps run in reverse order, at shutdown or when the start fails
   * halfway.
   */
  readonly undo: (step: () => unknown) => void;
  /** Writes one message to the operator, on standard error. */
  readonly say: (line: string) => void;
  /** Receives errors that belong to no request. */
  readonly fault: (error: unknown) => void;
}

interface Begun {
  /** The message once the process serves; lines. */
  readonly ready: string;
  /** Settles when a service ends that the process requires. */
  readonly exited?: Promise<unknown>;
}

/** Starts a process of a kind. Where that fails, it exits with 1 and one line. */
export async function run(kind: ProcessKind, begin: (start: Start) => Promise<Begun>): Promise<void> {
  const startedAt = performance.now();
  const steps: (() => unknown)[] = [];
  const say = (line: string) => void process.stderr.write(`plinth: ${line}\n`);
  try {
    const environment = readEnvironment(process.env, kind);
    log.configure(environment.log);
    steps.push(writeLog());
    const { ready, exited } = await begin({
      environment,
      kind,
      startedAt,
      undo: (step) => void steps.push(step),
      say,
      fault: (error) => logFault(error, "background"),
    });
    process.stderr.write(ready);
    onShutdown(() => unwind(steps), exited);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    await unwind(steps);
    process.exit(1);
  }
}

/** A step that fails does not prevent the others. */
async function unwind(steps: (() => unknown)[]): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      await step();
    } catch (error) {
      logFault(error, "shutdown");
    }
  }
}
