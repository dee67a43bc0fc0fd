// `plinth push`: files to artifacts in one step. contract/publishing infers the details, the requests are
// push/publish.ts.
import { artifactTypes } from "@plinth/contract/schemas/artifact";
import { registry } from "@plinth/contract/registry";

import { jsonFormat, type Command } from "../command/command.ts";
import type { Flags } from "../flags/flags.ts";
import { pushErrors, pushOutput } from "../push/output.ts";

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
    description: "Slug taken: update that artifact where text, title or description differ",
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
    "A folder stands for the documents in it, without hidden files, links and what git ignores (with git, its exclude " +
    "files too). A push that was cut off is run again as it was: no file is published twice.",
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
  // Most lines publish nothing: what does is loaded by those that do.
  run: async (context, values) =>
    (await import("../push/run.ts")).push(
      context,
      values,
      (values.flags["concurrency"] as number | undefined) ?? defaultConcurrency,
    ),
};
