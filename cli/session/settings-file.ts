// Reads a settings file strictly: a regular file of bounded size with one JSON object, whose members are known and valid.
// An error never repeats a value, because an attacker may have written the file.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { slugLength, slugPattern, usernameLength } from "@plinth/contract/limits";
import type { ParseError } from "jsonc-parser/lib/esm/main.js";

import { usage, type Failure } from "../failure/failure.ts";
import { isCode } from "../failure/system-error.ts";
import { oneLine } from "../terminal/style.ts";

/** Bytes; no file of a few names comes near it. */
const sizeLimit = 64 * 1024;

/** Reads one member. @throws Error whose message completes "<member> …" */
type ReadMember = (value: unknown) => string;

export interface SettingsFile<Name extends string> {
  readonly path: string;
  /** Whose the file is; 0 where the system has no such thing. */
  readonly owner: number;
  readonly members: Readonly<Partial<Record<Name, string>>>;
}

interface Form<Name extends string> {
  readonly members: Readonly<Record<Name, ReadMember>>;
  /** Where a member that is none of these belongs; null where nothing is known of it. */
  readonly hintFor: (name: string) => string | null;
}

/** The file; null where there is none. @throws Failure usage */
export async function readSettingsFile<Name extends string>(
  path: string,
  form: Form<Name>,
): Promise<SettingsFile<Name> | null> {
  const read = readRegularFile(path);
  if (read === null) return null;
  const value = await parse(read.text, path);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw usage(`${printable(path)} must hold one JSON object`);
  const entries = Object.entries(value).map(([name, given]) => [name, readMember(name, given, path, form)]);
  return { path, owner: read.owner, members: Object.fromEntries(entries) as Partial<Record<Name, string>> };
}

/** Opened without waiting, so that a named pipe cannot block it. Synchronous, because a thread takes longer. */
function readRegularFile(path: string): { text: string; owner: number } | null {
  const file = openOrNull(path);
  if (file === null) return null;
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw usage(`${printable(path)} is not a file`);
    const bytes = Buffer.alloc(sizeLimit + 1);
    const bytesRead = readSync(file, bytes);
    if (bytesRead > sizeLimit) throw usage(`${printable(path)} is larger than ${sizeLimit / 1024} KiB`);
    return { text: bytes.toString("utf8", 0, bytesRead), owner: stats.uid };
  } finally {
    closeSync(file);
  }
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return null;
    throw usage(`${printable(path)} cannot be read`, { cause: error });
  }
}

async function parse(text: string, path: string): Promise<unknown> {
  const json = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    throw usage(`${printable(path)} is not JSON: line ${await errorLine(json)}`, { cause: error });
  }
}

/** Where strict JSON ends; the engines' own messages do not all say. */
async function errorLine(json: string): Promise<number> {
  // Not by the package's name: what it gives Node for that can't be put into one script.
  const { parse } = await import("jsonc-parser/lib/esm/main.js");
  const errors: ParseError[] = [];
  parse(json, errors, { disallowComments: true, allowTrailingComma: false });
  return json.slice(0, errors[0]?.offset ?? 0).split(/\r\n|\r|\n/).length;
}

function readMember<Name extends string>(name: string, given: unknown, path: string, form: Form<Name>): string {
  if (!Object.hasOwn(form.members, name)) throw unknownMember(name, path, form);
  try {
    return form.members[name as Name](given);
  } catch (error) {
    throw usage(`${printable(path)}: ${name} ${error instanceof Error ? error.message : "is not valid"}`, {
      cause: error,
    });
  }
}

function unknownMember(name: string, path: string, { members, hintFor }: Form<string>): Failure {
  return usage(`${printable(path)} must not hold ${printable(name)}`, {
    hint: hintFor(name) ?? `It may hold ${Object.keys(members).join(", ")}`,
  });
}

/** Names out of a file, short and harmless. */
const printable = (text: string): string => {
  const line = oneLine(text);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
};

/** A text of that form. */
const text =
  (what: string, isRight: (text: string) => boolean): ReadMember =>
  (value) => {
    if (typeof value !== "string" || !isRight(value)) throw new Error(`must be ${what}`);
    return value;
  };

const form = new RegExp(slugPattern);

export const owner = text(
  "the name of an account",
  (name) => form.test(name) && name.length >= usernameLength.min && name.length <= usernameLength.max,
);
export const slug = text("a slug", (name) => form.test(name) && name.length <= slugLength);

export const oneOf = (values: readonly string[]): ReadMember =>
  text(values.join(" or "), (name) => values.includes(name));
