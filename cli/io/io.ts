// Everything outside the process that the command line uses, so that a test can replace a terminal.
import type { Environment } from "../environment.ts";
import type { BoundedBytes } from "../files/bounded-read.ts";
import type { Fetch } from "../network/environment-fetch.ts";

export interface OutputStream {
  readonly isTerminal: boolean;
  readonly columns: number;
  /** Resolves when the bytes are handed over. */
  write(data: string | Uint8Array): Promise<void>;
}

export interface Io {
  readonly env: Environment;
  /** The command's arguments stand here against relative paths. */
  readonly directory: string;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: { readonly isTerminal: boolean; read(limitBytes: number): Promise<BoundedBytes> };
  readonly fetch: Fetch;
  /** Milliseconds; rejects when the signal is aborted before. */
  readonly sleep: (duration: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back once on an interrupt. */
  readonly onInterrupt: (listener: () => void) => void;
  readonly platform: NodeJS.Platform;
  /** The paths that the program runs from. */
  readonly program: { readonly script: string; readonly executable: string };
  /** What this machine calls itself. */
  readonly hostName: string;
  /** Asks the person on the terminal; null where they end the input instead. */
  readonly ask: (question: string) => Promise<string | null>;
  /** Opens a file in an editor, as the words of a setting call it, and waits; its exit code. */
  readonly runEditor: (editor: string, path: string) => Promise<number>;
  /** Shows an address in the person's browser; whether one could be started. */
  readonly openBrowser: (address: string) => Promise<boolean>;
}
