// The data of the completion scripts, read from the catalogue: subcommands, flags, and the values of flags. All names are
// checked to be plain words, so a script cannot contain other code.
import type { Command, Node } from "../command/command.ts";
import type { Flags } from "../flags/flags.ts";
import { globalFlags } from "../flags/global-flags.ts";

export interface Named {
  readonly name: string;
  readonly summary: string;
}

/** What comes after a flag: one of these, a file, or something only the person knows. */
export type Taken = readonly string[] | "file" | "anything";

export interface Place {
  /** The words so far, without the program's own. */
  readonly words: readonly string[];
  /** Subcommands, or the values of the command's arguments. */
  readonly next: readonly Named[];
  readonly flags: readonly Named[];
  /** Whether the arguments are files. */
  readonly files: boolean;
  /** The flags that take a value. */
  readonly takes: Readonly<Record<string, Taken>>;
  /** A whole command: words after it are arguments. */
  readonly isCommand: boolean;
}

/** Every place a line can have come to, the root first. */
export function placesOf(node: Node, words: readonly string[] = []): Place[] {
  const { command } = node;
  if (command !== null) return [commandPlace(command, words)];
  const children = [...node.children];
  const next = children.map(([name, child]) => ({
    name: plain(name),
    summary: child.command?.summary ?? [...child.children.keys()].join(", "),
  }));
  const here: Place = { words, next, ...flagsOf(globalFlags), files: false, isCommand: false };
  return [here, ...children.flatMap(([name, child]) => placesOf(child, [...words, name]))];
}

function commandPlace({ flags, positionals }: Command, words: readonly string[]): Place {
  const values = positionals?.values ?? [];
  return {
    words,
    next: values.map((name) => ({ name: plain(name), summary: positionals?.description ?? "" })),
    ...flagsOf({ ...flags, ...globalFlags }),
    files: positionals?.name === "file",
    isCommand: true,
  };
}

function flagsOf(flags: Flags): Pick<Place, "flags" | "takes"> {
  const entries = Object.entries(flags);
  return {
    flags: entries.map(([name, { description }]) => ({ name: `--${plain(name)}`, summary: description })),
    takes: Object.fromEntries(
      entries
        .filter(([, { type }]) => type === "string")
        .map(([name, { values, valueHint }]) => [
          `--${plain(name)}`,
          values?.map(plain) ?? (valueHint === "path" ? "file" : "anything"),
        ]),
    ),
  };
}

/** A word that means itself in every shell. @throws Error */
function plain(word: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._:-]*$/.test(word)) return word;
  throw new Error(`"${word}" is no word for a shell`);
}

/** Text in single quotes, for the shells that read nothing in them; it stays on its line. */
export const quoted = (text: string): string =>
  `'${text
    .replaceAll(/\p{C}+/gu, " ")
    .replaceAll("\\", "")
    .replaceAll("'", "’")}'`;

/** How the command lines of a place and a flag are matched: `artifact get`, `artifact get --format`. */
export const keyOf = ({ words }: Place, ...more: readonly string[]): string => [...words, ...more].join(" ");

/** The flags that take a value, gathered by what they take. */
export function byTaken(places: readonly Place[]): { keys: readonly string[]; taken: Taken }[] {
  const gathered = new Map<string, { keys: string[]; taken: Taken }>();
  for (const place of places)
    for (const [flag, taken] of Object.entries(place.takes)) {
      const name = JSON.stringify(taken);
      const group = gathered.get(name) ?? { keys: [], taken };
      group.keys.push(keyOf(place, flag));
      gathered.set(name, group);
    }
  return [...gathered.values()];
}
