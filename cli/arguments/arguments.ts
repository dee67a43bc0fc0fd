// Reads the line strictly: which command, which flags, which values. An unknown word ends the run
// before anything is sent (docs/reference/experience.md §2, "Strictness"). Values are never echoed: they may be
// secrets.
import { parseArgs } from "node:util";

import type { Command, Node } from "../command/command.ts";
import { type Failure, usage } from "../failure/failure.ts";
import type { Flag, Flags, Values } from "../flags/flags.ts";
import { globalFlags } from "../flags/global-flags.ts";
import { codeOf } from "../failure/system-error.ts";
import { didYouMean, nearest } from "@plinth/contract/suggestion";

// The failures of a line that cannot be read: the fault, a suggestion, and the command that shows help. Never the
// values: they may be secrets.

/** A failure for what `util.parseArgs` refuses; anything else as it is. */
function parseFailure(error: unknown, known: Flags, path: readonly string[]): unknown {
  if (!(error instanceof Error)) return error;
  const flag = /'(?:-\w, )?(-[^'\s=]*)/.exec(error.message)?.[1] ?? "";
  const next = helpFor(path);
  switch (codeOf(error)) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION":
      return unknownFlag(flag, known, path);
    case "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL":
      return usage(`${path.join(" ") || "plinth"} takes only flags`, {
        hint: "Quote values that hold spaces",
        next,
      });
    case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE":
      return known[nameOf(flag)]?.type === "boolean"
        ? usage(`${flag} takes no value`, { next })
        : usage(`${flag} needs a value`, {
            hint: `A value that begins with a dash is written ${flag}=-value`,
            next,
          });
    default:
      return error;
  }
}

/** The failure for an unknown flag. */
function unknownFlag(word: string, known: Flags, path: readonly string[]): Failure {
  const name = nameOf(word);
  const near = nearest(name, Object.keys(known)).map((flag) => `--${flag}`);
  // A word with one dash that holds no letters of flags is rather a file.
  const isFile = !word.startsWith("--") && path[0] === "push";
  const place = path.length === 0 ? "" : ` for ${path.join(" ")}`;
  const shown = word.startsWith("--") ? `--${name}` : word.slice(0, 2);
  const hint = isFile
    ? "A file whose name begins with a dash is written ./-name"
    : didYouMean(near) || (path.length === 0 ? "A command's own flags come after its name" : "");
  return usage(`Unknown flag ${shown}${place}`, { ...(hint && { hint }), next: helpFor(path) });
}

/** The failure for an unknown command. */
function unknownCommand(word: string, path: readonly string[], node: Node, root: Node): Failure {
  const here = nearest(word, node.children.keys()).map((name) => [...path, name].join(" "));
  const all = leaves(root);
  const last = new Set(all.flatMap((command) => command.split(" ")));
  const meant = last.has(word) ? [word] : nearest(word, last).slice(0, 1);
  const elsewhere = all.filter((command) => command.split(" ").some((part) => meant.includes(part)));
  const near = (here.length > 0 ? here : elsewhere.slice(0, 3)).map((command) => `plinth ${command}`);
  const known = [...node.children.keys()];
  const hint = didYouMean(near) || (path.length === 0 ? "" : `There are ${known.join(", ")}`);
  // A word of another form may be a secret in the wrong place.
  const shown = /^[a-z][a-z-]{0,30}$/.test(word)
    ? ` "${[...path, word].join(" ")}"`
    : path.length === 0
      ? ""
      : ` after "${path.join(" ")}"`;
  return usage(`Unknown command${shown}`, {
    ...(hint && { hint }),
    next: helpFor(path),
  });
}

/** The paths of every command below a node. */
export function leaves(node: Node): string[] {
  return node.command ? [node.command.path] : [...node.children.values()].flatMap(leaves);
}

/** The flag's name without dashes and value. */
const nameOf = (word: string): string => word.replace(/^--?/, "").split("=")[0] ?? "";

/** The line that explains the command. */
export const helpFor = (path: readonly string[]): string => ["plinth", ...path, "--help"].join(" ");

interface Located {
  readonly node: Node;
  /** The command's words as far as they went. */
  readonly path: readonly string[];
  /** The line without those words. */
  readonly rest: readonly string[];
}

const globals: Flags = globalFlags;

/** `--constructor` is no flag, though every object has one. */
const ownMember = (flags: Flags, name: string): Flag | undefined =>
  Object.hasOwn(flags, name) ? flags[name] : undefined;

/** Nothing that is no text can be sent: half a character, or a NUL. @throws Failure usage */
export function requireText(argv: readonly string[]): void {
  const place = argv.findIndex((word) => !word.isWellFormed() || word.includes("\0"));
  if (place >= 0)
    throw usage(`Word ${place + 1} of the line is not text`, { hint: "It holds half a character, or a NUL" });
}

/** Finds the command, stepping over global flags and their values. @throws Failure usage */
export function locate(argv: readonly string[], root: Node): Located {
  const path: string[] = [];
  const rest: string[] = [];
  let node = root;
  let place = 0;
  for (; place < argv.length && node.command === null; place++) {
    const word = argv[place] ?? "";
    if (word === "--") break;
    if (word.startsWith("-") && word !== "-") {
      rest.push(word);
      const flag = word === "-h" ? globals["help"] : ownMember(globals, nameOf(word));
      if (flag === undefined) throw unknownFlag(word, globals, path);
      const value = argv[place + 1];
      if (flag.type === "string" && !word.includes("=") && value !== undefined) {
        rest.push(value);
        place++;
      }
      continue;
    }
    const child = node.children.get(word);
    if (child === undefined) throw unknownCommand(word, path, node, root);
    node = child;
    path.push(word);
  }
  return { node, path, rest: [...rest, ...argv.slice(place)] };
}

/** Reads the flags of a command, and the global ones, each at most once unless it may be repeated. @throws Failure usage */
export function readFlags(
  words: readonly string[],
  command: Pick<Command, "path" | "flags" | "positionals"> | null,
): Values {
  const path = command?.path.split(" ") ?? [];
  const known: Flags = { ...globals, ...command?.flags };
  const { values, tokens, positionals } = parseStrictly(words, known, path, command?.positionals !== undefined);
  const flags: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(values)) {
    const flag = ownMember(known, name);
    if (flag === undefined) continue;
    const times = tokens.filter((token) => token.kind === "option" && token.name === name).length;
    if (times > 1 && !flag.multiple)
      throw usage(`--${name} is given ${times} times`, { hint: "Give it once", next: helpFor(path) });
    flags[name] = Array.isArray(given)
      ? given.flatMap((text) => readValue(name, flag, String(text), path))
      : flag.type === "boolean"
        ? given
        : readValue(name, flag, String(given), path);
  }
  return { flags, positionals };
}

function parseStrictly(words: readonly string[], known: Flags, path: readonly string[], allowPositionals: boolean) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, flag]) => [
      name,
      {
        type: flag.type,
        ...(flag.multiple && { multiple: true }),
        ...(flag.short !== undefined && { short: flag.short }),
      },
    ]),
  );
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals, tokens: true });
  } catch (error) {
    throw parseFailure(error, known, path);
  }
}

/** The value of a flag. @throws Failure usage */
export function readValue(name: string, flag: Flag, text: string, path: readonly string[]): unknown {
  const next = helpFor(path);
  if (flag.values && !flag.read && !flag.values.includes(text)) {
    const near = didYouMean(nearest(text, flag.values));
    throw usage(`--${name} must be one of ${flag.values.join(", ")}`, {
      ...(near && { hint: near }),
      next,
    });
  }
  if (flag.read === undefined) return text;
  try {
    return flag.read(text);
  } catch (error) {
    throw usage(`--${name} ${error instanceof Error ? error.message : "is not valid"}`, { next, cause: error });
  }
}
