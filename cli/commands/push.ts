// `plinth push`: files to artifacts in one step. What is inferred is push/infer.ts, what is sent
// push/publish.ts.
import { artifactTypes } from "@plinth/contract/schemas/artifact";
import { registry } from "@plinth/contract/registry";

import { jsonFormat, type Command, type Flags, type Values } from "../command.ts";
import type { Context } from "../context.ts";
import type { Result } from "../output/result.ts";
import { previewOf, previewText, type Preview } from "../preview.ts";
import { openFirst } from "../push/open-first.ts";
import { pushErrors, pushOutput } from "../push/output.ts";
import { publishAll, summary } from "../push/publish-all.ts";
import type { Push } from "../push/publish.ts";
import { readPushes } from "../push/request.ts";
import { guardSecrets } from "../push/secrets.ts";
import { resultOfMany, resultOfOne } from "../push/result.ts";

const defaultConcurrency = 4;
const mostConcurrency = 16;

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
    description: "File, folder or - (standard input); repeatable",
  },
  recursive: { type: "boolean", short: "r", description: "Folders: with the folders in them" },
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
    description: "Title (front matter, heading, else file name)",
  },
  slug: { type: "string", valueHint: "slug", description: "Slug (from the title)" },
  "slug-from": {
    type: "string",
    valueHint: "title|path",
    values: ["title", "path"],
    description: "Slug from the title or the path in the folder",
  },
  description: { type: "string", valueHint: "text", description: "Description (front matter)" },
  changelog: { type: "string", valueHint: "text", description: "Note for this version" },
  private: { type: "boolean", description: "Only the workspace may view it" },
  public: { type: "boolean", description: "Anyone may view it (unless --private)" },
  ensure: {
    type: "boolean",
    description: "Slug taken: a new version if content differs",
  },
  "create-project": { type: "boolean", description: "Create the project where it does not exist" },
  watch: { type: "boolean", description: "Publish on every save; begins as with --ensure" },
  open: { type: "boolean", description: "Open the first address in the browser" },
  "allow-secrets": { type: "boolean", description: "Publish what looks like a secret, too" },
  concurrency: {
    type: "string",
    valueHint: "n",
    description: `Files sent at once, 1 to ${mostConcurrency} (${defaultConcurrency})`,
    read: (text) => {
      if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || Number(text) > mostConcurrency)
        throw new Error(`must be a number from 1 to ${mostConcurrency}`);
      return Number(text);
    },
  },
  json: jsonFormat,
} as const satisfies Flags;

export const pushCommand: Command = {
  path: "push",
  summary: "Publish files, each as an artifact with its address",
  description:
    "A folder stands for the documents in it, without what git ignores, hidden files and links. A push that was cut " +
    "off is run again as it was: no file is published twice.",
  flags,
  positionals: { name: "file", description: "More of them; - is standard input, with --type" },
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
    "plinth push --project-slug demo report.md --ensure",
    "plinth push --project-slug demo docs -r --ensure",
    "plinth push --project-slug demo report.md --watch --open",
    "plinth push --project-slug demo --type html --title Dashboard -",
  ],
  run,
};

async function run(context: Context, values: Values): Promise<Result> {
  const atOnce = (values.flags["concurrency"] as number | undefined) ?? defaultConcurrency;
  if (values.flags["watch"] === true)
    return (await import("../push/watch.ts")).watchAndPublish(context, values, atOnce);
  const { pushes, asList } = await readPushes(values, context.reader, context.io.directory);
  guardSecrets(pushes, values.flags["allow-secrets"] === true, context.progress);
  if (context.settings.dryRun) return previewAll(pushes, asList, context);
  const outcomes = await publishAll(pushes, context, atOnce, asList);
  if (asList) context.progress(summary(outcomes));
  const result = asList ? resultOfMany(pushes, outcomes) : resultOfOne(outcomes[0] ?? null);
  if (values.flags["open"] === true) await openFirst(outcomes, context);
  return result;
}

async function previewAll(pushes: readonly Push[], asList: boolean, { drafts }: Context): Promise<Result> {
  const previews: Preview[] = [];
  for (const { body } of pushes) previews.push(await previewOf(drafts.request("artifact.create", body)));
  return {
    value: !asList ? previews[0] : { dryRun: true, requests: previews.map(({ request }) => request) },
    items: previews,
    text: ({ paint }) => previews.map((preview) => previewText(preview, paint)).join("\n\n"),
  };
}
