// What standard error says while a command works: lines that stay, and on a terminal one line that is written over.
import type { Io } from "../io/io.ts";
import { clearLine, harmless, oneLine } from "./style.ts";
import { cut } from "./width.ts";

export interface Progress {
  readonly line: (message: string) => void;
  /** Empty takes the line away. */
  readonly status: (message: string) => void;
}

/** Says nothing at all where it is to be quiet. */
export function createProgress({ stderr, env }: Pick<Io, "stderr" | "env">, quiet: boolean): Progress {
  const canWriteOver = stderr.isTerminal && env["TERM"] !== "dumb";
  let isShown = false;
  return {
    line(message) {
      if (quiet) return;
      void stderr.write(`${isShown ? clearLine : ""}${harmless(message)}\n`);
      isShown = false;
    },
    status(message) {
      if (quiet || !canWriteOver || (message === "" && !isShown)) return;
      // One column is left free: a full line would move on to the next.
      void stderr.write(`${clearLine}${cut(oneLine(message), stderr.columns - 1)}`);
      isShown = message !== "";
    },
  };
}
