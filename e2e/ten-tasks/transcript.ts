// The texts that an agent without a model has read: it can only send what its task or an answer said, and each call is
// counted.

/** Words that the manual of a surface explains (`tools/list`, `plinth schema`, `openapi.json`), so that no text has to say them. */
type Manual = ReadonlySet<string>;

export class Transcript {
  readonly #manual: Manual;
  #read = "";
  #calls = 0;

  constructor(manual: readonly string[]) {
    this.#manual = new Set(manual);
  }

  /** The number of calls so far. */
  get calls(): number {
    return this.#calls;
  }

  /** Reads a text: that of a task, or an answer. */
  read(text: string): string {
    this.#read += `\n${text}`;
    return text;
  }

  /** Counts a call. @throws if it has a value that the agent has not read */
  send(values: readonly unknown[]): void {
    this.#calls++;
    for (const value of values.flatMap(leavesOf)) {
      if (this.#manual.has(value) || this.#knows(value)) continue;
      throw new Error(`call ${this.#calls} sends ${JSON.stringify(value)}, which neither its task nor an answer said`);
    }
  }

  /** The first match of a pattern in a text that was read. @throws if there is none, which is a dead end */
  found(text: string, pattern: RegExp): string {
    const match = pattern.exec(text);
    if (match === null) throw new Error(`dead end: no ${String(pattern)} in ${text.slice(0, 2000)}`);
    return match[1] ?? match[0];
  }

  /** A number has to stand alone: 1 is not known from 2026-11-01. */
  #knows(value: string): boolean {
    if (!/^\d+$/.test(value)) return this.#read.includes(value);
    return new RegExp(`(?<![\\d.-]|\\d:)${value}(?![\\d.-]|:\\d)`).test(this.#read);
  }
}

function leavesOf(value: unknown): string[] {
  if (value === null) return [];
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" ? Object.values(value).flatMap(leavesOf) : [];
}
