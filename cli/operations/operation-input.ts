// The input of an operation from the command line: flags, arguments, a file, or a body given with `--json`.
import { flagName } from "@plinth/contract/flag-name";
import { bodyBytesBeyondContent, contentBytes } from "@plinth/contract/limits";
import { hasBody, pathFields, type CommandName, type Operation } from "@plinth/contract/operation";
import type { OperationName } from "@plinth/contract/registry";

import { didYouMean, nearest } from "@plinth/contract/suggestion";
import { usage } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import { givenFields, negationOf, readPathName } from "../flags/input-flags.ts";
import type { Reader } from "../io/reader.ts";
import type { Context } from "../command/context.ts";

/** An operation of the registry that has a command. */
export type CommandOperation = Operation & {
  readonly name: OperationName;
  readonly cli: CommandName;
};

/** What a command's input is read by. */
interface InputCommand {
  readonly op: CommandOperation;
  readonly path: string;
  readonly flags: Flags;
  /** The field that words without a flag become. */
  readonly words: string | undefined;
  /** What to do where something is missing. */
  readonly missingHint: string | undefined;
}

/** Flags, words, `--file` and `--json` together as the operation's input. @throws Failure usage */
export async function readInput(
  { op, path, flags, words, missingHint }: InputCommand,
  context: Context,
  values: Values,
): Promise<Record<string, unknown>> {
  const json = values.flags["json"];
  const body = typeof json === "string" ? await readOperationBody(json, context.reader, op) : null;
  const plain = words === undefined ? await readContent(context, values) : readWords(words, values);
  const fields: Record<string, unknown> = {
    ...body,
    ...plain,
    ...givenFields(flags, values.flags),
  };
  // What a body lacks the server says best, with every field at once; what only flags can give is told here.
  const needed = Object.values(flags).flatMap(({ field, required }) =>
    field !== undefined && required ? [field] : [],
  );
  const missing = needed.filter(
    (field) => fields[field] === undefined && (body === null || pathFields(op).includes(field)),
  );
  if (missing.length === 0) return fields;
  const names = missing.map((field) => {
    if (field === "artifactId") return "an artifact";
    if (field === "projectId") return "a project";
    const name = flagName(field);
    const negation = negationOf(name, flags);
    return `--${name}${negation === null ? "" : ` or --${negation}`}`;
  });
  const hint = missingHint ?? (hasBody(op) && body === null ? "Give the flags, or the whole input with --json" : null);
  throw usage(`${path} needs ${names.join(", ")}`, { ...(hint !== null && { hint }), next: `plinth ${path} --help` });
}

/** An unknown member would be dropped silently, and one for the path may lead to another URL. @throws Failure usage */
export async function readOperationBody(
  json: string,
  reader: Context["reader"],
  op: Operation,
): Promise<Record<string, unknown>> {
  const body = await readBody(json, reader);
  const known = Object.keys(op.input.properties);
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw usage(`--json has a member "${unknown}" that is not known here`, {
      hint: didYouMean(nearest(unknown, known)) || `Known are ${known.join(", ")}`,
    });
  for (const field of pathFields(op)) {
    try {
      if (body[field] !== undefined) readPathName(body[field]);
    } catch (error) {
      throw usage(`${field} in --json ${error instanceof Error ? error.message : "is not valid"}`, { cause: error });
    }
  }
  return body;
}

function readWords(field: string, { flags, positionals }: Values): Record<string, string> {
  if (positionals.length === 0) return {};
  const name = flagName(field);
  if (flags[name] !== undefined)
    throw usage(`--${name} is given, and words beside it`, { hint: `Give the words alone, or --${name} alone` });
  return { [field]: positionals.join(" ") };
}

async function readContent({ reader }: Context, { flags, positionals }: Values): Promise<{ content?: string }> {
  if (positionals.length > 1) throw usage("The content is one file", { hint: "Quote values that hold spaces" });
  const named = [flags["file"], ...positionals].filter((name) => typeof name === "string");
  if (named.length + (flags["content"] === undefined ? 0 : 1) > 1)
    throw usage("The content is given twice", { hint: "Give one of --content, --file and a file" });
  const name = named[0];
  return name === undefined ? {} : { content: (await reader.source(name)).content };
}

/** Bytes: JSON may write one byte of the content as six characters. */
const longestBody = 6 * contentBytes.max + bodyBytesBeyondContent;

/** Reads the body. @throws Failure usage where it is not a JSON object */
async function readBody(given: string, reader: Reader): Promise<Record<string, unknown>> {
  const name = given === "-" ? "-" : given.startsWith("@") ? given.slice(1) : null;
  const text = name === null ? given : (await reader.source(name, longestBody)).content;
  let body: unknown;
  try {
    body = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw usage("--json is not valid JSON", {
      hint: "Give an object, @file, or - for standard input",
      cause: error,
    });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw usage("--json must be an object");
  return body as Record<string, unknown>;
}
