// Puts a result on standard output and a failure on standard error (docs/reference/experience.md §2, "stdout" and
// "stderr").
import { memberOf } from "@plinth/platform/malformed";
import { clientFailure, type Failure } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";
import type { Settings } from "../session/settings.ts";
import { withoutControls, oneLine, styleOf, type Style } from "../terminal/style.ts";
import { describe } from "./describe.ts";

// `--field`: one member of a result, named by its way there (`artifact.url`, `versions.0.sha256`). A list that is met
// with a name is gone through: `versions.sha256` is that of each.
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const isPlace = (name: string): boolean => /^\d+$/.test(name);

/** The raw values, one a line: text as it is, anything else as JSON, an empty line where there is none. */
function pickField(value: unknown, field: string): string {
  return valuesAt([value], field.split(".")).map(rawText).join("\n");
}

function valuesAt(values: readonly unknown[], [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [...values];
  const items = values.flatMap((value) => (Array.isArray(value) && !isPlace(name) ? (value as unknown[]) : [value]));
  return valuesAt(
    items.map((item) => memberOf(item, name)),
    rest,
  );
}

function rawText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The names there are where a field leads nowhere in the schema; null where it leads somewhere. */
export function unknownField(output: object, field: string): readonly string[] | null {
  let schemas = variants(output);
  for (const name of field.split(".")) {
    const met = isPlace(name)
      ? schemas
      : schemas.flatMap((schema) => (schema.items ? variants(schema.items) : [schema]));
    const next = met.flatMap(({ items, properties = {} }) => {
      if (isPlace(name) && items) return variants(items);
      const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return member ? variants(member) : [];
    });
    if (next.length === 0) return [...new Set(met.flatMap(({ properties = {} }) => Object.keys(properties)))];
    schemas = next;
  }
  return null;
}

/** A schema, or those it is one of. */
const variants = (schema: Schema): Schema[] => schema.anyOf?.flatMap(variants) ?? [schema];

export interface Result {
  /** What `--format json` prints and `--field` picks from. */
  readonly value: unknown;
  /** What text prints; without it the value is described. */
  readonly text?: (style: Style) => string;
  /** Printed unchanged in every format. */
  readonly bytes?: string | Uint8Array;
  /** The items of a list one by one, for `--ndjson`. */
  readonly items?: AsyncIterable<unknown> | Iterable<unknown>;
  /** Some of the work failed all the same. */
  readonly failure?: Failure;
  /** Without a failure; 0 where it is left out. */
  readonly exitCode?: 1;
}

/** Prints the result alone, in the form the settings ask for. */
export async function printResult(
  result: Result,
  { field, jq, ndjson, format }: Settings,
  { stdout, env }: Io,
): Promise<void> {
  const filter = jq === null ? null : await (await import("./jq.ts")).jqFilter(jq);
  const exact = (value: unknown): string => (field === null ? JSON.stringify(value) : pickField(value, field));
  // A title must not control the terminal that shows it.
  const raw = (value: unknown): string => {
    if (!stdout.isTerminal) return exact(value);
    return field === null ? escapeControls(exact(value)) : visible(exact(value));
  };
  const filtered = async (value: unknown): Promise<void> => {
    const text = filter?.(value) ?? "";
    if (text !== "") await stdout.write(`${stdout.isTerminal ? visible(text) : text}\n`);
  };
  if (ndjson && result.bytes === undefined) {
    for await (const item of result.items ?? [result.value])
      await (filter === null ? stdout.write(`${raw(item)}\n`) : filtered(item));
    return;
  }
  if (filter !== null) return filtered(result.value);
  if (field !== null) return stdout.write(`${raw(result.value)}\n`);
  if (result.bytes !== undefined) return stdout.write(stdout.isTerminal ? visible(result.bytes) : result.bytes);
  if (format === "json")
    return stdout.write(
      stdout.isTerminal
        ? `${escapeControls(JSON.stringify(result.value, null, 2))}\n`
        : `${JSON.stringify(result.value)}\n`,
    );
  const style = styleOf(stdout, env);
  const text = textOf(result, style);
  if (text !== "") await stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Source for people: what it would do to the terminal is written down instead. Programs get it byte for byte. */
function visible(bytes: string | Uint8Array): string {
  const text = typeof bytes === "string" ? bytes : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029](?<![\n\t\u200C\u200D])/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
    });
}

/** Another version's server, or one that is none, may answer anything. @throws Failure internal */
function textOf({ text, value }: Result, style: Style): string {
  try {
    return text ? text(style) : describe(value, style);
  } catch (error) {
    throw clientFailure("internal", "The answer is not of the form this client knows, and cannot be shown as text", {
      hint: "See it as it came with --format json; is the client as new as the server?",
      cause: error,
    });
  }
}

/** Prints a failure: an object on the last line, or what happened and what to do. */
export async function printFailure(
  failure: Failure,
  format: Settings["format"],
  { stderr, env }: Io,
  hide: (text: string) => string,
): Promise<void> {
  const text = format === "json" ? failureJson(failure, hide) : hide(failureText(failure, styleOf(stderr, env)));
  await stderr.write(`${text}\n`);
}

/** Secrets are taken out before anything in them is escaped. */
function failureJson({ problem, exitCode, retryable, next }: Failure, hide: (text: string) => string): string {
  const error = { ...problem, exitCode, retryable, next };
  return escapeControls(
    JSON.stringify({ error }, (_name, value: unknown) => (typeof value === "string" ? hide(value) : value)),
  );
}

/** The same JSON without a character that could drive a terminal or hide: JSON itself lets some through. */
export const escapeControls = (text: string): string =>
  text.replaceAll(/[\u007F-\u009F\u2028\u2029]|(?![\u200C\u200D])\p{Cf}/gu, (character) =>
    Array.from(character.split(""), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  );

function failureText({ problem, next }: Failure, { paint, isTerminal, columns }: Style): string {
  const { detail, errors = [], hint } = problem;
  const listed = errors.length > 1 || errors.some(({ line }) => line !== undefined) ? errors : [];
  const where = listed.map(({ path, message, line, column }) => {
    const place = line === undefined ? path : `${path}:${line}:${column ?? 1}`;
    return oneLine([place, message].filter(Boolean).join(": "));
  });
  const fix = [hint, next].filter((text) => text !== undefined && text !== null).map(oneLine);
  const rows: readonly (readonly [label: string, text: string])[] = [
    ["error:", oneLine(detail)],
    ...where.map((text) => ["", text] as const),
    ...fix.map((text, place) => [place === 0 ? "  fix:" : "", text] as const),
  ];
  const room = isTerminal ? Math.max(24, columns - label) : Infinity;
  return withoutControls(
    rows
      .flatMap(([name, text]) =>
        wrapped(text, room).map((line, place) => `${(place === 0 ? name : "").padEnd(label)}${line}`),
      )
      .join("\n"),
  ).replace("error:", paint("red", "error:"));
}

/** Columns before the text of a failure. */
const label = "error: ".length;

/** Lines of whole words; one that is longer than a line, such as a URL, stays whole. */
function wrapped(text: string, columns: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Removes every token from a text: those in use, and any word in the form of a token. */
export function redactSecrets(text: string, secrets: Iterable<string>): string {
  const formed = text.replaceAll(/\bpl([kaso])_[A-Za-z0-9]{8,}/g, "pl$1_…");
  return [...secrets].reduce((rest, secret) => (secret.length < 8 ? rest : rest.replaceAll(secret, "…")), formed);
}
