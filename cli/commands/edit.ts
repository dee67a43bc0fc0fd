// `plinth artifact edit`: a new version made from the latest, by exact replacements or in the person's editor. How is
// edit/; this reads the line.
import { registry } from "@plinth/contract/registry";
import type { Version } from "@plinth/contract/schemas/artifact";

import { subjectWords } from "../arguments/subject.ts";
import { artifactHint, artifactIdOf } from "../artifacts/artifact-name.ts";
import type { Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { readOperationBody } from "../operations/operation-input.ts";
import type { Edit } from "../edit/by-replacement.ts";
import type { Publishing } from "../edit/target.ts";
import { usage } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import { artifactFlag, inputFlags } from "../flags/input-flags.ts";
import { describe } from "../output/describe.ts";
import { missingNote } from "../output/missing.ts";
import { preview } from "../output/preview.ts";
import type { Result } from "../output/print.ts";

const operation = registry["version.edit"];

const flags: Flags = {
  "artifact-id": { type: "string", ...artifactFlag, field: "artifactId" },
  ...inputFlags(operation, { omit: ["artifactId", "edits"] }),
  replace: { type: "string", valueHint: "old", multiple: true, description: "Text that occurs once; repeatable" },
  with: { type: "string", valueHint: "new", multiple: true, description: "What comes in its place; one for each" },
  all: { type: "boolean", description: "Replace every place, however often it occurs" },
  json: {
    type: "string",
    valueHint: "body",
    description: 'Edits as JSON, {"edits": [{"oldText", "newText"}]}: literal, @file or -',
  },
};

export const editCommand: Command = {
  path: "artifact edit",
  summary: "Change the latest text by exact replacements, or in your editor",
  description:
    "With --replace the text is neither fetched nor sent. Without it, on a terminal, VISUAL or EDITOR opens,\n" +
    "and your text is kept where it cannot be published.",
  flags,
  subject: { kind: "artifact" },
  positionals: subjectWords({ kind: "artifact" }),
  short: "edit",
  stdin: "the body (--json -)",
  effect: "create",
  idempotent: false,
  checkable: true,
  confirm: false,
  operation,
  output: operation.output,
  examples: [
    "plinth artifact edit ada/demo/report --replace 'Q2: 41 %' --with 'Q2: 43 %' --changelog 'Corrected'",
    "plinth artifact edit art_01jd8w3c5t7k9m2n4p6q8r0s1v --replace teh --with the --all",
    "plinth artifact edit ada/demo/report",
  ],
  run,
};

async function run(context: Context, values: Values): Promise<Result> {
  const body = await bodyOf(values, context);
  const edits = editsOf(values, body);
  const publishing = await publishingOf(values, body, context);
  const isAll = values.flags["all"] === true;
  if (edits === null && isAll) throw usage("--all needs --replace");
  if (edits === null)
    return shown(await (await import("../edit/by-editor.ts")).editInEditor(publishing, context), context);
  if (context.settings.dryRun && !isAll)
    return preview(context.requestBuilder.request("version.edit", { ...publishing, edits: [...edits] }));
  const { replaceEverywhere, replaceOnce } = await import("../edit/by-replacement.ts");
  return shown(await (isAll ? replaceEverywhere : replaceOnce)(publishing, edits, context), context);
}

function shown(version: Version, { progress }: Context): Result {
  const note = missingNote(version);
  if (note !== null) progress(note);
  return { value: version, text: (style) => describe(version, style) };
}

async function bodyOf({ flags: given }: Values, { reader }: Context): Promise<Readonly<Record<string, unknown>>> {
  return typeof given["json"] === "string" ? readOperationBody(given["json"], reader, operation) : {};
}

/** Null where the line names none. */
function editsOf({ flags: given }: Values, body: Readonly<Record<string, unknown>>): readonly Edit[] | null {
  const [olds, news] = [listOf(given["replace"]), listOf(given["with"])];
  if (olds.length !== news.length)
    throw usage(`There are ${olds.length} of --replace and ${news.length} of --with`, {
      hint: "Give one --with after each --replace; an empty one deletes: --with=",
    });
  if (olds.includes("")) throw usage("--replace must not be empty");
  const pairs = olds.map((oldText, place) => ({ oldText, newText: news[place] ?? "" }));
  if (given["json"] === undefined) return pairs.length === 0 ? null : pairs;
  if (pairs.length > 0) throw usage("--json and --replace exclude each other");
  const { edits } = body;
  if (!Array.isArray(edits) || !edits.every(isEdit) || edits.length === 0)
    throw usage("--json must hold edits, a list of oldText and newText", {
      hint: `Such as {"edits": [{"oldText": "teh", "newText": "the"}]}`,
    });
  return edits;
}

const listOf = (given: unknown): readonly string[] => (Array.isArray(given) ? given.map(String) : []);

const isEdit = (value: unknown): value is Edit =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "oldText") === "string" &&
  Reflect.get(value, "oldText") !== "" &&
  typeof Reflect.get(value, "newText") === "string";

/** Flags win over the body. */
async function publishingOf(
  { flags: given }: Values,
  body: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<Publishing> {
  const { edits: _edits, ...rest } = body;
  const artifact = given["artifact-id"] ?? body["artifactId"];
  if (typeof artifact !== "string")
    throw usage("artifact edit needs an artifact", {
      hint: `Give ${artifactHint}`,
      next: "plinth artifact edit --help",
    });
  const fields = {
    ...rest,
    ...(given["changelog"] !== undefined && { changelog: given["changelog"] }),
    ...(given["expected-latest-version"] !== undefined && { expectedLatestVersion: given["expected-latest-version"] }),
  };
  return { ...fields, artifactId: await artifactIdOf(artifact, context) } as Publishing;
}
