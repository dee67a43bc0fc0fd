// An operation of the registry with its input, as a line of the command line, a line of curl and a call of an MCP tool.
// Pure, and without a secret: where a token belongs there is the name of a variable.
import { flagName } from "@plinth/contract/flag-name";
import { findTool, nameInTool } from "@plinth/contract/mcp/tools";
import { bodyFields, hasBody, pathFields, type Operation } from "@plinth/contract/operation";
import { createClient } from "@plinth/contract/client";
import { registry, type Input, type OperationName } from "@plinth/contract/registry";
import type { CopyAs } from "#lib/copy-as.ts";
import { copyAsTexts } from "#messages/copy-as.ts";

// Texts of other people in lines that are pasted into a shell: one word stays one word with any content, and what a
// terminal or an eye would take for something else is written out.

/** Characters that command a terminal, are not seen, or turn the order of what is read. */
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;
const everyMisleading = new RegExp(misleading, "gu");

const isMisleading = (text: string): boolean => misleading.test(text);

/** One word of a POSIX shell. @throws Error where the text can't be shown as it is: JSON can say it instead */
export function shellWord(text: string): string {
  if (isMisleading(text)) throw new Error("This text is said in JSON.");
  return /^[A-Za-z0-9_./:,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** JSON in which nothing is hidden. It parses to the same value. */
export const openJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(everyMisleading, (character) => {
    if (character === "\n") return character;
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => String.raw`\u` + unit.toString(16).padStart(4, "0")).join("");
  });

type Fields = Readonly<Record<string, unknown>>;

/** The part of JSON Schema that says how a flag is read. */
interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
}

export function copyAs<Name extends OperationName>(
  publicUrl: string,
  about: string,
  name: Name,
  input: Input<Name>,
): CopyAs {
  const op: Operation = registry[name];
  const note = op.credential === undefined ? null : copyAsTexts()[op.credential];
  if (op.credential === "session") return { about, ways: [], note };
  const fields = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const line = commandLine(op, fields);
  const call = toolCall(op, fields);
  return {
    about,
    note,
    ways: [
      ...(line === null
        ? []
        : [{ surface: "CLI" as const, code: `export SERVICE_BASE_URL=${shellWord(publicUrl)}\n${line}` }]),
      { surface: "curl", code: curlLine(publicUrl, name, input) },
      ...(call === null ? [] : [{ surface: "MCP" as const, code: call }]),
    ],
  };
}

/** Null where the operation has no command, or the command no word for it. */
function commandLine(op: Operation, fields: Fields): string | null {
  if (op.cli === undefined) return null;
  const inPath = flagsOf(op, pathFields(op), fields);
  if (inPath === null) return null;
  const rest = bodyFields(op).filter((field) => field in fields);
  const body = Object.fromEntries(rest.map((field) => [field, fields[field]]));
  const flags = flagsOf(op, rest, fields) ?? (hasBody(op) ? [`--json ${jsonWord(body)}`] : null);
  if (flags === null) return null;
  const yes = op.effect === "delete" && op.cli.unconfirmed !== true ? ["--yes"] : [];
  return ["plinth", op.cli.command, ...inPath, ...flags, ...yes].join(" ");
}

/** Null where one of them is not to be said by a flag. */
function flagsOf(op: Operation, names: readonly string[], fields: Fields): string[] | null {
  const flags = names
    .filter((field) => field in fields)
    .map((field) => flagOf(op, field, fields[field], op.input.properties[field] as Schema));
  return flags.every((flag) => flag !== null) ? flags : null;
}

function flagOf(op: Operation, field: string, value: unknown, schema: Schema): string | null {
  const name = flagName(field);
  const isNullable = schema.anyOf?.some(({ type }) => type === "null") ?? false;
  if (typeof value === "boolean") return value ? `--${name}` : hasBody(op) ? `--no-${name}` : null;
  if (typeof value === "number") return `--${name} ${value}`;
  if (value === null) return isNullable ? `--${name} none` : null;
  if (typeof value === "string")
    return (isNullable && value === "none") || isMisleading(value) ? null : given(name, value);
  if (Array.isArray(value) && value.every((member) => typeof member === "string")) return listFlag(name, value, schema);
  return `--${name} ${jsonWord(value)}`;
}

/** A list is said with commas between. */
function listFlag(name: string, members: readonly string[], { minItems = 0 }: Schema): string | null {
  if (members.length === 0) return minItems === 0 ? `--${name} none` : null;
  const text = members.join(",");
  const isPlain = members.every((member) => member !== "" && member === member.trim() && !member.includes(","));
  return isPlain && text !== "none" && !isMisleading(text) ? given(name, text) : null;
}

/** A value that looks like a flag is joined to its own. */
const given = (name: string, value: string): string =>
  value.startsWith("-") ? `--${name}=${shellWord(value)}` : `--${name} ${shellWord(value)}`;

const jsonWord = (value: unknown, indent = 0): string =>
  `'${openJson(value, indent).replaceAll("'", String.raw`\u0027`)}'`;

function curlLine<Name extends OperationName>(publicUrl: string, name: Name, input: Input<Name>): string {
  const op: Operation = registry[name];
  const { method, url } = createClient({ baseUrl: publicUrl }).request(name, input);
  const fields = input as Fields;
  const rest = bodyFields(op).filter((field) => fields[field] !== undefined);
  const body = Object.fromEntries(rest.map((field) => [field, fields[field]]));
  const isUsual = method === (hasBody(op) ? "POST" : "GET");
  return [
    `curl ${isUsual ? "" : `-X ${method} `}${shellWord(url)}`,
    `  -H "authorization: Bearer $SERVICE_TOKEN"`,
    ...(hasBody(op) ? [`  -H "content-type: application/json"`, `  -d ${jsonWord(body, 2)}`] : []),
  ].join(" \\\n");
}

/** Null where no tool does it, or not with these fields. */
function toolCall(op: Operation, fields: Fields): string | null {
  const tool = op.mcp === undefined ? undefined : findTool(op.mcp.tool);
  if (tool === undefined) return null;
  const named = Object.entries(fields).map(([field, value]) => [nameInTool(tool, field), value] as const);
  if (!named.every(([field]) => field in tool.input.properties)) return null;
  return openJson({ name: tool.name, arguments: Object.fromEntries(named) }, 2);
}
