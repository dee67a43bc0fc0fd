// Reads the line strictly: which command, which flags, which values. An unknown word ends the run
// before anything is sent (docs/reference/experience.md §2, "Strictness"). Values are never echoed: they may be
// secrets.
import { parseArgs } from "node:util";

import type { Command, Node } from "../command/command.ts";
import { usage } from "../failure/failure.ts";
import type { Flag, Flags, Values } from "../flags/flags.ts";
import { globalFlags } from "../flags/global-flags.ts";
import { helpFor, nameOf, parseFailure, unknownCommand, unknownFlag } from "./argument-failures.ts";
import { didYouMean, nearest } from "@plinth/contract/suggestion";

export interface Located {
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
      throw usage(`--${name} is given ${times} times`, {
        hint: "Give it once",
        next: helpFor(path),
      });
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
    throw usage(`--${name} ${error instanceof Error ? error.message : "is not valid"}`, {
      next,
      cause: error,
    });
  }
}
