// Help from the catalogue: examples first, one screen.
import type { Command, Node } from "../command/command.ts";
import type { Flag, Flags } from "../flags/flags.ts";
import { globalFlags } from "../flags/global-flags.ts";
import { isNegation, negationOf } from "../flags/input-flags.ts";
import { subjectFlags } from "./subject.ts";
import { leaves, locate } from "./arguments.ts";

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
  return path.length === 0 ? rootHelp() : groupHelp(node, path);
}

function rootHelp(): string {
  return page([
    "Publish markdown, html and jsx as immutable versions at durable addresses",
    section("Examples", ["plinth login", "plinth push report.md --project-slug demo", "plinth log ada/demo/report"]),
    section("Daily commands", aligned(daily.map(([name, summary]): [string, string] => [name, summary]))),
    section("More commands", aligned(groups.map(({ title, names }): [string, string] => [title, names.join(", ")]))),
    'More: "plinth <command> --help", "plinth help flags", /docs of your instance',
  ]);
}

/** What people use every day, in the order of a document's life. */
const daily: readonly (readonly [name: string, summary: string])[] = [
  ["push", "Publish files and folders"],
  ["pull", "Write a project to a folder"],
  ["ls", "List your artifacts, or those of a project"],
  ["get", "Show an artifact: title, type, version, access"],
  ["cat", "Print the source of an artifact"],
  ["log", "List the versions of an artifact"],
  ["diff", "Compare two versions, or a local file with what is published"],
  ["edit", "Change an artifact's text by replacements, or in your editor"],
  ["open", "Open an artifact in the browser"],
  ["search", "Find artifacts by their titles and texts"],
];

const groups: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: "Artifacts", names: ["artifact", "access", "share", "audit", "path"] },
  { title: "Projects, people", names: ["project", "workspace", "member", "invitation"] },
  { title: "Your account", names: ["login", "logout", "status", "whoami", "profile", "keys", "agent"] },
  { title: "Set up", names: ["init", "config", "completion", "version", "upgrade"] },
  { title: "For programs", names: ["api", "schema", "health"] },
  { title: "For operators", names: ["operator"] },
];

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
function commandHelp(command: Command): string {
  const { summary, description, examples, flags, positionals, path, stdin, checkable, subject } = command;
  const named = subject === undefined ? [] : subjectFlags(subject);
  const sorted = Object.entries(flags)
    .filter(([name]) => !isNegation(name, flags) && !named.includes(name))
    .toSorted(([, a], [, b]) => Number(b.required ?? false) - Number(a.required ?? false));
  const rows = sorted.map(([name, flag]): [string, string] => [
    shape(negationOf(name, flags) === null ? name : `[no-]${name}`, flag),
    `${flag.description}${flag.required ? " (required)" : ""}`,
  ]);
  const isNeeded = named.some((name) => flags[name]?.required);
  return page([
    [`plinth ${path}: ${summary}`, description ?? ""]
      .flatMap((text) => wrapped(text.split(/\s+/)))
      .join("\n")
      .trim(),
    usageOf(command, isNeeded),
    section("Examples", examples.flatMap(onScreen)),
    ...(positionals ? [section("Arguments", argumentLines(positionals, named))] : []),
    ...(rows.length > 0 ? [section("Flags", aligned(rows))] : []),
    [
      ...(stdin === null ? [] : [`Standard input: ${stdin}.`]),
      ...(checkable ? ["--check checks on the server without writing anything."] : []),
      'Flags of every command: "plinth help flags"',
    ].join("\n"),
  ]);
}

function usageOf({ path, short, positionals, flags }: Command, isNeeded: boolean): string {
  const words =
    positionals === undefined
      ? ""
      : positionals.name
          .split(" ")
          .map((name) => (isNeeded ? ` <${name}>` : ` [${name}]`))
          .join("");
  const rest = `${words}${Object.keys(flags).length > 0 ? " [flags]" : ""}`;
  return [...(short === undefined ? [] : [short]), path]
    .map((name, place) => `${place === 0 ? "Usage: " : "   or: "}plinth ${name}${rest}`)
    .join("\n");
}

/** `named` are the flags that say the same as the first argument. */
function argumentLines({ name, description }: NonNullable<Command["positionals"]>, named: readonly string[]): string[] {
  const same = named.length === 0 ? "" : `. The same as ${named.map((flag) => `--${flag}`).join(", ")}`;
  return aligned([[name, `${description}${same}`]]);
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
