// Checks a run by docs/reference/experience.md §2: standard output, standard error and exit code against the catalogue.
// Each function returns the faults it finds.
import { errorCodes } from "@plinth/contract/errors";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

import type { Case, Form, Refusal, Success } from "./cases.ts";
import { isRefusal } from "./cases.ts";
import type { Catalogue, CatalogueCommand, FailureCode } from "./catalogue.ts";
import { closed } from "./closed-schema.ts";
import type { Ran } from "./line.ts";

/** The faults of a run; empty if it is correct. */
export function faultsOf(ran: Ran, { outcome }: Case, form: Form, command: CatalogueCommand, catalogue: Catalogue) {
  const faults = isRefusal(outcome)
    ? refusalFaults(ran, outcome, form, command, catalogue)
    : successFaults(ran, outcome, form, command, catalogue);
  if (hasControls(ran.stderr)) faults.push("standard error holds control characters");
  if (form === "text" && hasControls(ran.stdout)) faults.push("standard output holds control characters");
  return faults;
}

/** Neither stream is a terminal, so colours are a fault too. */
const hasControls = (text: string): boolean => /[^\P{C}\n\t\u200D]/u.test(text);

function successFaults(
  { code, stdout, stderr }: Ran,
  outcome: Success,
  form: Form,
  command: CatalogueCommand,
  catalogue: Catalogue,
): string[] {
  const faults = code === 0 ? [] : [`exit code ${code}`];
  if (/\berror\b/i.test(stderr)) faults.push("standard error speaks of an error");
  if (outcome.prints === "raw")
    return outcome.text === stdout || outcome.text === undefined ? faults : [...faults, "other bytes"];
  if (form === "text" && outcome.prints !== "program")
    return [...faults, ...textFaults(stdout, stderr, outcome, command)];
  const values = form === "text" ? [parsed(stdout)] : stdout.split("\n").slice(0, -1).map(parsed);
  if (!stdout.endsWith("\n") || values.length === 0) return [...faults, "no line on standard output"];
  if (form === "json" && values.length > 1) faults.push("more than one line of JSON");
  if (outcome.prints === "preview") faults.push(...previewFaults(values[0], command));
  const schema = outcome.prints === "preview" ? catalogue.dryRunOutput : schemaOf(command, form);
  faults.push(...values.flatMap((value) => schemaFaults(schema, value)));
  for (const [name, shown] of Object.entries(outcome.shows ?? {})) {
    const found = (values[0] as Record<string, unknown> | null)?.[name];
    if (!Bun.deepEquals(found, shown)) faults.push(`${name} is ${JSON.stringify(found)}`);
  }
  return faults;
}

/** A command without output confirms on standard error that it is done. */
function textFaults(stdout: string, stderr: string, { prints }: Success, { text }: CatalogueCommand): string[] {
  if (text === "nothing" && prints === "document")
    return stdout === "" && stderr.trim() !== "" ? [] : ["nothing said of what was done, or a result"];
  if (!stdout.endsWith("\n") || stdout.trim() === "") return ["no text"];
  return parsed(stdout) === undefined ? [] : ["the text is JSON"];
}

function previewFaults(value: unknown, { endpoint }: CatalogueCommand): string[] {
  const { request } = value as { request?: { method?: unknown; url?: unknown } };
  const path = endpoint?.path.replaceAll(/:\w+/g, "[^/?]+") ?? "";
  const isRight =
    request?.method === endpoint?.method && new RegExp(`^http://[^/]+${path}(\\?|$)`).test(String(request?.url));
  return isRight ? [] : ["no preview of the command's request"];
}

interface Described {
  readonly anyOf?: readonly Described[];
  readonly properties?: Readonly<Record<string, { readonly items?: object }>>;
}

/** The schema of the output; for a line of a list, that of an item, or a union if a command has several results. */
function schemaOf({ path, output, collection }: CatalogueCommand, form: Form): object {
  if (form !== "ndjson") return output;
  const { anyOf = [], ...one }: Described = output;
  const items = [one, ...anyOf].map(({ properties }) => properties?.[collection ?? "results"]?.items);
  const found = items.find((schema) => schema !== undefined);
  if (found === undefined) throw new Error(`${path} names no schema of its items`);
  return found;
}

const validators = new WeakMap<object, ValidateFunction>();

function schemaFaults(schema: object, value: unknown, isWhole = true): string[] {
  const validate =
    validators.get(schema) ??
    new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false }).compile(
      isWhole ? closed(schema) : schema,
    );
  validators.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

const byStatus: Readonly<Record<number, number>> = {
  400: 7,
  401: 4,
  403: 5,
  404: 3,
  409: 6,
  413: 7,
  421: 7,
  429: 8,
  500: 1,
  501: 1,
  503: 9,
};
const ofClient = { usage: 2, confirmation_needed: 2, partial_failure: 1, input_needed: 10, interrupted: 130 } as const;

/** The exit code that docs/reference/experience.md §2 gives to an error code. */
export const exitCodeOf = (code: FailureCode): number =>
  code in ofClient
    ? ofClient[code as keyof typeof ofClient]
    : (byStatus[errorCodes[code as keyof typeof errorCodes].status] ?? -1);

const retryable: readonly FailureCode[] = ["rate_limited", "busy", "unavailable", "identity_unavailable"];

function refusalFaults(
  ran: Ran,
  outcome: Refusal,
  form: Form,
  command: CatalogueCommand,
  catalogue: Catalogue,
): string[] {
  const { code, stdout, stderr } = ran;
  const exitCode = exitCodeOf(outcome.code);
  const faults = code === exitCode ? [] : [`exit code ${code}, not ${exitCode}`];
  if (!command.exitCodes.includes(exitCode) || !(exitCode in catalogue.exitCodes))
    faults.push(`the catalogue has no exit code ${exitCode}`);
  if (!command.errors.includes(outcome.code)) faults.push("the catalogue does not say that it can fail so");
  if (outcome.partial ? stdout === "" : stdout !== "")
    faults.push("standard output is not empty, or is where some was done");
  if (!stderr.endsWith("\n")) faults.push("standard error ends without a line's end");
  if (form === "text") return [...faults, ...failureTextFaults(stderr)];
  const last = parsed(stderr.trimEnd().split("\n").at(-1) ?? "") as { error?: Record<string, unknown> } | undefined;
  if (last?.error === undefined) return [...faults, "the last line of standard error is no error object"];
  // A problem has members of its code besides the common ones.
  faults.push(...schemaFaults(catalogue.errorOutput, last, false));
  return [...faults, ...errorFaults(last.error, outcome, exitCode, catalogue)];
}

function failureTextFaults(stderr: string): string[] {
  const faults = [];
  if (!/^error: \S/m.test(stderr)) faults.push("no line begins with error:");
  if (!/^  fix: \S/m.test(stderr)) faults.push("no fix");
  return faults;
}

function errorFaults(
  error: Record<string, unknown>,
  { code, by }: Refusal,
  exitCode: number,
  catalogue: Catalogue,
): string[] {
  const listed = catalogue.errorCodes.find((entry) => entry.code === error["code"]);
  const status = by === "server" ? listed?.status : undefined;
  const expected = { code, exitCode, retryable: retryable.includes(code), status };
  const faults = Object.entries(expected).flatMap(([name, value]) =>
    error[name] === value ? [] : [`${name} is ${JSON.stringify(error[name])}, not ${JSON.stringify(value)}`],
  );
  if (listed?.exitCode !== exitCode || listed.retryable !== retryable.includes(code))
    faults.push("the catalogue says otherwise of the code");
  const said = ["type", "title", "detail", ...(by === "server" ? ["requestId"] : [])];
  for (const name of said) if (typeof error[name] !== "string" || error[name] === "") faults.push(`no ${name}`);
  const { next } = error;
  if (next !== null && !isCommand(next, catalogue)) faults.push(`next is no command: ${JSON.stringify(next)}`);
  return faults;
}

/** A line of a command, or one that explains a group of commands. */
const isCommand = (next: unknown, { commands }: Catalogue): boolean =>
  typeof next === "string" &&
  (/^plinth( [a-z-]+)* --help$/.test(next) ||
    commands.some(({ path, short }) => [path, short ?? path].some((name) => `${next} `.startsWith(`plinth ${name} `))));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // not JSON, which was expected
  }
}
