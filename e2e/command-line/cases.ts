// What a case of the matrix is: a line of one command, the forms it is run in, and what must come of it.
import type { Fixtures } from "../harness/fixtures.ts";
import type { CatalogueCommand, FailureCode } from "./catalogue.ts";
import type { Line, Ran } from "./line.ts";
import type { StandIns } from "./stand-ins.ts";

export type Form = "text" | "json" | "ndjson";

export interface Success {
  /**
   * `document`: what the catalogue's schema describes. `program`: the same, which is for programs in text, too.
   * `preview`: the request of a dry run. `raw`: bytes in every form, which are `text`.
   */
  readonly prints: "document" | "program" | "preview" | "raw";
  /** Members of the document with this value. */
  readonly shows?: Readonly<Record<string, unknown>>;
  readonly text?: string;
}

export interface Refusal {
  readonly code: FailureCode;
  /** Whether a server said it, with a status and a request id, or the client by itself. */
  readonly by: "server" | "client";
  /** What was done all the same is on standard output. */
  readonly partial?: true;
}

export interface Case {
  readonly name: string;
  readonly outcome: Success | Refusal;
  readonly forms: readonly Form[];
  /** Makes what the line needs; asked for once per run, and in the end the form's own flag is put behind it. */
  readonly line: () => Promise<Line>;
}

/** What cases are made with. */
export interface Stage {
  readonly fixtures: Fixtures;
  readonly standIns: StandIns;
  /** Empty, for files that lines are given. */
  readonly folder: string;
  /** What the line of whoever holds a bearer token or a session's cookie has in its environment. */
  readonly as: (token: string) => Promise<Readonly<Record<string, string>>>;
  /** Runs a line that prepares another. */
  readonly run: (line: Line) => Promise<Ran>;
  /** A key past its time. */
  readonly expired: () => Promise<string>;
}

/** Makes the cases of a command. */
export type CasesOf = (stage: Stage, command: CatalogueCommand) => readonly Case[];

/** The forms every failure is told in. */
export const failureForms: readonly Form[] = ["text", "json"];

export const isRefusal = (outcome: Success | Refusal): outcome is Refusal => "code" in outcome;

/** Does the work once, however often its result is asked for: a refusal uses nothing up. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
