// An operation's input as the words of a line, by the flags of the catalogue.
import type { Fields } from "../harness/call.ts";
import type { CatalogueCommand } from "./catalogue.ts";
import type { Line } from "./line.ts";

/** Longer values are sent on standard input. */
export const longestWord = 60_000;

export type Said = Pick<Line, "words" | "stdin">;

/** Every field as a flag of the command. */
export function inFlags(command: CatalogueCommand, input: Fields): Said {
  const { content, ...rest } = input;
  if (typeof content !== "string") return { words: [...pathOf(command), ...flagsOf(command, rest)] };
  if (content.length <= longestWord) return { words: [...pathOf(command), ...flagsOf(command, input)] };
  return { words: [...pathOf(command), ...flagsOf(command, rest), "-"], stdin: content };
}

/** The fields of the path as flags, all others as a body on standard input. */
export function inBody(command: CatalogueCommand, input: Fields): Said {
  const inPath = [...(command.endpoint?.path.matchAll(/:(\w+)/g) ?? [])].map((match) => match[1] ?? "");
  const path = Object.entries(input).filter(([field]) => inPath.includes(field));
  const body = Object.fromEntries(Object.entries(input).filter(([field]) => !inPath.includes(field)));
  return {
    words: [...pathOf(command), ...flagsOf(command, Object.fromEntries(path)), "--json", "-"],
    stdin: JSON.stringify(body),
  };
}

/** Whether the command takes its input as a body. */
export const takesBody = ({ flags }: CatalogueCommand): boolean =>
  flags.some(({ name, type }) => name === "--json" && type === "json");

export const pathOf = ({ path }: CatalogueCommand): string[] => path.split(" ");

function flagsOf(command: CatalogueCommand, input: Fields): string[] {
  const words = Object.entries(input).map(([field, value]) => {
    const flag = command.flags.find((one) => one.field === field);
    if (flag === undefined) throw new Error(`${command.path} has no flag for ${field}`);
    if (typeof value === "boolean") return value ? flag.name : (flag.negation ?? "");
    return `${flag.name}=${wordOf(value)}`;
  });
  return [...words, ...(command.confirm === null ? [] : [command.confirm])];
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}
