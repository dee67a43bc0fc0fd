// A command: a leaf of citty's tree with the additional data for help, the schema and the runner. Knows no command in
// particular.
import type { Operation } from "@plinth/contract/operation";
import { defineCommand, type ArgsDef, type CommandDef } from "citty";

import type { FailureCode } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import type { Result } from "../output/print.ts";
import type { Context } from "./context.ts";

/** What the first word of a line can name. */
export type Subject =
  /** Becomes `--artifact-id`, and `--version` where its address has one. */
  | { readonly kind: "artifact" }
  /** The names of an artifact, which need not exist. */
  | { readonly kind: "address" }
  /** `flag` is the one for the project's slug. */
  | { readonly kind: "project"; readonly flag: string }
  /** Becomes `--project-id`, for the identifier of which its address may stand. */
  | { readonly kind: "projectId" }
  | { readonly kind: "id"; readonly flag: string };

export interface Command {
  /** The words that name it: "artifact get". */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly flags: Flags;
  readonly positionals?: { readonly name: string; readonly description: string; readonly values?: readonly string[] };
  /** What its first word names (arguments/subject.ts). */
  readonly subject?: Subject;
  /** The words after the subject are its content. */
  readonly takesContent?: true;
  /** It settles the target of others: no file says where it goes. */
  readonly settlesTarget?: true;
  /** Its name at the top: `get` for `artifact get`. */
  readonly short?: string;
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
  /** What to do once it was interrupted. */
  readonly afterInterrupt?: string;
  /** What an interrupt means where it is the only end of such a line. */
  readonly interruptEnds?: (values: Values) => string | null;
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

/** A node of the catalogue: citty's own definition, and the command where it is a leaf. */
export interface Node {
  readonly definition: CommandDef;
  readonly children: ReadonlyMap<string, Node>;
  readonly command: Command | null;
}

/** Puts commands into the tree that their paths describe. */
export const commandTree = (name: string, description: string, commands: readonly Command[]): Node =>
  group(
    name,
    description,
    grow(
      commands.flatMap((command) => [
        { words: command.path.split(" "), command },
        ...(command.short === undefined ? [] : [{ words: [command.short], command }]),
      ]),
    ),
  );

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
      leaf && rest.length === 0 ? leafNode(word, leaf.command) : group(word, `${word} commands`, grow(rest)),
    );
  }
  return children;
}

/** Arguments are made when they are asked for: a line runs one command of many. */
const leafNode = (name: string, command: Command): Node => ({
  definition: defineCommand({ meta: { name, description: command.summary }, args: () => argsOf(command) }),
  children: new Map(),
  command,
});

const argsOf = ({ flags }: Command): ArgsDef =>
  Object.fromEntries(
    Object.entries(flags).map(([flag, { type, description, valueHint, required }]) => [
      flag,
      { type, description, ...(valueHint && { valueHint }), ...(required && { required }) },
    ]),
  );

function group(name: string, description: string, children: ReadonlyMap<string, Node>): Node {
  const subCommands = () => Object.fromEntries([...children].map(([word, node]) => [word, node.definition]));
  return { definition: defineCommand({ meta: { name, description }, subCommands }), children, command: null };
}
