// The catalogue in one line a command: small enough to be read at the start of every session.
import type { Command } from "../command/command.ts";
import { exitCodes } from "../failure/failure.ts";
import type { Flag, Flags } from "../flags/flags.ts";
import { globalFlags } from "../flags/global-flags.ts";
import { isNegation, negationOf } from "../flags/input-flags.ts";
import { subjectFlags } from "../arguments/subject.ts";
import { version } from "../version.ts";
import { exactly, text } from "../output/schemas.ts";
import { schemaVersion } from "./whole.ts";

/** Flags that many commands share, said once: `{page}` stands for them. */
const shared = {
  page: ["limit", "cursor"],
  filter: ["project", "type", "author", "since", "until"],
  place: ["owner", "project-slug"],
  events: ["kind", "actor", "since", "until"],
  expiry: ["workspace-id", "expires"],
  content: ["content", "file"],
  access: ["public-view", "no-public-view", "public-edit", "no-public-edit", "viewer-emails"],
} as const;

const notation = {
  "<artifact>": "owner/project/slug, URL or id",
  short: "ls get cat log edit open = artifact list get content versions edit open",
  "{page}": "[--limit= --cursor=]",
  "{filter}": "[--project= --type= --author= --since= --until=]",
  "{place}": "[--owner= --project-slug=]",
  "{events}": "[--kind= --actor= --since= --until=]",
  "{expiry}": "[--workspace-id= --expires=]",
  "{access}": "[--[no-]public-view --[no-]public-edit --viewer-emails=]",
  "{content}": "--content= or --file= or -",
  "--json=": "@file or -",
  more: "plinth schema <command>",
} as const;

/** JSON Schema of it. */
export const compactOutput = exactly({
  schemaVersion: { const: schemaVersion },
  cli: text,
  notation: { type: "object", additionalProperties: text },
  globalFlags: text,
  exitCodes: { type: "object", additionalProperties: text },
  commands: { type: "array", items: text },
});

/** Under 1,500 tokens for all commands. */
export const compactCatalogue = (commands: readonly Command[]) => ({
  schemaVersion,
  cli: `plinth ${version}`,
  notation,
  globalFlags: flagsOf(globalFlags, globalFlags, unsaid),
  exitCodes,
  commands: commands.filter((command) => !isAlias(command)).map(line),
});

/** Flags of every program. */
const unsaid: ReadonlySet<string> = new Set(["help", "version", "debug"]);

/** Whether another name of its operation is listed. */
const isAlias = ({ operation, path }: Command): boolean => operation?.cli?.aliases?.includes(path) === true;

/** The same for people: a line a command, and nothing else. */
export const compactText = (commands: readonly Command[]): string => commands.map(line).join("\n");

function line({ path, flags, positionals, subject, takesContent }: Command): string {
  const named = subject === undefined ? [] : subjectFlags(subject);
  const isNeeded = named.some((name) => flags[name]?.required);
  const groups = Object.entries(shared).filter(([, names]) =>
    names.every((name) => flags[name] !== undefined && (name === "content" || flags[name].required !== true)),
  );
  const saidOnce = new Set<string>(groups.flatMap(([, names]) => names));
  const own = Object.entries(flags).filter(([name]) => name !== "json" && !saidOnce.has(name) && !named.includes(name));
  const [required, optional] = [true, false].map((wanted) =>
    flagsOf(Object.fromEntries(own.filter(([, flag]) => (flag.required ?? false) === wanted)), flags),
  );
  const words = takesContent ? named.length > 0 && "artifact" : positionals?.name;
  return [
    path,
    words && (isNeeded ? `<${words}>` : `[${words}]`),
    required,
    ...groups.map(([name]) => `{${name}}`),
    optional && `[${optional}]`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** A yes-or-no flag stands once, with its no. */
const flagsOf = (some: Flags, all: Flags, without?: ReadonlySet<string>): string =>
  Object.entries(some)
    .filter(([name, { sameAs }]) => sameAs === undefined && !isNegation(name, all) && without?.has(name) !== true)
    .map(([name, flag]) => shape(negationOf(name, all) === null ? name : `[no-]${name}`, flag))
    .join(" ");

/** Values are said where they are few: the whole catalogue has the others. */
function shape(name: string, { type, valueHint = "" }: Flag): string {
  if (type === "boolean") return `--${name}`;
  return `--${name}=${valueHint.includes("|") && valueHint.length < 33 ? valueHint : ""}`;
}
