// The real process as the command line's Io.
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { isatty } from "node:tty";

import { OutputFailure, codeOf } from "../failure/system-error.ts";
import { collect, type BoundedBytes } from "../files/bounded-read.ts";
import { needsOwnFetch } from "../network/needs-own-fetch.ts";
import type { Io, OutputStream } from "./io.ts";

/** The real streams, environment and network of this process. */
export function processIo(): Io {
  return {
    env: process.env,
    directory: process.cwd(),
    stdout: standardOutput(),
    stderr: standardError(),
    stdin: { isTerminal: isatty(0), read: readStandardInput },
    fetch: processFetch(process.env),
    sleep: (duration, signal) => setTimeout(duration, undefined, { ...(signal && { signal }) }),
    onInterrupt: (listener) => {
      process.once("SIGINT", listener);
    },
    platform: process.platform,
    program: { script: process.argv[1] ?? "", executable: process.execPath },
    hostName: hostname(),
    ask: async (question) => {
      const { ask } = await import("./ask.ts");
      return ask(question);
    },
    runEditor: async (editor, path) => {
      const { runEditor } = await import("./editor.ts");
      return runEditor(editor, path);
    },
    openBrowser: async (address) => {
      const { openBrowser } = await import("./open-browser.ts");
      return openBrowser(address, process.platform);
    },
  };
}

function stream(
  target: NodeJS.WriteStream,
  descriptor: number,
): Pick<OutputStream, "isTerminal" | "columns"> & {
  readonly attempt: OutputStream["write"];
} {
  // Each write is told of its failure; without a listener the same error would end the process.
  target.on("error", () => {});
  return {
    isTerminal: isatty(descriptor),
    // A terminal that does not know its width says 0.
    columns: target.columns || 100,
    attempt: (data) =>
      new Promise((resolve, reject) => {
        target.write(data, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

/** Bun honours proxies and certificates of the environment itself. */
function processFetch(env: Io["env"]): Io["fetch"] {
  if (process.versions["bun"] !== undefined || !needsOwnFetch(env)) return (request, init) => fetch(request, init);
  let own: Promise<Io["fetch"]> | null = null;
  return async (request, init) => {
    own ??= import("../network/environment-fetch.ts").then(({ environmentFetch }) => environmentFetch(env));
    return (await own)(request, init);
  };
}

/** The result: where it cannot be written, the run fails. The write @throws OutputFailure */
function standardOutput(): OutputStream {
  const { attempt, ...output } = stream(process.stdout, 1);
  return {
    ...output,
    write: (data) =>
      attempt(data).catch((error: unknown) => {
        throw new OutputFailure(codeOf(error) ?? "", error);
      }),
  };
}

/** Messages: a reader that closed the pipe must not end a push halfway, and the exit code still tells how it ended. */
function standardError(): OutputStream {
  const { attempt, ...output } = stream(process.stderr, 2);
  return { ...output, write: (data) => attempt(data).catch(() => {}) };
}

const readStandardInput = (limitBytes: number): Promise<BoundedBytes> =>
  collect(process.stdin as AsyncIterable<Uint8Array>, limitBytes);
