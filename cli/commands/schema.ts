// `plinth schema`: the catalogue for programs (experience 2, "schema").
import { errorCodes } from "@plinth/contract/errors";

import { jsonFormat, local, type Command, type Flag, type Flags } from "../command.ts";
import { globalFlags } from "../config.ts";
import { exitCodes, failureCodes, usage } from "../failure.ts";
import { isNegation, negationOf } from "../input-flags.ts";
import { didYouMean, nearest } from "../suggestion.ts";
import { build, version } from "../version.ts";

/** Grows only; a change that breaks readers raises it. */
const schemaVersion = 1;
const globals: Flags = globalFlags;

/** Made with the commands it lists, itself among them. */
export function schemaCommand(all: () => readonly Command[]): Command {
  return {
    path: "schema",
    summary: "Print the commands, flags, exit codes and error codes for programs",
    flags: {
      compact: { type: "boolean", description: "One line a command" },
      json: jsonFormat,
    },
    positionals: { name: "command", description: "Only this command, or this group of commands" },
    stdin: null,
    ...local,
    idempotent: true,
    output: {
      type: "object",
      properties: {
        schemaVersion: { type: "integer" },
        cli: { type: "object", properties: { name: {}, version: {}, build: {} } },
        commands: { type: "array", items: {} },
      },
    },
    examples: ["plinth schema", "plinth schema artifact update", "plinth schema --compact"],
    async run(_context, { flags, positionals }) {
      const chosen = choose(all(), positionals.join(" "));
      const value = flags["compact"] === true ? compact(chosen) : whole(chosen);
      return { value, text: () => JSON.stringify(value, null, flags["compact"] === true ? 1 : 2) };
    },
  };
}

function choose(commands: readonly Command[], path: string): readonly Command[] {
  const chosen = commands.filter((command) => path === "" || `${command.path} `.startsWith(`${path} `));
  if (chosen.length > 0) return chosen;
  const near = didYouMean(
    nearest(
      path,
      commands.map((command) => command.path),
    ),
  );
  throw usage(`There is no command "${path}"`, {
    ...(near && { hint: near }),
    next: "plinth schema --compact",
  });
}

const whole = (commands: readonly Command[]) => ({
  schemaVersion,
  cli: { name: "plinth", version, build },
  globalFlags: Object.entries(globals).map(flagEntry),
  env: Object.entries(globals).flatMap(([name, { env, description }]) =>
    env ? [{ name: env, flag: `--${name}`, description }] : [],
  ),
  exitCodes,
  errorCodes: failureCodes.map((code) => ({
    code,
    status: code in errorCodes ? errorCodes[code as keyof typeof errorCodes].status : null,
  })),
  commands: commands.map((command) => ({
    path: command.path,
    summary: command.summary,
    args: command.positionals ? [command.positionals] : [],
    flags: Object.entries(command.flags).map(([name, flag]) => {
      const negation = negationOf(name, command.flags);
      return { ...flagEntry([name, flag]), ...(negation !== null && { negation: `--${negation}` }) };
    }),
    stdin: command.stdin,
    effect: command.effect,
    idempotent: command.idempotent,
    dryRun: command.operation !== null,
    check: command.checkable,
    confirm: command.confirm ? "--yes" : null,
    scopes: command.operation?.scope ? [command.operation.scope] : [],
    endpoint: command.operation && {
      method: command.operation.method,
      path: command.operation.path,
    },
    output: command.output,
    examples: command.examples,
  })),
});

const flagEntry = ([name, flag]: readonly [string, Flag]) => ({
  name: `--${name}`,
  type: flag.type,
  required: flag.required ?? false,
  repeatable: flag.multiple ?? false,
  values: flag.values ?? null,
  description: flag.description,
});

/** Small enough to be read at the start of every session: under 1,500 tokens for all commands. */
const compact = (commands: readonly Command[]) => ({
  schemaVersion,
  cli: `plinth ${version}`,
  globalFlags: Object.entries(globals)
    .map(([name, flag]) => usageOf(name, flag))
    .join(" "),
  exitCodes,
  commands: commands.map(({ path, flags, positionals }) =>
    [
      path,
      ...Object.entries(flags)
        .filter(([name]) => name !== "json" && !isNegation(name, flags))
        .map(([name, flag]): [string, Flag] => [negationOf(name, flags) === null ? name : `[no-]${name}`, flag])
        .map(([name, flag]) => (flag.required ? usageOf(name, flag) : `[${usageOf(name, flag)}]`)),
      ...(positionals ? [`[${positionals.name}]`] : []),
    ].join(" "),
  ),
});

const usageOf = (name: string, { valueHint, type }: Flag): string =>
  type === "boolean"
    ? `--${name}`
    : valueHint?.includes("|") && valueHint.length < 30
      ? `--${name} ${valueHint}`
      : `--${name} …`;
