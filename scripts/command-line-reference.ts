// `bun run docs:cli`: generates docs/command-line.md from the command line's own catalogue. It knows no command.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { commands } from "../cli/catalogue.ts";
import type { Command } from "../cli/command/command.ts";
import { type Failure, clientFailure, exitCodes, failureCodes, ownFailure } from "../cli/failure/failure.ts";
import type { Flag, Flags } from "../cli/flags/flags.ts";
import { globalFlags } from "../cli/flags/global-flags.ts";
import { isNegation, negationOf } from "../cli/flags/input-flags.ts";
import { type ErrorCode, errorCodes } from "../contract/errors.ts";
import { scopesOf } from "../contract/operation.ts";
import { table } from "./markdown-table.ts";
import { root } from "./step.ts";

export const referencePath = join(root, "docs/command-line.md");

/** The whole page. */
export const reference = (): string =>
  [
    "# The command line",
    "Written by `bun run docs:cli` from the catalogue that the command line runs by; `plinth <command> --help` and " +
      "`plinth schema` say the same. How to get it is in the [README](../README.md#the-command-line).",
    "Standard output has the result alone: text on a terminal, JSON elsewhere. Everything else is on standard error, " +
      "and where a command fails, standard output is empty and the last line of standard error is the error, as " +
      '`{"error": {…}}` in JSON. Exit code 2 means that nothing was sent.',
    "- [Commands](#commands)\n- [Flags of every command](#flags-of-every-command)\n- [Environment](#environment)\n" +
      "- [Exit codes](#exit-codes)\n- [Error codes](#error-codes)",
    "## Commands",
    table(
      ["Command", "What it does"],
      commands.map(({ path, summary }) => [`[\`${path}\`](#${anchor(`plinth ${path}`)})`, summary]),
    ),
    ...commands.map(commandSection),
    "## Flags of every command",
    "They may stand anywhere on the line. A flag goes before its variable.",
    flagTable(globalFlags),
    "## Environment",
    table(["Variable", "What it says"], environment()),
    "## Exit codes",
    table(["Code", "Meaning"], Object.entries(exitCodes)),
    "## Error codes",
    "`code` of the error object. What may be tried again as it is has `retryable: true`.",
    table(["Code", "Exit code", "HTTP status", "Title"], failureCodes.map(failureRow)),
  ].join("\n\n") + "\n";

function commandSection(command: Command): string {
  const { path, summary, description, flags, positionals, examples } = command;
  return [
    `### plinth ${path}`,
    `${summary}.`,
    ...(description ? [description] : []),
    ["```sh", ...examples, "```"].join("\n"),
    ...(Object.keys(flags).length > 0 || positionals ? [flagTable(flags, positionals)] : []),
    facts(command)
      .map((fact) => `- ${fact}`)
      .join("\n"),
  ].join("\n\n");
}

function facts({ operation, stdin, effect, idempotent, checkable, confirm }: Command): string[] {
  const scopes = operation ? scopesOf(operation) : [];
  return [
    ...(operation ? [`Endpoint: \`${operation.method} ${operation.path}\``] : []),
    ...(operation ? [`Needs: ${needs(operation.caller, scopes)}`] : []),
    `Effect: ${effect}${effect === "read" || effect === "local" ? "" : idempotent ? "; running it again changes nothing more" : "; each run does it again"}`,
    ...(stdin === null ? [] : [`Standard input: ${stdin}`]),
    ...(checkable ? ["`--check` checks on the server without writing anything"] : []),
    ...(confirm ? ["Without `--yes` nothing is sent, exit code 2"] : []),
  ];
}

const needs = (caller: "anyone" | "authenticated" | "operator", scopes: readonly string[]): string =>
  [
    { anyone: "no token", authenticated: "a token", operator: "the operator token" }[caller],
    ...(scopes.length > 0 ? [`with ${scopes.map((scope) => `\`${scope}\``).join(" and ")}`] : []),
  ].join(caller === "anyone" ? "; a key or login " : " ");

function flagTable(flags: Flags, positionals?: Command["positionals"]): string {
  const rows = Object.entries(flags)
    .filter(([name]) => !isNegation(name, flags))
    .toSorted(([, a], [, b]) => Number(b.required ?? false) - Number(a.required ?? false))
    .map(([name, flag]) => [shape(name, flag, negationOf(name, flags) !== null), meaning(flag)]);
  if (positionals) rows.push([`\`[${positionals.name}]\``, positionals.description]);
  return table(["Flag", "What it says"], rows);
}

const shape = (name: string, { valueHint, type }: Flag, hasNegation: boolean): string =>
  `\`--${hasNegation ? "[no-]" : ""}${name}${type === "string" ? ` <${valueHint ?? "text"}>` : ""}\``;

const meaning = ({ description, required, multiple, env, values, valueHint }: Flag): string =>
  [
    `${description}${required ? " (required)" : ""}`,
    ...(values && valueHint !== values.join("|") ? [`One of ${values.map((value) => `\`${value}\``).join(", ")}`] : []),
    ...(multiple && !description.includes("repeatable") ? ["May be repeated"] : []),
    ...(env ? [`Or \`${env}\``] : []),
  ].join(". ");

function environment(): string[][] {
  const flags: Flags = globalFlags;
  return [
    ...Object.entries(flags).flatMap(([name, { env, description }]) =>
      env ? [[`\`${env}\``, `As \`--${name}\`: ${description}`]] : [],
    ),
    ["`OPERATOR_TOKEN`", "The operator token, for `plinth operator …`"],
    ["`CI`", "Never prompt, as `--no-input`"],
    [
      "`XDG_CONFIG_HOME`",
      "Where `plinth/credentials.json` is, and `plinth/config.json` with the address of the latest `login --base-url` (`~/.config`)",
    ],
    [
      "`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`",
      "Proxy of each scheme, and the hosts that need none; small letters do as well (the npm form needs Node 20.18.1 for it)",
    ],
    ["`NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE`", "File of certificate authorities to trust as well (PEM)"],
    ["`NO_COLOR`, `TERM=dumb`", "No colours"],
  ];
}

function failureRow(code: string): string[] {
  const isServers = code in errorCodes;
  const { exitCode, retryable, problem }: Failure = isServers
    ? clientFailure(code as ErrorCode, "")
    : ownFailure(code as Parameters<typeof ownFailure>[0], "");
  const status = isServers ? String(errorCodes[code as ErrorCode].status) : "";
  return [`\`${code}\``, `${exitCode}${retryable ? ", retryable" : ""}`, status, problem.title];
}

/** The anchor that GitHub generates for a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");

if (import.meta.main) writeFileSync(referencePath, reference());
