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
  "project-slug": { type: "string", valueHint: "slug", description: "Project to publish into", required: true },
  file: {
    type: "string",
    valueHint: "path",
    multiple: true,
    description: "File, folder or - (standard input); repeatable",
  },
  recursive: { type: "boolean", short: "r", description: "Folders: with the folders in them" },
  "all-files": {
    type: "boolean",
    description: "With all files of the document's folder",
  },
  owner: { type: "string", valueHint: "name", description: "Account to publish under (the token's own)" },
  type: {
    type: "string",
    valueHint: artifactTypes.join("|"),
    values: artifactTypes,
    description: "Type (by the extension)",
  },
  title: { type: "string", valueHint: "text", description: "Title (front matter, heading, else file name)" },
  slug: { type: "string", valueHint: "slug", description: "Slug (from the title)" },
  "slug-from": {
    type: "string",
    valueHint: "title|path",
    values: ["title", "path"],
    description: "Slug from the title or the path in the folder",
  },
  description: { type: "string", valueHint: "text", description: "Description (front matter)" },
  changelog: { type: "string", valueHint: "text", description: "Note for this version" },
  private: { type: "boolean", description: "Private to the workspace" },
  public: { type: "boolean", description: "Public, which is the default" },
  ensure: { type: "boolean", description: "Update the page that has this slug, if there is one" },
  "create-project": { type: "boolean", description: "Create the project where it does not exist" },
  root: { type: "string", valueHint: "path", description: "Folder for images and other files (the repository)" },
  prune: {
    type: "boolean",
    description: "With -r: delete artifacts whose file this folder lacks, also those of other folders",
  },
  yes: { type: "boolean", description: "Confirm --prune" },
  "strict-links": { type: "boolean", description: "With -r: publish nothing where a link leads nowhere" },
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
    "A document goes with the files that it refers to. A folder, but for what git ignores, is its documents; with " +
    "an index.html it is one, unless -r is there.",
  flags,
  positionals: { name: "file", description: "Files or folders; - reads standard input (needs --type)" },
  stdin: "content (-)",
  effect: "create",
  idempotent: false,
  checkable: true,
  confirm: false,
  operation: registry["artifact.create"],
  interruptEnds: ({ flags: given }) => (given["watch"] === true ? "Stopped watching" : null),
  afterInterrupt: "Run the same line again: it publishes the rest, and nothing twice",
  output: pushOutput,
  errors: pushErrors,
  textOutput: "the address of each artifact, one a line",
  examples: [
    "plinth push --project-slug demo report.md --ensure",
    "plinth push --project-slug demo docs -r --prune",
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
