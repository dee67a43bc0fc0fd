// The process as the command line's world.
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { isatty } from "node:tty";

import type { Io, OutputStream } from "./io.ts";

/** The real streams, environment and network of this process. */
export function processIo(): Io {
  return {
    env: process.env,
    directory: process.cwd(),
    stdout: stream(process.stdout, 1),
    stderr: stream(process.stderr, 2),
    stdin: { isTerminal: isatty(0), read: readStandardInput },
    fetch: (request, init) => fetch(request, init),
    sleep: (duration, signal) => setTimeout(duration, undefined, { ...(signal && { signal }) }),
    onInterrupt: (listener) => {
      process.once("SIGINT", listener);
    },
    platform: process.platform,
    hostName: hostname(),
    ask: async (question) => {
      const { ask } = await import("./prompts/terminal.ts");
      return ask(question);
    },
    runEditor: async (editor, path) => {
      const { runEditor } = await import("./edit/editor.ts");
      return runEditor(editor, path);
    },
    openBrowser: async (address) => {
      const { openBrowser } = await import("./login/browser.ts");
      return openBrowser(address, process.platform);
    },
  };
}

function stream(target: NodeJS.WriteStream, descriptor: number): OutputStream {
  target.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) is no failure of ours.
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  return {
    isTerminal: isatty(descriptor),
    // A terminal that does not know its width says 0.
    columns: target.columns || 100,
    write: (data) =>
      new Promise((resolve, reject) => {
        target.write(data, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
