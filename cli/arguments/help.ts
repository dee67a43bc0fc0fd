// Help from the catalogue: examples first, one screen.
import type { Command, Node } from "../command/command.ts";
import type { Flag, Flags } from "../flags/flags.ts";
import { globalFlags } from "../flags/global-flags.ts";
import { isNegation, negationOf } from "../flags/input-flags.ts";
import { leaves } from "./argument-failures.ts";
import { locate } from "./arguments.ts";

/** The help a line asks for (`--help`, `-h`, `help …`, or nothing at all); null where it asks for none. @throws Failure usage */
export function helpFor(argv: readonly string[], root: Node): string | null {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  const asked = argv.length === 0 || words[0] === "help" || words.some((word) => word === "--help" || word === "-h");
  if (!asked) return null;
  const rest = words.filter((word, place) => word !== "--help" && word !== "-h" && !(place === 0 && word === "help"));
  if (words[0] === "help" && rest[0] === "flags") return globalFlagsHelp();
  const { node, path } = locate(rest, root);
  if (node.command) return commandHelp(node.command);
  return path.length === 0 ? rootHelp(node) : groupHelp(node, path);
}

function rootHelp(root: Node): string {
  const commands = [...root.children].map(([name, node]): [string, string] => [
    name,
    node.command?.summary ?? shortNames(node).join(", "),
  ]);
  return page([
    "Publish markdown, html and jsx as immutable versions at durable addresses",
    section("Examples", [
      "plinth login",
      "plinth push --project-slug demo report.md --ensure",
      "plinth schema --compact",
    ]),
    section("Commands", aligned(commands)),
    'More: "plinth <command> --help", "plinth help flags"',
  ]);
}

const shortNames = (node: Node): string[] =>
  [...node.children].map(([name, child]) => (child.command ? name : `${name} ${shortNames(child).join("|")}`));

function groupHelp(node: Node, path: readonly string[]): string {
  const commands = leaves(node).map((name): [string, string] => [
    name,
    commandAt(node, name.split(" ").slice(path.length))?.summary ?? "",
  ]);
  return page([
    section(`plinth ${path.join(" ")}`, aligned(commands)),
    `More: "plinth ${path.join(" ")} <command> --help"`,
  ]);
}

const commandAt = (node: Node, words: readonly string[]): Command | null =>
  words.reduce<Node | undefined>((at, word) => at?.children.get(word), node)?.command ?? null;

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { summary, description, examples, flags, positionals, path, stdin, checkable } = command;
  const sorted = Object.entries(flags)
    .filter(([name]) => !isNegation(name, flags))
    .toSorted(([, a], [, b]) => Number(b.required ?? false) - Number(a.required ?? false));
  const rows = sorted.map(([name, flag]): [string, string] => [
    shape(negationOf(name, flags) === null ? name : `[no-]${name}`, flag),
    `${flag.description}${flag.required ? " (required)" : ""}`,
  ]);
  if (positionals) rows.push([`[${positionals.name}]`, positionals.description]);
  return page([
    [`plinth ${path}: ${summary}`, description ?? ""]
      .flatMap((text) => wrapped(text.split(/\s+/)))
      .join("\n")
      .trim(),
    section("Examples", examples.flatMap(onScreen)),
    ...(rows.length > 0 ? [section("Flags", aligned(rows))] : []),
    [
      ...(stdin === null ? [] : [`Standard input: ${stdin}.`]),
      ...(checkable ? ["--check asks the server for the would-be result."] : []),
      'Flags of every command: "plinth help flags"',
    ].join("\n"),
  ]);
}

function globalFlagsHelp(): string {
  const flags: Flags = globalFlags;
  const rows = Object.entries(flags).map(([name, flag]): [string, string] => [
    shape(name, flag),
    `${flag.description}${flag.env ? ` [${flag.env}]` : ""}`,
  ]);
  return page([section("Flags of every command, anywhere on the line", aligned(rows))]);
}

const shape = (name: string, { short, valueHint }: Flag): string =>
  `${short === undefined ? "" : `-${short}, `}--${name}${valueHint ? ` <${valueHint.length > 24 ? "name" : valueHint}>` : ""}`;

/** Columns of text beside the margins. */
const screen = 76;

const section = (title: string, lines: readonly string[]): string =>
  [title, ...lines.map((line) => `  ${line}`)].join("\n");

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const column = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.flatMap(([name, text]) =>
    wrapped(text.split(" "), Math.max(24, screen - column)).map(
      (line, place) => `${(place === 0 ? name : "").padEnd(column)}  ${line}`,
    ),
  );
}

function wrapped(words: readonly string[], columns = screen): string[] {
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    if (last.length + word.length >= columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  return lines;
}

/** A long example goes on in the next line, so that it can be copied whole. */
function onScreen(example: string): string[] {
  // A flag stays with its value.
  const words = example.match(/--[a-z-]+ (?!-)(?:'[^']*'|\S+)|'[^']*'|\S+/g) ?? [];
  const lines = wrapped(words, screen - 2);
  return lines.map((line, place) => `${place === 0 ? "" : "  "}${line}${place < lines.length - 1 ? " \\" : ""}`);
}

const page = (sections: readonly string[]): string => `${sections.join("\n\n")}\n`;
