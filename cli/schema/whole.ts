// The whole catalogue for programs (docs/reference/experience.md §2, "schema"); its own shape is catalogue.schema.json.
import { errorCodes } from "@plinth/contract/errors";
import { scopesOf } from "@plinth/contract/operation";

import type { Command } from "../command/command.ts";
import { globalFlags } from "../session/settings.ts";
import { exitCodeOf, exitCodes, failureCodes, isRetryable } from "../failure/failure.ts";
import { collectionOf } from "../request/list-pages.ts";
import { build, version } from "../version.ts";
import { errorsOfCommand, exitCodesOf } from "./command-errors.ts";
import { environment } from "./environment.ts";
import { flagEntries } from "./flag-entry.ts";
import { errorOutput, previewOutput } from "./outputs.ts";

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
    summary: command.summary,
    description: command.description ?? null,
    args: positionals ? [argEntry(positionals)] : [],
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

const argEntry = ({ name, description, values }: NonNullable<Command["positionals"]>) => ({
  name,
  description,
  values: values ?? null,
});
