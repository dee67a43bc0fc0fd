// One run of the command line from its words to its exit code. Every way out passes here.
import { locate, readFlags, requireText } from "./arguments/arguments.ts";
import { helpFor } from "./arguments/help.ts";
import { withSubject } from "./arguments/subject.ts";
import { didYouMean, nearest } from "@plinth/contract/suggestion";
import { catalogue } from "./catalogue.ts";
import type { Command } from "./command/command.ts";
import { createContext, type Context } from "./command/context.ts";
import { toFailure } from "./command/error-hints.ts";
import { ownFailure, usage, type Failure } from "./failure/failure.ts";
import { OutputFailure } from "./failure/system-error.ts";
import type { Values } from "./flags/flags.ts";
import type { Format } from "./flags/global-flags.ts";
import type { Io } from "./io/io.ts";
import { printFailure, printResult, redactSecrets, type Result, unknownField } from "./output/print.ts";
import { collectionOf } from "./request/list-pages.ts";
import { fillTarget } from "./arguments/fill-target.ts";
import { guessFormat, isOn } from "./session/settings.ts";
import { readUserConfig } from "./session/user-config.ts";
import { withSpinner } from "./terminal/progress.ts";
import { withoutControls } from "./terminal/style.ts";
import { versionText } from "./version.ts";

/** Runs one line; the exit code. Standard output holds the result alone, and nothing where it failed. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let format: Format = guessFormat(argv, io);
  let context: Context | null = null;
  let command: Command | null = null;
  const fail = async (error: unknown): Promise<number> => {
    const failure = toFailure(error, command?.path ?? null, context?.used());
    const secrets = [...secretsOf(argv, io), ...(context?.secrets ?? [])];
    if (context?.settings.debug ?? (argv.includes("--debug") || isOn(io.env["SERVICE_DEBUG"])))
      await io.stderr.write(`${withoutControls(redactSecrets(stackOf(failure), secrets))}\n`);
    await printFailure(failure, format, io, (text) => redactSecrets(text, secrets));
    return failure.exitCode;
  };
  try {
    requireText(argv);
    const help = helpFor(argv, catalogue);
    if (help !== null) {
      await io.stdout.write(help);
      return 0;
    }
    const config = await readUserConfig(io.env);
    format = guessFormat(argv, io, config);
    const { node, path, rest } = locate(argv, catalogue);
    command = node.command;
    const values = readFlags(rest, command);
    if (values.flags["version"] === true) {
      await io.stdout.write(`${versionText(values.flags["format"] === "json" ? "json" : "text")}\n`);
      return 0;
    }
    if (command === null)
      throw usage(`"plinth ${path.join(" ")}" needs a subcommand`, {
        hint: `There are ${[...node.children.keys()].join(", ")}`,
        next: `plinth ${path.join(" ")} --help`,
      });
    context = createContext(values, withSpinner(io, values.flags["quiet"] === true), config);
    format = context.settings.format;
    await check(command, context);
    const target = await fillTarget(command, await withSubject(command, values, context), io, config);
    for (const note of target.notes) context.progress(note);
    const result = await untilInterrupted(work(command, target.values, context), command, target.values, io);
    await printResult(result, context.settings, io);
    await (await import("./update-notice.ts")).noticeUpdate(context);
    return result.failure ? await fail(result.failure) : (result.exitCode ?? 0);
  } catch (error) {
    if (error instanceof OutputFailure && error.isClosedPipe && !writes(command)) return 0;
    return fail(error);
  }
}

/** What it did has an answer that the caller must not miss; a reader that has seen enough (`| head`) may stop any other. */
const writes = (command: Command | null): boolean =>
  command !== null && command.effect !== "read" && command.effect !== "local";

/** Asks a person for what is missing, then runs the command. */
async function work(command: Command, values: Values, context: Context): Promise<Result> {
  if (!context.io.stdin.isTerminal || !context.io.stderr.isTerminal) return command.run(context, values);
  const { askForMissing } = await import("./command/ask-for-missing.ts");
  return command.run(context, await askForMissing(command, values, context));
}

/** Refuses what the command has no use for, before anything is sent. */
async function check(command: Command, { settings }: Context): Promise<void> {
  if (settings.jq !== null) {
    if (settings.field !== null) throw usage("--field and --jq exclude each other");
    await (await import("./output/jq.ts")).jqFilter(settings.jq);
  }
  if (settings.check && !command.checkable)
    throw usage(`--check is not for ${command.path}`, { hint: "--dry-run shows the request of any command" });
  if (settings.check && settings.dryRun) throw usage("--check and --dry-run exclude each other");
  if (settings.field === null || settings.dryRun) return;
  const output = (settings.ndjson && itemOf(command)) || command.output;
  // The answer may be of any form.
  const { type, properties } = output as { readonly type?: string | readonly string[]; readonly properties?: object };
  const isOpen = Array.isArray(type) && type.includes("object") && properties === undefined;
  const known = isOpen ? null : unknownField(output, settings.field);
  if (known === null) return;
  const near = didYouMean(nearest(settings.field.split(".").at(-1) ?? "", known));
  const collection = command.operation && collectionOf(command.operation);
  const inItems = collection !== null && unknownField(command.output, `${collection}.${settings.field}`) === null;
  throw usage(`The result of ${command.path} has no such field`, {
    hint: inItems
      ? `It is a list: --field ${collection}.${settings.field}, or --ndjson --field ${settings.field}`
      : near || (known.length > 0 ? `There are ${known.join(", ")}` : "It is no object"),
  });
}

/** The schema of what `--ndjson` prints one a line; null where the command gives no list. */
function itemOf({ operation, output }: Command): object | null {
  const collection = operation && collectionOf(operation);
  const { properties = {} } = output as { properties?: Readonly<Record<string, { items?: object }>> };
  return (collection !== null && properties[collection]?.items) || null;
}

function untilInterrupted<Value>(work: Promise<Value>, command: Command, values: Values, io: Io): Promise<Value> {
  const stopped = writes(command)
    ? "Interrupted before it was done; what was sent may have taken effect"
    : "Interrupted before it was done";
  const detail = command.interruptEnds?.(values) ?? stopped;
  return new Promise((resolve, reject) => {
    io.onInterrupt(() =>
      reject(
        ownFailure("interrupted", detail, {
          hint:
            command.afterInterrupt ??
            (writes(command) ? "Look at what is there before you run it again" : "Run it again"),
        }),
      ),
    );
    work.then(resolve, reject);
  });
}

/** Secrets a line that could not be read may hold. */
const secretsOf = (argv: readonly string[], { env }: Io): string[] =>
  [
    ...argv.flatMap((word, place) => {
      const before = argv[place - 1];
      if (before === "--token" || before === "--share-token") return [word];
      return /^--(?:share-)?token=(.*)$/s.exec(word)?.[1] ?? [];
    }),
    env["SERVICE_TOKEN"],
    env["PLINTH_ID_TOKEN"],
    env["SERVICE_SHARE_TOKEN"],
    env["OPERATOR_TOKEN"],
  ].filter((secret) => secret !== undefined);

function stackOf(failure: Failure): string {
  const stacks = [];
  for (let error: unknown = failure; error instanceof Error; error = error.cause)
    stacks.push(error.stack ?? error.message);
  return stacks.join("\ncaused by ");
}
