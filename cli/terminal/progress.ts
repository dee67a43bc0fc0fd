// The output on standard error while a command works: messages, a status line that is overwritten, and a spinner while
// a request waits. Knows no command.
import type { Io } from "../io/io.ts";
import { clearLine, withoutControls, oneLine } from "./style.ts";
import { cut } from "./width.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** Milliseconds: an answer that comes sooner needs no sign. */
export const spinnerDelay = 300;
const frameInterval = 100;

/** Calls after so many milliseconds, again and again; what it gives back ends that. */
export type Every = (milliseconds: number, call: () => void) => () => void;

/** The same Io with a spinner while its fetch waits; unchanged where a spinner cannot be seen or is not wanted. */
export function withSpinner(io: Io, quiet: boolean, every: Every = everyTick): Io {
  const { env, stderr } = io;
  if (quiet || !stderr.isTerminal || env["NO_COLOR"] || env["TERM"] === "dumb" || env["CI"]) return io;
  let isOver = false;
  let isShown = false;
  let waiting = 0;
  const hide = async () => {
    if (isShown) await stderr.write(clearLine);
    isShown = false;
  };
  async function fetchWithSign(request: Request, init?: RequestInit): Promise<Response> {
    const { host } = new URL(request.url);
    let ticks = 0;
    waiting++;
    const end = every(frameInterval, () => {
      ticks++;
      if (isOver || ticks * frameInterval < spinnerDelay) return;
      isShown = true;
      void stderr.write(`${clearLine}${frames[ticks % frames.length]} Waiting for ${host}`);
    });
    try {
      return await io.fetch(request, init);
    } finally {
      end();
      waiting--;
      if (waiting === 0) await hide();
    }
  }
  return {
    ...io,
    fetch: fetchWithSign,
    stderr: {
      isTerminal: stderr.isTerminal,
      columns: stderr.columns,
      write: async (data) => {
        isOver = true;
        await hide();
        return stderr.write(data);
      },
    },
  };
}

const everyTick: Every = (milliseconds, call) => {
  const timer = setInterval(call, milliseconds);
  // It keeps no process alive.
  timer.unref();
  return () => clearInterval(timer);
};

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
      void stderr.write(`${isShown ? clearLine : ""}${withoutControls(message)}\n`);
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
