// A command made from one operation of the registry: flags from its input, the request, the answer as the
// result. Differences of single commands come as overrides; no operation is named here.
import { pageLimit } from "@plinth/contract/limits";
import { hasBody, pathFields } from "@plinth/contract/operation";
import { registry, type Input } from "@plinth/contract/registry";

import { artifactIdOf, artifactPathOf } from "../artifacts/artifact-name.ts";
import { ownFailure, usage } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import { inputFlags } from "../flags/input-flags.ts";
import { describe } from "../output/describe.ts";
import { listText } from "../output/lists.ts";
import { preview } from "../output/preview.ts";
import type { Result } from "../output/print.ts";
import { collectionOf, eachItem, type Page } from "../request/list-pages.ts";
import { findShareToken } from "../session/share-token.ts";
import { oneLine, type Style } from "../terminal/style.ts";
import { jsonFormat, type Command } from "./command.ts";
import type { Context } from "./context.ts";
import { readInput, type CommandOperation } from "./operation-input.ts";
import type { CommandOverride } from "./overrides.ts";

/** What every command may be told about its body. */
const jsonBody = {
  type: "string",
  valueHint: "body",
  description: "Input as JSON: literal, @file or -; flags win over it",
} as const;

const contentFlag = {
  type: "string",
  valueHint: "text",
  description: "Source text; or give --file or -",
  required: true,
  field: "content",
} as const;

const file = {
  type: "string",
  valueHint: "path",
  description: "Content from a file, or - for standard input",
} as const;

const yes = { type: "boolean", description: "Confirm", required: true } as const;

/** Makes the command of an operation. */
export function operationCommand(op: CommandOperation, path: string, refinement: CommandOverride = {}): Command {
  const takesBody = hasBody(op);
  const takesContent = "content" in op.input.properties;
  let made: Flags | null = null;
  const flags = () => (made ??= flagsOf(op, refinement));
  return {
    path,
    summary: op.summary,
    ...(op.description !== undefined && { description: op.description }),
    // Made when they are asked for: a line runs one command of many.
    get flags() {
      return flags();
    },
    ...(takesContent && { positionals: { name: "-", description: "Content from standard input" } }),
    ...(refinement.words && { positionals: refinement.words }),
    stdin: takesContent ? "content (-) or the body (--json -)" : takesBody ? "the body (--json -)" : null,
    effect: refinement.otherwise ? registry[refinement.otherwise.name].effect : op.effect,
    idempotent: op.effect !== "create",
    checkable: op.dryRun === true,
    confirm: needsYes(op),
    operation: op,
    output: op.output,
    ...textOutputOf(op, refinement),
    get examples() {
      return (path === op.cli.command && op.cli.examples) || [exampleOf(path, flags())];
    },
    run: (context, values) => run({ op, path, refinement, flags: flags() }, context, values),
  };
}

const flagsOf = (op: CommandOperation, { otherwise, ...refinement }: CommandOverride): Flags => ({
  ...inputFlags(op, refinement),
  ...("content" in op.input.properties && { content: contentFlag, file }),
  json: hasBody(op) ? { ...jsonBody, schema: bodySchema(op) } : jsonFormat,
  ...(otherwise && { [otherwise.flag]: { type: "boolean" as const, description: otherwise.description } }),
  ...(needsYes(op) && { yes }),
});

/** What `--json` takes: every field that does not travel in the path. */
function bodySchema({ input, ...op }: CommandOperation): object {
  const inPath = new Set(pathFields({ input, ...op }));
  const properties = Object.entries(input.properties).filter(([field]) => !inPath.has(field));
  return { type: "object", additionalProperties: false, properties: Object.fromEntries(properties) };
}

function textOutputOf(op: CommandOperation, { textOutput }: CommandOverride): Pick<Command, "textOutput"> {
  if (op.media === "source")
    return { textOutput: "the source, byte for byte, in every format; on a terminal without control characters" };
  if (op.media === "thumbnail")
    return { textOutput: "the picture, byte for byte, in every format; on a terminal what it is" };
  if (textOutput !== undefined) return { textOutput };
  if (collectionOf(op) !== null) return { textOutput: "a table" };
  const { type, properties = {} } = op.output as { readonly type?: string; readonly properties?: object };
  const isNothing = type === "object" && Object.keys(properties).every((name) => name === "dryRun");
  return isNothing ? { textOutput: "nothing" } : {};
}

const needsYes = (op: CommandOperation): boolean => op.effect === "delete" && op.cli.unconfirmed !== true;

interface Made {
  readonly op: CommandOperation;
  readonly path: string;
  readonly refinement: CommandOverride;
  readonly flags: Flags;
}

async function run({ op, path, refinement, flags }: Made, context: Context, values: Values): Promise<Result> {
  const { settings } = context;
  const { missingHint, words, needsShareToken } = refinement;
  const given = await readInput({ op, path, flags, words: words?.field, missingHint }, context, values);
  if (needsShareToken && findShareToken(context) === null)
    throw usage(`${path} needs a share token`, { hint: "Give --share-token or SERVICE_SHARE_TOKEN" });
  if (needsYes(op) && values.flags["yes"] !== true) {
    throw ownFailure("confirmation_needed", `${op.summary}: this is done only when confirmed`, {
      hint: "Add --yes",
    });
  }
  const artifact = given["artifactId"];
  const fields =
    typeof artifact === "string" ? { ...given, artifactId: await idOf(artifact, refinement, context) } : given;
  const collection = collectionOf(op);
  if (collection !== null && !settings.ndjson && Number(fields["limit"] ?? 1) > pageLimit.max) {
    throw usage(`--limit must be at most ${pageLimit.max}`, {
      hint: "With --ndjson it may be more: every page is followed",
    });
  }
  const input = fields as Input<typeof op.name>;
  const { otherwise } = refinement;
  const name = otherwise !== undefined && values.flags[otherwise.flag] === true ? otherwise.name : op.name;
  if (settings.dryRun) return preview(context.requestBuilder.request(name, input));
  const client = await context.api(op.caller === "operator" ? "operator" : undefined);
  if (op.media !== undefined) {
    const accept = op.media === "diff" ? (refinement.accept?.(context) ?? "application/json") : "*/*";
    if (op.media === "thumbnail")
      return readPicture(await client.send(op.name, input, { headers: { accept } }), path, context);
    return readMedia(await client.send(op.name, input, { headers: { accept } }), refinement);
  }
  if (collection !== null && settings.ndjson)
    return { value: null, items: eachItem(client, op.name, fields, collection, sayMore(context)) };
  const value: unknown = await client.call(name, input, { dryRun: settings.check });
  const { text } = refinement;
  if (text) return { value, text: (style) => text(value, style) };
  if (collection === null)
    return isNothing(value)
      ? { value: {}, text: done(path, fields, refinement, context) }
      : { value, text: (style) => describe(value, style, op.secrets) };
  return { value, text: (style) => readList(value, collection, style, context, refinement.empty) };
}

async function readMedia(response: Response, { bytesText }: CommandOverride): Promise<Result> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (isJson) return { value: await response.json() };
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return bytesText ? { value: text, text: (style) => bytesText(text, style) } : { value: text, bytes };
}

/** On a terminal it is only said what it is. */
async function readPicture(response: Response, path: string, { io, progress }: Context): Promise<Result> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const thumbnail = response.headers.get("x-thumbnail");
  const value = { thumbnail, mediaType: response.headers.get("content-type"), sizeBytes: bytes.length };
  if (thumbnail === "pending") progress("It is still being taken: this is an SVG that stands for it");
  if (thumbnail === "placeholder") progress("None could be taken: this is an SVG that stands for it");
  if (!io.stdout.isTerminal) return { value, bytes };
  progress(`A picture is nothing for a terminal. Send it to a file: plinth ${path} … > picture.webp`);
  return { value };
}

function readList(value: unknown, collection: string, style: Style, context: Context, empty?: string): string {
  const page = value as Page;
  if (page.nextCursor !== null) sayMore(context)(page.nextCursor);
  return listText(collection, page[collection] as readonly unknown[], style, empty);
}

const sayMore =
  ({ progress }: Context) =>
  (cursor: string) =>
    progress(`There is more: --cursor ${oneLine(cursor)}`);

const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0);

async function idOf(given: string, { findsDeleted }: CommandOverride, context: Context): Promise<string> {
  const path = findsDeleted === true ? artifactPathOf(given, context) : null;
  if (path === null) return artifactIdOf(given, context);
  return (await import("../artifacts/deleted-artifact.ts")).deletedArtifactIdOf(path, context);
}

const done =
  (path: string, fields: Record<string, unknown>, { followUp }: CommandOverride, context: Context) =>
  () => {
    const subject = Object.values(fields).find((value) => typeof value === "string");
    context.progress(`Done: ${path}${subject === undefined ? "" : ` ${subject}`}`);
    if (followUp && subject !== undefined) context.progress(followUp(subject));
    return "";
  };

const samples: Readonly<Record<string, string>> = {
  "artifact-id": "art_01jd8w3c5t7k9m2n4p6q8r0s1v",
  "workspace-id": "wsp_01jd8w3c5t7k9m2n4p6q8r0s1v",
  "user-id": "usr_01jd8w3c5t7k9m2n4p6q8r0s1v",
  owner: "ada",
  "project-slug": "demo",
  slug: "report",
  title: "Report",
  name: "ci",
  username: "ada",
  email: "ada@example.com",
  scopes: "artifacts:read,artifacts:create",
  from: "1",
  to: "2",
  version: "2",
  "invitation-token": "http://localhost:3000/invitations/accept#6f1c…",
  "api-key-id": "key_01jd8w3c5t7k9m2n4p6q8r0s1v",
  "agent-id": "agt_01jd8w3c5t7k9m2n4p6q8r0s1v",
  "invitation-id": "inv_01jd8w3c5t7k9m2n4p6q8r0s1v",
  role: "member",
  content: "-",
};

/** The command's words with its required flags; content comes from a file. */
function exampleOf(path: string, flags: Flags): string {
  const required = Object.entries(flags).filter(([, flag]) => flag.required);
  const words = required.map(([name, flag]) => {
    if (name === "content") return "--file report.md";
    return flag.type === "boolean" ? `--${name}` : `--${name} ${samples[name] ?? flag.values?.[0] ?? "text"}`;
  });
  return ["plinth", path, ...words].join(" ");
}
