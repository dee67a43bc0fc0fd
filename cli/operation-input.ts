// The input of an operation from what stands on the line: flags, a file, a body.
import { hasBody, pathFields, type CommandName, type Operation } from "@plinth/contract/operation";
import type { OperationName } from "@plinth/contract/registry";

import type { Flags, Values } from "./command.ts";
import type { Context } from "./context.ts";
import { usage } from "./failure.ts";
import { flagName, givenFields } from "./input-flags.ts";
import { readBody } from "./json-body.ts";

/** An operation of the registry that has a command. */
export type CommandOperation = Operation & {
  readonly name: OperationName;
  readonly cli: CommandName;
};

/** Flags, `--file` and `--json` together as the operation's input. @throws Failure usage */
export async function readInput(
  op: CommandOperation,
  path: string,
  flags: Flags,
  context: Context,
  values: Values,
): Promise<Record<string, unknown>> {
  const json = values.flags["json"];
  const body = typeof json === "string" ? await readBody(json, context.reader) : null;
  const content = await readContent(context, values);
  const fields: Record<string, unknown> = {
    ...body,
    ...content,
    ...givenFields(flags, values.flags),
  };
  // What a body lacks the server says best, with every field at once; what only flags can give is told here.
  const needed = Object.values(flags).flatMap(({ field, required }) =>
    field !== undefined && required ? [field] : [],
  );
  const missing = needed.filter(
    (field) => fields[field] === undefined && (body === null || pathFields(op).includes(field)),
  );
  if (missing.length === 0) return fields;
  const names = missing.map((field) => `--${flagName(field)}`);
  throw usage(`${path} needs ${names.join(", ")}`, {
    ...(hasBody(op) && body === null && { hint: "Give the flags, or the whole input with --json" }),
    next: `plinth ${path} --help`,
  });
}

async function readContent({ reader }: Context, { flags, positionals }: Values): Promise<{ content?: string }> {
  const unexpected = positionals.find((word) => word !== "-");
  if (unexpected !== undefined || positionals.length > 1)
    throw usage("The only argument taken is - for standard input", {
      hint: "Give a file with --file",
    });
  const named = [flags["file"], ...positionals].filter((name) => typeof name === "string");
  if (named.length + (flags["content"] === undefined ? 0 : 1) > 1)
    throw usage("The content is given twice", { hint: "Give one of --content, --file and -" });
  const name = named[0];
  return name === undefined ? {} : { content: (await reader.source(name)).content };
}
