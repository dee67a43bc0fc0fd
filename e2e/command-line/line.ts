// One line of the command line and what came of it, in either distribution. Knows no command and expects nothing.
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Distribution } from "../harness/distributions.ts";
import { withinHung } from "../harness/process.ts";

export interface Line {
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Without it standard input is empty. */
  readonly stdin?: string;
  /** Where it keeps its settings; without it an empty place that lines share. */
  readonly home?: string;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type RunLine = (distribution: Distribution, line: Line) => Promise<Ran>;

/** Runs lines in a folder, each as a process with an environment of its own and neither terminal nor display. */
export function lineRunner(folder: string): RunLine {
  return async ({ command }, { words, env, stdin = "", home = join(folder, "home") }) => {
    await mkdir(home, { recursive: true });
    const child = Bun.spawn([...command, ...words], {
      cwd: folder,
      env: { HOME: home, PATH: "/usr/bin:/bin", ...env },
      stdin: new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const all = Promise.all([child.exited, new Response(child.stdout).text(), new Response(child.stderr).text()]);
    try {
      const [code, stdout, stderr] = await withinHung(all, () => `plinth ${words.join(" ")} hung`);
      return { code, stdout, stderr };
    } finally {
      child.kill("SIGKILL");
    }
  };
}

/** The line as it could be typed, long words shortened. */
export const shown = ({ words }: Line): string =>
  ["plinth", ...words].map((word) => (word.length > 120 ? `${word.slice(0, 40)}…${digest(word)}` : word)).join(" ");

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
