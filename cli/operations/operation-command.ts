// A command made from one operation of the registry: flags from its input, the request, the answer as the
// result. Differences of single commands come as overrides; no operation is named here.
import { ProblemError, type Client } from "@plinth/contract/client";
import { flagName } from "@plinth/contract/flag-name";
import { pageLimit } from "@plinth/contract/limits";
import { hasBody, pathFields } from "@plinth/contract/operation";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import type { AuditEvent } from "@plinth/contract/schemas/audit";
import { registry, type Input, type OperationName } from "@plinth/contract/registry";

import { subjectFlags, subjectWords } from "../arguments/subject.ts";
import { artifactIdOf, artifactPathOf, projectIdOf } from "../artifacts/artifact-name.ts";
import { ownName } from "../artifacts/project-artifacts.ts";
import { Failure, ownFailure, usage } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import { inputFlags } from "../flags/input-flags.ts";
import { describe } from "../output/describe.ts";
import { listText } from "../output/lists.ts";
import { preview } from "../output/preview.ts";
import type { Result } from "../output/print.ts";
import { collectionOf, eachItem, type Page } from "../request/list-pages.ts";
import { findShareToken } from "../session/share-token.ts";
import { oneLine, type Style } from "../terminal/style.ts";
import { jsonFormat, type Command, type Subject } from "../command/command.ts";
import type { Context } from "../command/context.ts";
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
  const subject = subjectOf(op, refinement);
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
    ...(subject !== null && { subject, positionals: subjectWords(subject) }),
    ...(takesContent && { takesContent, positionals: contentWords(subject) }),
    ...(refinement.words && { positionals: refinement.words }),
    ...(refinement.short !== undefined && { short: refinement.short }),
    stdin: takesContent ? "content (-) or the body (--json -)" : takesBody ? "the body (--json -)" : null,
    effect: refinement.otherwise ? registry[refinement.otherwise.name].effect : op.effect,
    idempotent: op.effect !== "create",
    checkable: op.dryRun === true,
    confirm: needsYes(op),
    operation: op,
    output: op.output,
    ...textOutputOf(op, refinement),
    get examples() {
      return (path === op.cli.command && op.cli.examples) || [exampleOf(refinement.short ?? path, flags(), subject)];
    },
    run: (context, values) => run({ op, path, refinement, flags: flags() }, context, values),
  };
}

/** What the command is about: what its path names, unless that is of two resources. */
function subjectOf(op: CommandOperation, { subject, words }: CommandOverride): Subject | null {
  if (subject !== undefined || words !== undefined) return subject ?? null;
  const names = pathFields(op);
  if (names[0] === "projectId") return { kind: "projectId" };
  if ("artifactId" in op.input.properties && !names.includes("workspaceId")) return { kind: "artifact" };
  if (names.includes("owner") && names.includes("slug"))
    return names.includes("projectSlug") ? { kind: "address" } : { kind: "project", flag: "slug" };
  if (names.includes("owner")) return { kind: "project", flag: "project-slug" };
  const [only, ...others] = names;
  return only === undefined || others.length > 0 ? null : { kind: "id", flag: flagName(only) };
}

const contentWords = (subject: Subject | null) =>
  subject === null
    ? { name: "file", description: "Content from a file; - is standard input" }
    : {
        name: "artifact file",
        description: `${subjectWords(subject).description}; then a file with the content, or - for standard input`,
      };

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

/** One call, and what the line gave for it. */
interface Call {
  readonly name: OperationName;
  readonly input: Input<OperationName>;
  readonly given: Record<string, unknown>;
}

interface Made {
  readonly op: CommandOperation;
  readonly path: string;
  readonly refinement: CommandOverride;
  readonly flags: Flags;
}

async function run({ op, path, refinement, flags }: Made, context: Context, values: Values): Promise<Result> {
  const { settings } = context;
  const { missingHint, words, needsShareToken } = refinement;
  const read = await readInput({ op, path, flags, words: words?.field, missingHint }, context, values);
  if (needsShareToken && findShareToken(context) === null)
    throw usage(`${path} needs a share token`, { hint: "Give --share-token or SERVICE_SHARE_TOKEN" });
  if (needsYes(op) && values.flags["yes"] !== true && !settings.dryRun) {
    const subject = Object.values(read).find((value) => typeof value === "string");
    throw ownFailure(
      "confirmation_needed",
      `${refinement.doing ?? `This runs ${path} on`} ${oneLine(subject ?? "it")}`,
      {
        hint: refinement.undo === undefined ? "Add --yes to do it" : `Add --yes to do it; ${refinement.undo}`,
      },
    );
  }
  const { artifactId, projectId } = read;
  const given: Readonly<Record<string, unknown>> = {
    ...read,
    ...(typeof artifactId === "string" && { artifactId: await idOf(artifactId, refinement, context) }),
    ...(typeof projectId === "string" && { projectId: await projectIdOf(projectId, context) }),
  };
  const fields = refinement.complete ? await refinement.complete(given, context) : given;
  const collection = collectionOf(op);
  if (collection !== null && !settings.ndjson && Number(fields["limit"] ?? 1) > pageLimit.max) {
    throw usage(`--limit must be at most ${pageLimit.max}`, {
      hint: "With --ndjson it may be more: every page is followed",
    });
  }
  const { name, input } = await calledOperation({ op, refinement }, fields, context, values);
  if (settings.dryRun) return preview(context.requestBuilder.request(name, input));
  const client = await context.api(op.caller === "operator" ? "operator" : undefined);
  return await answerOf({ op, path, refinement, flags }, { name, input, given: read }, client, context).catch(
    (error: unknown) => withMissingVersion(error, input, client),
  );
}

/** Which version of a visible artifact is not there: the server says only that nothing is. */
async function withMissingVersion(error: unknown, input: object, client: Client): Promise<never> {
  if (!(error instanceof ProblemError) || error.problem.code !== "not_found") throw error;
  const { artifactId, ...fields } = input as Readonly<Record<string, unknown>>;
  const asked = ["version", "versionNumber", "from", "to"].flatMap((name) =>
    typeof fields[name] === "number" ? [fields[name]] : [],
  );
  if (typeof artifactId !== "string" || asked.length === 0) throw error;
  const artifact = await visibleArtifact(artifactId, client);
  if (artifact === null) throw error;
  const { latestVersion, url } = artifact;
  const missing = asked.find((version) => version > latestVersion || version < 1);
  if (missing === undefined) throw error;
  const detail = `${url} has no version ${missing}; the latest is ${latestVersion}`;
  throw new Failure({ ...error.problem, detail }, `plinth artifact versions ${artifactId}`);
}

/** Null where the server refuses to show it. */
async function visibleArtifact(artifactId: string, client: Client): Promise<Artifact | null> {
  try {
    return await client.call("artifact.get", { artifactId });
  } catch (error) {
    if (error instanceof ProblemError) return null;
    throw error;
  }
}

/** Calls the operation, and puts its answer into words. */
async function answerOf(
  { op, path, refinement }: Made,
  { name, input, given }: Call,
  client: Client,
  context: Context,
): Promise<Result> {
  const { settings } = context;
  const collection = collectionOf(op);
  if (op.media !== undefined) {
    const accept = op.media === "diff" ? (refinement.accept?.(context) ?? "application/json") : "*/*";
    if (op.media === "thumbnail")
      return readPicture(await client.send(op.name, input, { headers: { accept } }), path, context);
    const response = await client.send(op.name, input, { headers: { accept } });
    sayNextLine(response, input, context);
    return readMedia(response, refinement);
  }
  if (collection !== null && settings.ndjson)
    return { value: null, items: eachItem(client, name, { ...input }, collection, sayMore(context)) };
  const value: unknown = await client.call(name, input, { dryRun: settings.check });
  const { text, note } = refinement;
  const hint = note?.(value, given) ?? null;
  if (hint !== null) context.progress(hint);
  if (text) return { value, text: (style) => text(value, style) };
  if (collection === null)
    return isNothing(value)
      ? { value: {}, text: done(path, given, refinement, context) }
      : { value, text: (style) => describe(value, style, op.secrets) };
  const written =
    collection === "auditEvents"
      ? (await import("../output/audit-text.ts")).auditText
      : (items: readonly unknown[], style: Style) => listText(collection, items, style, refinement.empty);
  return {
    value,
    text(style) {
      const page = value as Page;
      if (page.nextCursor !== null) sayMore(context)(page.nextCursor);
      return written(page[collection] as readonly AuditEvent[], style);
    },
  };
}

/** The operation that the line means, with its input: another one under a flag, or for a project. */
async function calledOperation(
  { op, refinement: { otherwise, inProject } }: Pick<Made, "op" | "refinement">,
  fields: Readonly<Record<string, unknown>>,
  context: Context,
  { flags }: Values,
): Promise<{ readonly name: OperationName; readonly input: Input<OperationName> }> {
  const input = fields as Input<OperationName>;
  if (otherwise !== undefined && flags[otherwise.flag] === true) return { name: otherwise.name, input };
  const { project, owner } = flags;
  if (inProject === undefined || typeof project !== "string") return { name: op.name, input };
  const { deleted, ...paging } = fields;
  if (deleted !== undefined) throw usage("--deleted is of all projects", { hint: "Leave out the project" });
  const account = owner ?? (context.settings.dryRun ? undefined : await ownName(await context.api()));
  return {
    name: inProject,
    input: { ...paging, project, ...(account !== undefined && { owner: account }) } as Input<OperationName>,
  };
}

/** Of lines that were found an answer has as many as it may. */
function sayNextLine({ headers }: Response, input: Input<OperationName>, { progress }: Context): void {
  const startLine = headers.get("x-artifact-next-line");
  if (startLine === null) return;
  const { artifactId, ...part } = input as Input<"version.content">;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...part, startLine })) query.set(name, String(value));
  progress(`There is more: plinth api '/api/artifacts/${artifactId}/content?${query}'`);
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
  if (thumbnail === "pending") progress("The thumbnail is not ready yet; this is an SVG in its place");
  if (thumbnail === "placeholder") progress("No thumbnail could be taken; this is an SVG in its place");
  if (!io.stdout.isTerminal) return { value, bytes };
  progress(`A terminal cannot show the picture. Send it to a file: plinth ${path} … > picture.webp`);
  return { value };
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
  (path: string, given: Record<string, unknown>, { followUp, done: word }: CommandOverride, context: Context) =>
  () => {
    const subject = Object.values(given).find((value) => typeof value === "string");
    context.progress(`${word ?? `Done: ${path}`}${subject === undefined ? "" : ` ${oneLine(subject)}`}`);
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

/** The command's words with its subject and its required flags; content comes from a file. */
function exampleOf(path: string, flags: Flags, subject: Subject | null): string {
  const named = subject === null ? [] : sampleOf(subject, flags);
  const isNamed = (name: string): boolean => subject !== null && subjectFlags(subject).includes(name);
  const required = Object.entries(flags).filter(([name, flag]) => flag.required && !isNamed(name));
  const words = required.map(([name, flag]) => {
    if (name === "content") return "report.md";
    return flag.type === "boolean" ? `--${name}` : `--${name} ${samples[name] ?? flag.values?.[0] ?? "text"}`;
  });
  return ["plinth", path, ...named, ...words].join(" ");
}

function sampleOf(subject: Subject, flags: Flags): string[] {
  if (subject.kind === "id") return [samples[subject.flag] ?? flags[subject.flag]?.values?.[0] ?? "text"];
  return [subject.kind === "project" || subject.kind === "projectId" ? "ada/demo" : "ada/demo/report"];
}
