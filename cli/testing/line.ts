// Runs one line in a test context: its output, its exit code and the requests it would have sent.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { collect } from "../files/bounded-read.ts";
import type { Io } from "../io/io.ts";
import { run } from "../run.ts";

export interface LineContext {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly stdinIsTerminal?: boolean;
  readonly terminal?: boolean;
  /** Of the terminal; 100 without it. */
  readonly columns?: number;
  readonly directory?: string;
  readonly platform?: NodeJS.Platform;
  readonly program?: Io["program"];
  /** What the person answers, question by question; null ends the input. Without it nothing may be asked. */
  readonly answers?: readonly (string | null)[];
  /** What the person's editor does with a file; its exit code. Without it none may be opened. */
  readonly edit?: (path: string, editor: string) => number;
  /** What the person does with the address that opens; without it there is no browser. */
  readonly browse?: (address: string) => void;
  readonly onStderr?: (text: string) => void;
  /** Ctrl-C, once it resolves. */
  readonly interrupt?: Promise<void>;
  /** Stands in for waiting, in seconds; without it no wait takes time. */
  readonly wait?: (seconds: number) => Promise<void>;
  /** Answers a request; without it every request is an error of the test. */
  readonly answer?: (request: Request) => Response | Promise<Response>;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly Request[];
  readonly questions: readonly string[];
  /** Seconds waited between attempts. */
  readonly waits: readonly number[];
  /** The object on the last line of standard error. */
  readonly error: Record<string, unknown>;
}

const directories = mkdtempSync(join(tmpdir(), "plinth-cli-"));
// Files of a process share this module, so no hook runs after the last one. The shell's standard input ends with the
// process in each case.
Bun.spawn(["/bin/sh", "-c", 'read -r _; rm -rf "$1"', "sh", directories], {
  detached: true,
  stdio: ["pipe", "ignore", "ignore"],
}).unref();

/** A new, empty directory, which is deleted when the test process ends. */
export const emptyDirectory = (): string => mkdtempSync(join(directories, "directory-"));

const nowhere = emptyDirectory();

const stateOf = ({ directory = nowhere }: LineContext): string => join(directories, "state", basename(directory));

/** Runs the words as the `plinth` command would. */
export async function line(words: readonly string[], context: LineContext = {}): Promise<Ran> {
  const stdout: (string | Uint8Array)[] = [];
  const stderr: (string | Uint8Array)[] = [];
  const requests: Request[] = [];
  const waits: number[] = [];
  const questions: string[] = [];
  const io: Io = {
    // What pushes remember is of one folder's test: another has artifacts of the same names.
    env: {
      HOME: nowhere,
      ...(context.env?.["HOME"] === undefined && { XDG_STATE_HOME: stateOf(context) }),
      ...context.env,
    },
    directory: context.directory ?? nowhere,
    stdout: {
      isTerminal: context.terminal ?? false,
      columns: context.columns ?? 100,
      write: async (data) => void stdout.push(data),
    },
    stderr: {
      isTerminal: context.terminal ?? false,
      columns: context.columns ?? 100,
      write: async (data) => {
        stderr.push(data);
        context.onStderr?.(String(data));
      },
    },
    stdin: {
      isTerminal: context.stdinIsTerminal ?? false,
      read: (limitBytes) => collect(new Blob([context.stdin ?? ""]).stream(), limitBytes),
    },
    fetch: async (request) => {
      requests.push(request.clone());
      if (!context.answer) throw new Error(`Nothing was to be sent, but ${request.method} ${request.url} was`);
      return context.answer(request);
    },
    sleep: async (duration) => {
      waits.push(duration / 1000);
      await context.wait?.(duration / 1000);
    },
    platform: context.platform ?? "linux",
    program: context.program ?? { script: "/src/cli/main.ts", executable: "/usr/bin/bun" },
    hostName: "laptop.test",
    ask: async (question) => {
      const answer = context.answers?.[questions.length];
      questions.push(question);
      if (answer === undefined) throw new Error(`Nothing was to be asked, but: ${question}`);
      return answer;
    },
    runEditor: async (editor, path) => {
      if (!context.edit) throw new Error(`No editor was to be opened, but ${editor} was`);
      return context.edit(path, editor);
    },
    openBrowser: async (address) => {
      context.browse?.(address);
      return context.browse !== undefined;
    },
    onInterrupt: (listener) => void context.interrupt?.then(listener),
  };
  const code = await run(words, io);
  const text = (parts: readonly (string | Uint8Array)[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part))).toString();
  const last = text(stderr).trimEnd().split("\n").at(-1) ?? "";
  const said = last.startsWith("{") ? (JSON.parse(last) as { error: Record<string, unknown> }) : { error: {} };
  return { code, stdout: text(stdout), stderr: text(stderr), requests, waits, questions, error: said.error };
}

/** A JSON answer. */
export const json = (body: unknown, status = 200): Response => Response.json(body, { status });

/** A problem as the API writes it. */
export const problem = (
  status: number,
  code: string,
  extra: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Response =>
  new Response(
    JSON.stringify({
      type: `/docs/errors/${code}`,
      title: code,
      status,
      detail: `Refused: ${code}`,
      code,
      requestId: "req-12345678",
      ...extra,
    }),
    {
      status,
      headers: { "content-type": "application/problem+json", ...headers },
    },
  );
