// Remembers under which idempotency key each file is sent, so that a push that was cut off can be run again: the server
// then gives the first answer once more (docs/reference/contract.md §2). Holds no content and no secret, and knows no
// server.
import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parsedJson } from "@plinth/platform/malformed";

import { isCode } from "../failure/system-error.ts";
import { stateDirectory } from "../files/user-directories.ts";
import type { Io } from "../io/io.ts";
import { digestOf } from "../files/digest.ts";

/** Milliseconds that the server keeps a key; the note is older than the request. */
const RETENTION = 24 * 60 * 60 * 1000;

/** Where a push goes to. */
export interface Target {
  readonly origin: string;
  readonly owner: string | undefined;
  readonly projectSlug: string;
}

export interface SentFile {
  /** Absolute, or `-`. */
  readonly path: string;
  readonly slug: string;
  /** Of the whole body of the request, in hex: with other flags it is another request. */
  readonly sha256: string;
}

interface JournalEntry extends SentFile {
  readonly key: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface Journal {
  /** The keys to send these with, in their order: those of a push that was cut off, else new ones that are on disk now. */
  start(files: readonly SentFile[]): string[];
  /** Every file arrived: deletes their entries. */
  finish(files: readonly SentFile[]): void;
}

/** `$XDG_STATE_HOME/plinth/pushes`, a file for each place that is pushed to. */
function journalFile(env: Io["env"], { origin, owner, projectSlug }: Target): string {
  const place = digestOf(JSON.stringify([origin, owner ?? null, projectSlug])).sha256;
  return join(stateDirectory(env), "pushes", `${place.slice(0, 32)}.ndjson`);
}

/** Without a writable place a push works, but cannot be resumed; `warn` receives the reason. */
export function openJournal(env: Io["env"], target: Target, warn: (message: string) => void): Journal {
  const file = journalFile(env, target);
  return {
    start(files) {
      const recorded = new Map(attempt(() => read(file), [])?.map((note) => [note.path, note]));
      const fresh: JournalEntry[] = [];
      const at = new Date().toISOString();
      const keys = files.map(({ path, slug, sha256 }) => {
        const known = recorded.get(path);
        if (known?.sha256 === sha256) return known.key;
        const note = { path, slug, sha256, key: randomUUID(), at };
        fresh.push(note);
        return note.key;
      });
      if (fresh.length > 0) attempt(() => append(file, fresh), undefined);
      return keys;
    },
    finish(files) {
      const done = new Set(files.map(({ path }) => path));
      attempt(() => {
        const others = read(file).filter(({ path }) => !done.has(path));
        if (others.length === 0) rmSync(file, { force: true });
        else replace(file, others);
      }, undefined);
    },
  };

  function attempt<Value>(work: () => Value, otherwise: Value): Value {
    try {
      return work();
    } catch (error) {
      warn(`Not recorded for a second run: ${error instanceof Error ? error.message : String(error)}`);
      return otherwise;
    }
  }
}

/** What still counts, one for each path: the newest. */
function read(file: string): JournalEntry[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  }
  const notes = text.split("\n").map(parseEntry);
  const newest = new Map(notes.flatMap((note) => (note === null ? [] : [[note.path, note]])));
  const oldest = Date.now() - RETENTION;
  return [...newest.values()].filter(({ at }) => Date.parse(at) > oldest && Date.parse(at) <= Date.now());
}

/** Null for a line that was cut off with the process that wrote it. */
function parseEntry(line: string): JournalEntry | null {
  const note = parsedJson(line);
  if (typeof note !== "object" || note === null) return null;
  const { path, slug, sha256, key, at } = note as Partial<Record<keyof JournalEntry, unknown>>;
  if (typeof path !== "string" || typeof slug !== "string" || typeof sha256 !== "string") return null;
  if (typeof key !== "string" || !/^[0-9a-f-]{36}$/.test(key) || typeof at !== "string") return null;
  return { path, slug, sha256, key, at };
}

/** A line begins with its own line break: one that was cut off before it stays alone. */
const lines = (notes: readonly JournalEntry[]): string => notes.map((note) => `\n${JSON.stringify(note)}`).join("");

/** On disk when it returns. One write, so that two pushes at once don't mix their lines. */
function append(file: string, notes: readonly JournalEntry[]): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  write(file, constants.O_APPEND, notes);
}

/** Two pushes into one project that end at once may lose a note of each other, and with it no more than a second run. */
function replace(file: string, notes: readonly JournalEntry[]): void {
  const beside = `${file}.${randomUUID()}`;
  write(beside, constants.O_EXCL, notes);
  renameSync(beside, file);
}

/** The descriptor is no link's; where the system knows no such flag it counts as nothing. */
function write(file: string, how: number, notes: readonly JournalEntry[]): void {
  const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_NOFOLLOW | how, 0o600);
  try {
    writeSync(descriptor, lines(notes));
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
