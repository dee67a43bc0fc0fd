// The whole catalogue for programs (docs/reference/experience.md §2, "schema"), with each command's flags and errors.
// catalogue.schema.json describes its shape.
import { errorCodes } from "@plinth/contract/errors";
import { scopesOf } from "@plinth/contract/operation";
import { errorsOf } from "@plinth/contract/operation-errors";

import { subjectFlags } from "../arguments/subject.ts";
import type { Command } from "../command/command.ts";
import { exitCodeOf, exitCodes, failureCodes, isRetryable, type FailureCode } from "../failure/failure.ts";
import type { Flag, Flags } from "../flags/flags.ts";
import { globalFlags } from "../flags/global-flags.ts";
import { negationOf } from "../flags/input-flags.ts";
import { collectionOf } from "../request/list-pages.ts";
import { build, version } from "../version.ts";
import { errorOutput, previewOutput } from "../output/schemas.ts";

// Every environment variable the command line reads, for programs. A test holds the list to what the code reads.
interface Variable {
  readonly name: string;
  /** The global flag that says the same, and goes before it. */
  readonly flag: string | null;
  readonly description: string;
}

const others: Readonly<Record<string, string>> = {
  OPERATOR_TOKEN: "Operator token, for operator commands",
  DATA_DIR: "Data directory of an instance on this machine, whose operator token is taken (./data)",
  XDG_CONFIG_HOME: "Where the directory plinth with the saved logins is (~/.config)",
  XDG_STATE_HOME: "Where the directory plinth with the journal of pushes is (~/.local/state)",
  HOME: "Home directory, for ~/.config and ~/.local/state",
  VISUAL: "Editor of artifact edit",
  EDITOR: "As VISUAL, after it",
  HTTP_PROXY: "Proxy for requests over http; small letters do as well, and go first",
  HTTPS_PROXY: "Proxy for requests over https; small letters do as well, and go first",
  NO_PROXY: "Hosts that no proxy is used for, with commas between; small letters do as well, and go first",
  NODE_EXTRA_CA_CERTS: "File of certificate authorities to trust as well (PEM)",
  SSL_CERT_FILE: "As NODE_EXTRA_CA_CERTS",
  PATH: "Where git is, which is asked what it ignores",
  CI: "Anything but 0 or false: as --no-input, and no spinner",
  NO_COLOR: "Anything: no colours, no links and no spinner",
  FORCE_COLOR: "1: colours also where no terminal is; 0: none",
  CLICOLOR_FORCE: "1: as FORCE_COLOR",
  PLINTH_AGENT: "Identifier of the agent that trusts the id token in PLINTH_ID_TOKEN",
  PLINTH_ID_TOKEN: "Id token of a CI job, which is exchanged for a token of the agent",
  PLINTH_ALLOW_HTTP: "1: upgrade also without https",
  TERM: "dumb: as NO_COLOR",
  FORCE_HYPERLINK: "Links on a terminal: 0 for never, anything else for always",
  TERM_PROGRAM: "Which terminal this is: whether it shows links",
  VTE_VERSION: "Which version of the terminal library: whether it shows links",
  WT_SESSION: "Set by Windows Terminal, which shows links",
  SSH_CONNECTION: "Set: login shows a code instead of a browser",
  SSH_CLIENT: "As SSH_CONNECTION",
  SSH_TTY: "As SSH_CONNECTION",
  DISPLAY: "Unset, with WAYLAND_DISPLAY, on Linux: login shows a code instead of a browser",
  WAYLAND_DISPLAY: "See DISPLAY",
};

const globals: Flags = globalFlags;

/** Those that say what a flag says come first. */
export const environment: readonly Variable[] = [
  ...Object.entries(globals).flatMap(([name, { env, description }]) =>
    env === undefined ? [] : [{ name: env, flag: `--${name}`, description }],
  ),
  ...Object.entries(others).map(([name, description]) => ({ name, flag: null, description })),
];

/** Grows only; a change that breaks readers raises it. */
export const schemaVersion = 1;

/** Everything about these commands. */
export const wholeCatalogue = (commands: readonly Command[]) => ({
  schemaVersion,
  cli: { name: "plinth", version, build },
  globalFlags: flagEntries(globalFlags),
  env: environment,
  exitCodes,
  errorCodes: failureCodes.map((code) => ({
    code,
    status: code in errorCodes ? errorCodes[code as keyof typeof errorCodes].status : null,
    exitCode: exitCodeOf({ code }),
    retryable: isRetryable(code),
  })),
  errorOutput,
  dryRunOutput: previewOutput,
  commands: commands.map(entry),
});

function entry(command: Command) {
  const { operation, positionals } = command;
  const errors = errorsOfCommand(command);
  return {
    path: command.path,
    short: command.short ?? null,
    summary: command.summary,
    description: command.description ?? null,
    args: positionals ? [argEntry(positionals, command.subject)] : [],
    flags: flagEntries(command.flags),
    stdin: command.stdin,
    effect: command.effect,
    idempotent: command.idempotent,
    dryRun: operation !== null || command.previews === true,
    check: command.checkable,
    confirm: command.confirm ? "--yes" : null,
    scopes: operation === null ? [] : scopesOf(operation),
    endpoint: operation && { method: operation.method, path: operation.path },
    errors,
    exitCodes: exitCodesOf(errors),
    collection: operation && collectionOf(operation),
    output: command.output,
    text: command.textOutput ?? null,
    examples: command.examples,
  };
}

const argEntry = ({ name, description, values }: NonNullable<Command["positionals"]>, subject: Command["subject"]) => ({
  name,
  description,
  sameAs: subject === undefined ? [] : subjectFlags(subject).map((flag) => `--${flag}`),
  values: values ?? null,
});

/** The codes a command's error object can carry, in the order of their exit codes. */
function errorsOfCommand({ operation, errors = [], confirm, stdin }: Command): FailureCode[] {
  const codes = new Set<FailureCode>(["usage", "internal", "interrupted", ...errors]);
  if (operation !== null) {
    for (const code of errorsOf(operation)) codes.add(code);
    // The operator's token is missed by the client: the server says only that nothing is there.
    codes.add("unauthenticated");
  }
  // Nor does it say that another's token is past its time.
  if (codes.has("unauthenticated") && operation?.caller !== "operator") codes.add("token_expired");
  // A token may be read from standard input (--token-stdin), and --no-input forbids prompts.
  if (operation !== null || stdin !== null) codes.add("input_needed");
  if (confirm) codes.add("confirmation_needed");
  return [...codes].toSorted((a, b) => exitCodeOf({ code: a }) - exitCodeOf({ code: b }));
}

/** The exit codes a command can end with; 0 first. */
const exitCodesOf = (codes: readonly FailureCode[]): number[] => [
  ...new Set([0, ...codes.map((code) => exitCodeOf({ code }))]),
];

/** What a value is: `list` is a,b or the flag repeated; `json` any JSON the entry's schema allows. */
type FlagType = "boolean" | "string" | "integer" | "list" | "json";

/** Every flag but the noes: those stand with the flag they negate. */
function flagEntries(flags: Flags) {
  return Object.entries(flags)
    .filter(([name]) => !(name.startsWith("no-") && name.slice(3) in flags))
    .map(([name, flag]) => flagEntry(name, flag, flags));
}

function flagEntry(name: string, flag: Flag, flags: Flags) {
  const negation = negationOf(name, flags);
  return {
    name: `--${name}`,
    type: typeOf(flag),
    required: flag.required ?? false,
    repeatable: flag.multiple ?? false,
    values: flag.values ?? null,
    default: flag.default ?? null,
    env: flag.env ?? null,
    valueHint: flag.valueHint ?? null,
    description: flag.description,
    field: flag.field ?? null,
    schema: flag.schema ?? null,
    ...(negation !== null && { negation: `--${negation}` }),
  };
}

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

function typeOf({ type, schema = {} }: Flag): FlagType {
  if (type === "boolean") return "boolean";
  const { anyOf }: Schema = schema;
  const plain: Schema = anyOf?.find((one) => one.type !== "null") ?? schema;
  if (plain.type === "array") return plain.items?.type === "object" ? "json" : "list";
  return plain.type === "integer" ? "integer" : plain.type === "object" ? "json" : "string";
}
