// The command line as an agent uses it: it writes a line and reads the result, the error object and the exit code. It
// only writes what `schema --compact` lists, and checks every answer against the promises made to programs.
import { expect } from "bun:test";

import { requireNoSecret } from "../../harness/tracked-secrets.ts";
import { runToEnd, withinHung } from "../../harness/process.ts";
import { understands, type Vocabulary, vocabularyOf } from "./vocabulary.ts";

export interface AgentError {
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  /** The line to run next, `plinth …`. */
  readonly next: string | null;
  readonly exitCode: number;
  readonly retryable: boolean;
  readonly errors?: readonly { path: string; message: string; line?: number; column?: number }[];
  readonly [member: string]: unknown;
}

export interface Answer {
  readonly code: number;
  /** The unchanged standard output. */
  readonly text: string;
  /** Null if the exit code is 0. */
  readonly error: AgentError | null;
}

export interface Surroundings {
  /** The words that start the command line. */
  readonly command: readonly string[];
  readonly directory: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Words of a line, split at spaces; an interpolated value stays one word. */
export function line(parts: TemplateStringsArray, ...filled: readonly (string | number)[]): string[] {
  const marked = parts.map((part, place) => (place === 0 ? part : `\0${place - 1}\0${part}`)).join("");
  const words = marked.trim().split(/\s+/);
  return words.map((word) => word.replaceAll(/\0(\d+)\0/g, (_mark, place: string) => String(filled[Number(place)])));
}

export class Agent {
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** The same agent with additional or changed variables. */
  with(env: Readonly<Record<string, string>>): Agent {
    return new Agent({ ...this.#surroundings, env: { ...this.#surroundings.env, ...env } });
  }

  /** Runs a line. */
  async run(words: readonly string[], stdin?: string): Promise<Answer> {
    const vocabulary = await learned(this.#surroundings);
    understands(vocabulary, words);
    const answer = await spawned(this.#surroundings, words, stdin);
    if (answer.error?.next) understands(vocabulary, wordsOf(answer.error.next));
    return answer;
  }

  /** Runs a line that must succeed; returns its result. */
  async done<Value>(words: readonly string[], stdin?: string): Promise<Value> {
    return JSON.parse(await this.text(words, stdin)) as Value;
  }

  /** Runs a line that must succeed; returns its output. */
  async text(words: readonly string[], stdin?: string): Promise<string> {
    const { error, text } = await this.run(words, stdin);
    if (error !== null) throw new Error(`plinth ${words.join(" ")} failed: ${JSON.stringify(error)}`);
    return text;
  }

  /** Runs a list that must succeed; returns its items, one per line. */
  async items<Item>(words: readonly string[]): Promise<Item[]> {
    const text = await this.text([...words, "--ndjson"]);
    return text === ""
      ? []
      : text
          .trimEnd()
          .split("\n")
          .map((item) => JSON.parse(item) as Item);
  }

  /** Runs a line that must fail; returns its error. */
  async fails(words: readonly string[], stdin?: string): Promise<AgentError> {
    const { error, text } = await this.run(words, stdin);
    if (error === null) throw new Error(`plinth ${words.join(" ")} succeeded: ${text}`);
    return error;
  }

  /** Runs a line and kills it after `until` settles, before it is done. */
  async abandon(words: readonly string[], until: Promise<void>): Promise<void> {
    const { command, directory: cwd, env } = this.#surroundings;
    const child = Bun.spawn([...command, ...words], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
    await withinHung(until, () => `plinth ${words.join(" ")} never came so far`);
    child.kill("SIGKILL");
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
  }

  /** Runs the line that an error suggests, unchanged. */
  follow<Value>({ next, detail }: AgentError): Promise<Value> {
    if (next === null) throw new Error(`No next line after: ${detail}`);
    return this.done(wordsOf(next));
  }
}

const vocabularies = new Map<string, Promise<Vocabulary>>();

/** What the schema of this distribution lists, requested once. */
function learned(surroundings: Surroundings): Promise<Vocabulary> {
  const key = surroundings.command.join(" ");
  const known =
    vocabularies.get(key) ?? spawned(surroundings, ["schema", "--compact"]).then(({ text }) => vocabularyOf(text));
  vocabularies.set(key, known);
  return known;
}

/**
 * The words after `plinth` of a line that an error suggests. A line with a placeholder or quotes cannot be run
 * unchanged.
 */
function wordsOf(next: string): string[] {
  expect(next).toMatch(/^plinth [^'"…<>]+$/);
  return next.split(" ").slice(1);
}

async function spawned({ command, directory, env }: Surroundings, words: readonly string[], stdin?: string) {
  const ran = await runToEnd([...command, ...words], { cwd: directory, env, ...(stdin !== undefined && { stdin }) });
  const { code, stdout: text, stderr } = ran;
  requireNoSecret(`standard error of plinth ${words.join(" ")}`, stderr);
  return { code, text, error: errorOf(code, text, stderr) };
}

/** The error object on the last line, which exists exactly if the exit code is not 0. */
function errorOf(code: number, text: string, stderr: string): AgentError | null {
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  if (code === 0) {
    expect(last).not.toStartWith('{"error"');
    return null;
  }
  const { error } = JSON.parse(last) as { error: AgentError };
  expect(error.exitCode).toBe(code);
  expect(error.code).toMatch(/^[a-z_]+$/);
  expect(error.detail).not.toBe("");
  if (error.code !== "partial_failure") expect(text).toBe("");
  return error;
}
