// `plinth push`: files to artifacts in one step. What is inferred is push/infer.ts, what is sent
// push/publish.ts.
import { artifactTypes } from "@plinth/contract/schemas/artifact";
import { registry } from "@plinth/contract/registry";

import { toFailure } from "../advice.ts";
import { jsonFormat, type Command, type Flags, type Values } from "../command.ts";
import type { Context } from "../context.ts";
import { ownFailure, type Failure } from "../failure.ts";
import type { Result } from "../output/result.ts";
import { previewOf, previewText, type Preview } from "../preview.ts";
import { pushErrors, pushOutput } from "../push/output.ts";
import { publish, type Push, type Pushed } from "../push/publish.ts";
import { readPushes } from "../push/request.ts";

const flags = {
  "project-slug": {
    type: "string",
    valueHint: "slug",
    description: "Project to publish into",
    required: true,
  },
  file: {
    type: "string",
    valueHint: "path",
    multiple: true,
    description: "File to publish, or - for standard input; repeatable",
  },
  owner: {
    type: "string",
    valueHint: "name",
    description: "Account to publish under (the token's own)",
  },
  type: {
    type: "string",
    valueHint: artifactTypes.join("|"),
    values: artifactTypes,
    description: "Type (by the extension)",
  },
  title: {
    type: "string",
    valueHint: "text",
    description: "Title (Markdown's front matter or first heading, else the file's name)",
  },
  slug: { type: "string", valueHint: "slug", description: "Slug (from the title)" },
  description: { type: "string", valueHint: "text", description: "Description (Markdown's front matter)" },
  changelog: { type: "string", valueHint: "text", description: "Note for this version" },
  private: { type: "boolean", description: "Only the workspace may view it (public)" },
  ensure: {
    type: "boolean",
    description: "Where the slug is taken, publish a new version if the content differs",
  },
  "create-project": { type: "boolean", description: "Create the project where it does not exist" },
  json: jsonFormat,
} as const satisfies Flags;

export const pushCommand: Command = {
  path: "push",
  summary: "Publish files, each as an artifact with its address",
  flags,
  positionals: { name: "file", description: "More files; - is standard input, with --type" },
  stdin: "content (-)",
  effect: "create",
  idempotent: false,
  checkable: true,
  confirm: false,
  operation: registry["artifact.create"],
  output: pushOutput,
  errors: pushErrors,
  textOutput: "the address of each artifact, one a line",
  examples: [
    "plinth push --project-slug demo report.md",
    "plinth push --project-slug demo report.md --ensure --changelog 'New figures'",
    "plinth push --project-slug demo --type html --title Dashboard -",
  ],
  run,
};

async function run(context: Context, values: Values): Promise<Result> {
  const pushes = await readPushes(values, context.reader);
  if (context.settings.dryRun) return previewAll(pushes, context);
  const only = pushes[0];
  if (pushes.length > 1 || only === undefined) return publishAll(pushes, context);
  const value = await publish(only, context);
  report(value, context);
  return { value, text: () => value.url };
}

function report({ action, version, visibility, dryRun }: Pushed, { progress }: Context): void {
  progress(`${dryRun ? "Would be " : ""}${action}: v${version}, ${visibility}`);
}

async function previewAll(pushes: readonly Push[], { drafts }: Context): Promise<Result> {
  const previews: Preview[] = [];
  for (const { body } of pushes) previews.push(await previewOf(drafts.request("artifact.create", body)));
  return {
    value: previews.length === 1 ? previews[0] : { dryRun: true, requests: previews.map(({ request }) => request) },
    items: previews,
    text: ({ paint }) => previews.map((preview) => previewText(preview, paint)).join("\n\n"),
  };
}

/** Several files go on past one that fails; the failure then names each of them. */
async function publishAll(pushes: readonly Push[], context: Context): Promise<Result> {
  const results: (Pushed & { file: string })[] = [];
  const failures: { file: string; failure: Failure }[] = [];
  for (const [place, push] of pushes.entries()) {
    const file = push.source.name;
    try {
      results.push({ file, ...(await publish(push, context)) });
      context.progress(`${place + 1}/${pushes.length} ${file}: ${results.at(-1)?.action}`);
    } catch (error) {
      failures.push({ file, failure: toFailure(error, "push", context.used()) });
      context.progress(`${place + 1}/${pushes.length} ${file}: failed`);
    }
  }
  const [first] = failures;
  if (first && results.length === 0 && failures.every(({ failure }) => failure.exitCode === first.failure.exitCode))
    throw first.failure;
  const failure = first && someFailed(failures, pushes.length);
  if (failure && results.length === 0) throw failure;
  return {
    value: { results },
    items: results,
    text: () => results.map(({ url }) => url).join("\n"),
    ...(failure && { failure }),
  };
}

const someFailed = (failures: readonly { file: string; failure: Failure }[], all: number): Failure =>
  ownFailure("partial_failure", `${failures.length} of ${all} files were not published`, {
    errors: failures.map(({ file, failure }) => ({
      path: file,
      message: `${failure.problem.code}: ${failure.problem.detail}`,
    })),
    hint: "Run it again for those; --ensure leaves the others as they are",
  });
