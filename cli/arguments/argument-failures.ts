// The failures of a line that cannot be read: the fault, a suggestion, and the command that shows help. Never the
// values: they may be secrets.
import type { Node } from "../command/command.ts";
import { codeOf } from "../failure/system-error.ts";
import { usage, type Failure } from "../failure/failure.ts";
import type { Flags } from "../flags/flags.ts";
import { didYouMean, nearest } from "@plinth/contract/suggestion";

/** A failure for what `util.parseArgs` refuses; anything else as it is. */
export function parseFailure(error: unknown, known: Flags, path: readonly string[]): unknown {
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
export function unknownFlag(word: string, known: Flags, path: readonly string[]): Failure {
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
export function unknownCommand(word: string, path: readonly string[], node: Node, root: Node): Failure {
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
export const nameOf = (word: string): string => word.replace(/^--?/, "").split("=")[0] ?? "";

/** The line that explains the command. */
export const helpFor = (path: readonly string[]): string => ["plinth", ...path, "--help"].join(" ");
