// The data of the completion scripts, read from the catalogue: subcommands, flags, and the values of flags. All names are
// checked to be plain words, so a script cannot contain other code.
import type { Command, Node } from "../command/command.ts";
import type { Flags } from "../flags/flags.ts";
import { globalFlags } from "../flags/global-flags.ts";

export interface Named {
  readonly name: string;
  readonly summary: string;
}

/** What the instance has names of: an artifact's address, `owner/project`, and a project's slug alone. */
export const nameKinds = ["artifact", "project", "project-slug"] as const;
export type NameKind = (typeof nameKinds)[number];

/** What comes after a flag: one of these, a file, a name of the instance, or something only the person knows. */
export type FlagValues = readonly string[] | "file" | "anything" | NameKind;

export interface Position {
  /** The words so far, without the program's own. */
  readonly words: readonly string[];
  /** Subcommands, or the values of the command's arguments. */
  readonly next: readonly Named[];
  readonly flags: readonly Named[];
  /** Whether the arguments are files. */
  readonly files: boolean;
  /** The names of the instance that the first argument is one of. */
  readonly names: NameKind | null;
  /** The flags that take a value. */
  readonly flagValues: Readonly<Record<string, FlagValues>>;
  /** A whole command: words after it are arguments. */
  readonly isCommand: boolean;
}

/** Every place a line can have come to, the root first. */
export function positionsOf(node: Node, words: readonly string[] = []): Position[] {
  const { command } = node;
  if (command !== null) return [commandPlace(command, words)];
  const children = [...node.children];
  const next = children.map(([name, child]) => ({
    name: plain(name),
    summary: child.command?.summary ?? [...child.children.keys()].join(", "),
  }));
  const here: Position = { words, next, ...flagsOf(globalFlags), files: false, names: null, isCommand: false };
  return [here, ...children.flatMap(([name, child]) => positionsOf(child, [...words, name]))];
}

function commandPlace({ flags, positionals, subject, takesContent }: Command, words: readonly string[]): Position {
  const values = positionals?.values ?? [];
  return {
    words,
    next: values.map((name) => ({ name: plain(name), summary: positionals?.description ?? "" })),
    ...flagsOf({ ...flags, ...globalFlags }),
    files: takesContent === true || (positionals !== undefined && /^file\b/.test(positionals.name)),
    names: namesOf(subject),
    isCommand: true,
  };
}

function namesOf(subject: Command["subject"]): NameKind | null {
  if (subject?.kind === "artifact" || subject?.kind === "address") return "artifact";
  return subject?.kind === "project" ? "project" : null;
}

const namedByFlag: Readonly<Record<string, NameKind>> = { "artifact-id": "artifact", "project-slug": "project-slug" };

function flagsOf(flags: Flags): Pick<Position, "flags" | "flagValues"> {
  const entries = Object.entries(flags);
  return {
    flags: entries.map(([name, { description }]) => ({ name: `--${plain(name)}`, summary: description })),
    flagValues: Object.fromEntries(
      entries
        .filter(([, { type }]) => type === "string")
        .map(([name, { values, valueHint }]) => [
          `--${plain(name)}`,
          values?.map(plain) ?? namedByFlag[name] ?? (valueHint === "path" ? "file" : "anything"),
        ]),
    ),
  };
}

/** A word that means itself in every shell. @throws Error */
function plain(word: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._:-]*$/.test(word)) return word;
  throw new Error(`"${word}" is no word for a shell`);
}

/** `@artifact` for a kind of name, so that a script does not take it for a word. */
export const markedKind = (taken: string): string => (nameKinds.some((kind) => kind === taken) ? `@${taken}` : taken);

/** Text in single quotes, for the shells that read nothing in them; it stays on its line. */
export const quoted = (text: string): string =>
  `'${text
    .replaceAll(/\p{C}+/gu, " ")
    .replaceAll("\\", "")
    .replaceAll("'", "’")}'`;

/** How the command lines of a place and a flag are matched: `artifact get`, `artifact get --format`. */
export const keyOf = ({ words }: Position, ...more: readonly string[]): string => [...words, ...more].join(" ");

/** The flags that take a value, gathered by what they take. */
export function groupByValues(places: readonly Position[]): { keys: readonly string[]; taken: FlagValues }[] {
  const gathered = new Map<string, { keys: string[]; taken: FlagValues }>();
  for (const place of places)
    for (const [flag, taken] of Object.entries(place.flagValues)) {
      const name = JSON.stringify(taken);
      const group = gathered.get(name) ?? { keys: [], taken };
      group.keys.push(keyOf(place, flag));
      gathered.set(name, group);
    }
  return [...gathered.values()];
}
