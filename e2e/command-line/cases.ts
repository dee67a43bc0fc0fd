// A case of the matrix: a line of one command, the forms in which it runs, and the expected outcome.
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";

import type { ErrorCode } from "@plinth/contract/errors";

import type { Fixtures } from "../harness/fixtures.ts";
import type { CatalogueCommand, FailureCode } from "./catalogue.ts";
import type { Line, Ran } from "./line.ts";
import type { StandIns } from "./stand-ins.ts";

export type Form = "text" | "json" | "ndjson";

export interface Success {
  /**
   * `document`: what the catalogue's schema describes. `program`: the same, as text for programs too. `preview`: the
   * request of a dry run. `raw`: the bytes of `text` in every form.
   */
  readonly prints: "document" | "program" | "preview" | "raw";
  /** Members that the document must have with this value. */
  readonly shows?: Readonly<Record<string, unknown>>;
  readonly text?: string;
}

export interface Refusal {
  readonly code: FailureCode;
  /** Whether the error comes from a server, with a status and a request ID, or from the client. */
  readonly by: "server" | "client";
  /** Standard output has the results of what succeeded before the error. */
  readonly partial?: true;
}

export interface Case {
  readonly name: string;
  readonly outcome: Success | Refusal;
  readonly forms: readonly Form[];
  /** Prepares and returns the line. It is called once per run; the flag of the form is appended. */
  readonly line: () => Promise<Line>;
}

/** The context in which cases are made. */
export interface Stage {
  readonly fixtures: Fixtures;
  readonly standIns: StandIns;
  /** An empty folder for the files of lines. */
  readonly folder: string;
  /** The environment of a line that uses a bearer token or a session's cookie. */
  readonly as: (token: string) => Promise<Readonly<Record<string, string>>>;
  /** Runs a line that prepares another one. */
  readonly run: (line: Line) => Promise<Ran>;
  /** An expired key. */
  readonly expired: () => Promise<string>;
}

/** Creates the cases of a command. */
export type CasesOf = (stage: Stage, command: CatalogueCommand) => readonly Case[];

/** The forms in which every failure is tested. */
export const failureForms: readonly Form[] = ["text", "json"];

export const isRefusal = (outcome: Success | Refusal): outcome is Refusal => "code" in outcome;

/** Does the work once and shares its result, because a refused line changes nothing. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

export type Make = () => Promise<Line>;

/** A line that does what it says, by default in both forms. */
export const succeeds = (
  name: string,
  line: Make,
  outcome: Success = { prints: "document" },
  forms: readonly Form[] = ["text", "json"],
): Case => ({ name, outcome, forms, line });

/** A line whose document has members with these values. */
export const shows = (
  name: string,
  members: NonNullable<Success["shows"]>,
  line: Make,
  forms?: readonly Form[],
): Case => succeeds(name, line, { prints: "document", shows: members }, forms);

/** A line that is refused, by the client unless told otherwise. */
export const fails = (name: string, code: Refusal["code"], line: Make, by: Refusal["by"] = "client"): Case => ({
  name,
  outcome: { code, by },
  forms: failureForms,
  line: once(line),
});

/** The same line, refused by a stand-in for the server. */
export const refused = (stage: Stage, code: ErrorCode, line: Make, name: string = code): Case =>
  fails(name, code, async () => to(stage.standIns.refusing(code), await line()), "server");

const to = (origin: string, { env, ...rest }: Line): Line => ({ ...rest, env: { ...env, SERVICE_BASE_URL: origin } });

/** A line that wants a token typed, at a terminal without input. */
export const untyped = (stage: Stage, name: string, words: readonly string[]): Case =>
  fails(name, "input_needed", async () => ({
    words: [...words, "--token-stdin", "--no-input"],
    env: trapped(stage),
    stdin: { terminal: true },
  }));

/** The environment of a line that must send nothing. */
export const trapped = ({ standIns }: Stage) => ({ SERVICE_BASE_URL: standIns.trap });

/** The environment of a line of the fixtures' owner. */
export const asOwner = ({ fixtures }: Stage) => ({
  SERVICE_BASE_URL: fixtures.instance.origin,
  SERVICE_TOKEN: fixtures.owner.token,
});

/** An empty folder for the settings of a line. */
export const newHome = ({ folder }: Stage): Promise<string> => mkdtemp(join(folder, "home-"));

/** Makes lines that begin with the same words; `rest` is called for each run. */
export const linesOf =
  (start: string, rest: () => Omit<Line, "words"> | Promise<Omit<Line, "words">>) =>
  (...more: readonly string[]): Make =>
  async () => ({ ...(await rest()), words: [...start.split(" "), ...more] });
