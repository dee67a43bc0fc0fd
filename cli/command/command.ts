// What a command is, for the runner, help and the schema, and the tree of all commands. Knows no single command.
import type { Operation } from "@plinth/contract/operation";

import type { FailureCode } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import type { Result } from "../output/print.ts";
import type { Context } from "./context.ts";

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

/** A node of the command tree: a group with children, or a command. */
export interface Node {
  readonly children: ReadonlyMap<string, Node>;
  readonly command: Command | null;
}

/** Builds the tree that the paths of the commands describe. */
export const commandTree = (commands: readonly Command[]): Node =>
  groupNode(commands.map((command) => ({ words: command.path.split(" "), command })));

interface PlacedCommand {
  readonly words: readonly string[];
  readonly command: Command;
}

function groupNode(placed: readonly PlacedCommand[]): Node {
  const children = new Map<string, Node>();
  for (const word of new Set(placed.map(({ words }) => words[0] ?? ""))) {
    const members = placed.filter(({ words }) => words[0] === word);
    const command = members.find(({ words }) => words.length === 1)?.command ?? null;
    const below = members.filter(({ words }) => words.length > 1);
    const isCommand = command !== null && below.length === 0;
    children.set(
      word,
      isCommand
        ? { children: new Map(), command }
        : groupNode(below.map((member) => ({ ...member, words: member.words.slice(1) }))),
    );
  }
  return { children, command: null };
}
