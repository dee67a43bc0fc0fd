// How a process begins and ends, whatever its parts: the environment, what is to be undone, one line where the start
// fails, an orderly end when told to. Must not know what the parts are.
import { logFault } from "@plinth/api/log";
import { log } from "@plinth/contract/log";
import { writeLog } from "@plinth/domain/telemetry-log";

import { readEnvironment, type Environment, type ProcessKind } from "./environment.ts";
import { onShutdown } from "./shutdown.ts";

export interface Start {
  readonly environment: Environment;
  readonly kind: ProcessKind;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** Says how to undo what was just begun: in reverse, when the process is told to end or starting fails halfway. */
  readonly undo: (step: () => unknown) => void;
  /** Tells whoever hosts it one thing, on standard error. */
  readonly say: (line: string) => void;
  /** Hears of faults that no request is answered with. */
  readonly fault: (error: unknown) => void;
}

interface Begun {
  /** What to say now that the process serves; lines. */
  readonly ready: string;
  /** Settles when something ends that the process can't go on without. */
  readonly exited?: Promise<unknown>;
}

/** Begins a process of a kind. Where that fails, exits with 1 and one line. */
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

/** One step that fails keeps no other from being undone. */
async function unwind(steps: (() => unknown)[]): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      await step();
    } catch (error) {
      logFault(error, "shutdown");
    }
  }
}
