// What a command is: what help, the schema and the runner need of it, and the tree the commands' words make.
// Knows no command in particular.
import type { Operation } from "@plinth/contract/operation";

import type { Context } from "./context.ts";
import type { FailureCode } from "./failure.ts";
import type { Result } from "./output/result.ts";

export interface Flag {
  readonly type: "string" | "boolean";
  readonly description: string;
  /** The one letter that says the same. */
  readonly short?: string;
  /** What stands for the value in help, without brackets. */
  readonly valueHint?: string;
  /** The only values taken, or the only members of a list. */
  readonly values?: readonly string[];
  readonly required?: boolean;
  /** May be given more than once. */
  readonly multiple?: boolean;
  /** The environment variable that says the same. */
  readonly env?: string;
  /** What holds where it is not given. */
  readonly default?: unknown;
  /** JSON Schema of what the text becomes, with its bounds. */
  readonly schema?: object;
  /** The member of the operation's input it becomes. */
  readonly field?: string;
  /** Reads the text of one value. @throws Error whose message completes "--flag …" */
  readonly read?: (text: string) => unknown;
}

export type Flags = Readonly<Record<string, Flag>>;

/** What stood on the line, read: flags by name without dashes. */
export interface Values {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
  /** Flags that were not on the line: a file of settings gave them. */
  readonly filled?: ReadonlySet<string>;
}

export interface Command {
  /** The words that name it: "artifact get". */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly flags: Flags;
  readonly positionals?: { readonly name: string; readonly description: string; readonly values?: readonly string[] };
  /** What standard input is read for; null where it never is. */
  readonly stdin: string | null;
  readonly effect: "read" | "create" | "update" | "delete" | "local";
  /** Running it again changes nothing more. */
  readonly idempotent: boolean;
  /** The server can be asked for the would-be result (`--check`). */
  readonly checkable: boolean;
  /** Needs `--yes`. */
  readonly confirm: boolean;
  readonly operation: Operation | null;
  /** Shows what it would do under `--dry-run` although it is no operation. */
  readonly previews?: true;
  /** Codes it can fail with beside its operation's and those of every line. */
  readonly errors?: readonly FailureCode[];
  /** JSON Schema of what `--format json` prints. */
  readonly output: object;
  /** What text prints, where that is not the output in words. */
  readonly textOutput?: string;
  readonly examples: readonly string[];
  readonly run: (context: Context, values: Values) => Promise<Result>;
}

/** What holds of a command that is no endpoint. */
export const local = { effect: "local", checkable: false, confirm: false, operation: null } as const;

/** The flag of a command whose `--json` is no body. */
export const jsonFormat = { type: "boolean", description: "The same as --format json" } as const;

/** A node of the catalogue, and the command where it is a leaf. */
export interface Node {
  readonly children: ReadonlyMap<string, Node>;
  readonly command: Command | null;
}

/** Puts commands into the tree that their paths describe. */
export const commandTree = (commands: readonly Command[]): Node => ({
  children: grow(commands.map((command) => ({ words: command.path.split(" "), command }))),
  command: null,
});

interface Placed {
  readonly words: readonly string[];
  readonly command: Command;
}

function grow(placed: readonly Placed[]): Map<string, Node> {
  const children = new Map<string, Node>();
  for (const word of new Set(placed.map(({ words }) => words[0] ?? ""))) {
    const members = placed.filter(({ words }) => words[0] === word);
    const leaf = members.find(({ words }) => words.length === 1);
    const rest = members
      .filter(({ words }) => words.length > 1)
      .map((member) => ({ ...member, words: member.words.slice(1) }));
    children.set(
      word,
      leaf && rest.length === 0
        ? { children: new Map(), command: leaf.command }
        : { children: grow(rest), command: null },
    );
  }
  return children;
}
