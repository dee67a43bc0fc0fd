// Runs one line of the command line in either distribution and returns its outcome. Knows no command and expects
// nothing.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import type { Distribution } from "../harness/distributions.ts";
import { withinHung, type Ran } from "../harness/process.ts";

export interface Line {
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Empty by default; `terminal` is a terminal without input. */
  readonly stdin?: string | { readonly terminal: true };
  /** The folder of its settings; by default an empty one that lines share. */
  readonly home?: string;
  /** Where it runs, if not in the folder that lines share. */
  readonly directory?: string;
  /** Sends Ctrl-C after this settles. */
  readonly interrupt?: Promise<void>;
}

export type { Ran };

export type RunLine = (distribution: Distribution, line: Line) => Promise<Ran>;

/** Runs lines in a folder, each as a process with only its own environment and without a terminal. */
export function lineRunner(folder: string): RunLine {
  return async ({ command }, line) => {
    const { words, env, stdin = "", home = join(folder, "home"), directory = folder, interrupt } = line;
    await mkdir(home, { recursive: true });
    const options = { cwd: directory, env: { HOME: home, PATH: "/usr/bin:/bin", ...env } };
    const child =
      typeof stdin === "string"
        ? piped([...command, ...words], options, stdin)
        : await atTerminal([...command, ...words], options, folder);
    void interrupt?.then(() => child.process.kill("SIGINT"));
    try {
      return await withinHung(child.ended, () => `${shown(line)} hung`);
    } finally {
      child.process.kill("SIGKILL");
    }
  };
}

interface Started {
  readonly process: Bun.Subprocess;
  readonly ended: Promise<Ran>;
}

interface Options {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

function piped(words: readonly string[], options: Options, stdin: string): Started {
  const child = Bun.spawn([...words], { ...options, stdin: new Blob([stdin]), stdout: "pipe", stderr: "pipe" });
  const read = [new Response(child.stdout).text(), new Response(child.stderr).text()] as const;
  const ended = Promise.all([child.exited, ...read]).then(([code, stdout, stderr]) => ({ code, stdout, stderr }));
  return { process: child, ended };
}

/** All three streams are the terminal; a shell writes the two outputs into files. */
async function atTerminal(words: readonly string[], options: Options, folder: string): Promise<Started> {
  const place = await mkdtemp(join(folder, "terminal-"));
  const files = [join(place, "out"), join(place, "err")] as const;
  const terminal = new Bun.Terminal({ cols: 100, rows: 24, data: () => {} });
  const script = 'out=$1 err=$2; shift 2; exec "$@" >"$out" 2>"$err"';
  const child = Bun.spawn(["/bin/sh", "-c", script, "sh", ...files, ...words], { ...options, terminal });
  const ended = child.exited.then(async (code) => {
    const [stdout, stderr] = await Promise.all([readFile(files[0], "utf8"), readFile(files[1], "utf8")]);
    terminal.close();
    await rm(place, { recursive: true });
    return { code, stdout, stderr };
  });
  return { process: child, ended };
}

/** The line as a person types it, with long words shortened. */
export const shown = ({ words }: Line): string =>
  ["plinth", ...words].map((word) => (word.length > 120 ? `${word.slice(0, 40)}…${digest(word)}` : word)).join(" ");

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
