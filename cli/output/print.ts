// Puts a result on standard output and a failure on standard error (experience 2: "stdout", "stderr").
import type { Settings } from "../config.ts";
import type { Failure } from "../failure.ts";
import type { Io } from "../io.ts";
import { describe } from "./describe.ts";
import { pick } from "./field.ts";
import type { Result } from "./result.ts";
import { harmless, oneLine, styleOf, type Style } from "./style.ts";

/** Prints the result alone, in the form the settings ask for. */
export async function printResult(
  result: Result,
  { field, ndjson, format }: Settings,
  { stdout, env }: Io,
): Promise<void> {
  if (field !== null) return stdout.write(`${pick(result.value, field)}\n`);
  if (result.bytes !== undefined) return stdout.write(result.bytes);
  if (ndjson) {
    for await (const item of result.items ?? [result.value]) await stdout.write(`${JSON.stringify(item)}\n`);
    return;
  }
  if (format === "json")
    return stdout.write(`${JSON.stringify(result.value, null, stdout.isTerminal ? 2 : undefined)}\n`);
  const style = styleOf(stdout, env);
  const text = result.text ? result.text(style) : describe(result.value, style);
  if (text !== "") await stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Prints a failure: an object on the last line, or what, why and what to do. */
export async function printFailure(
  failure: Failure,
  format: Settings["format"],
  { stderr, env }: Io,
  hide: (text: string) => string,
): Promise<void> {
  const text = format === "json" ? failureJson(failure) : failureText(failure, styleOf(stderr, env));
  await stderr.write(`${hide(text)}\n`);
}

function failureJson({ problem, exitCode, retryable, next }: Failure): string {
  return JSON.stringify({ error: { ...problem, exitCode, retryable, next } });
}

function failureText({ problem, next }: Failure, { paint }: Style): string {
  const { title, detail, errors = [], hint } = problem;
  const listed = errors.length > 1 || errors.some(({ line }) => line !== undefined) ? errors : [];
  const why = listed.map(({ path, message, line, column }) => {
    const place = line === undefined ? path : `${path}:${line}:${column ?? 1}`;
    return `       ${oneLine([place, message].filter(Boolean).join(": "))}`;
  });
  const fix = [hint, next].filter((text) => text !== undefined && text !== null).map(oneLine);
  return harmless(
    [
      `error: ${title}`,
      `  why: ${oneLine(detail)}`,
      ...why,
      ...fix.map((text, place) => `${place === 0 ? "  fix: " : "       "}${text}`),
    ].join("\n"),
  ).replace("error:", paint("red", "error:"));
}

/** Takes every token out of a text: those in use, and whatever has a token's form. */
export function hideSecrets(text: string, secrets: Iterable<string>): string {
  const formed = text.replaceAll(/\bpl([kaso])_[A-Za-z0-9]{8,}/g, "pl$1_…");
  return [...secrets].reduce((rest, secret) => (secret.length < 8 ? rest : rest.replaceAll(secret, "…")), formed);
}
