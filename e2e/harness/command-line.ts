// Runs a built `plinth` as a person would: with a separate home, and a browser that only records the URL it should
// open. Knows no command.
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { distributions, type Distribution } from "./distributions.ts";
import { hung, temporaryFolder, withinHung } from "./process.ts";

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandLine {
  /** The path of its stored logins. */
  readonly credentialsFile: string;
  remove(): Promise<void>;
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>;
  /** Starts a line that waits for a person. */
  start(
    words: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): { readonly ended: Promise<Run>; said(pattern: RegExp): Promise<string>; opened(): Promise<string> };
}

/** A command line for an instance, in one of its forms and with a separate home. */
export async function commandLine(origin: string, { command }: Distribution = distributions[0]): Promise<CommandLine> {
  const home = await temporaryFolder("home");
  const programs = join(home, "bin");
  const address = join(home, "opened");
  await mkdir(programs);
  await writeFile(
    join(programs, "xdg-open"),
    `#!/bin/sh\nprintf %s "$1" > ${address}.new && mv ${address}.new ${address}\n`,
  );
  await chmod(join(programs, "xdg-open"), 0o755);

  const self: CommandLine = {
    credentialsFile: join(home, ".config/plinth/credentials.json"),
    remove: () => rm(home, { recursive: true, force: true }),
    run: (words, env) => self.start(words, env).ended,
    start(words, env = {}) {
      const child = Bun.spawn([...command, ...words], {
        cwd: home,
        env: {
          HOME: home,
          PATH: `${programs}:/usr/bin:/bin`,
          DISPLAY: ":0",
          SERVICE_BASE_URL: origin,
          SERVICE_FORMAT: "json",
          ...env,
        },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      let stderr = "";
      const listening = (async () => {
        const decoder = new TextDecoder();
        for await (const chunk of child.stderr) stderr += decoder.decode(chunk, { stream: true });
      })();
      const all = Promise.all([child.exited, new Response(child.stdout).text(), listening]);
      const complaint = () => `plinth ${words.join(" ")} hung: ${stderr}`;
      const wait = async <Value>(look: () => Promise<Value | null>): Promise<Value> => {
        for (let until = Date.now() + hung; Date.now() < until; await Bun.sleep(20)) {
          const found = await look();
          if (found !== null) return found;
          if (child.exitCode !== null) break;
        }
        throw new Error(`plinth ${words.join(" ")} never said it: ${stderr}`);
      };
      return {
        ended: withinHung(all, complaint).then(([code, stdout]) => ({ code, stdout, stderr })),
        said: (pattern) => wait(async () => pattern.exec(stderr)?.[0] ?? null),
        opened: () => wait(async () => (existsSync(address) ? await readFile(address, "utf8") : null)),
      };
    },
  };
  return self;
}
