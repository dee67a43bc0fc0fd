// `plinth diff`: a local file against its published version. How is diff/; this reads the line.
import { errorsOf } from "@plinth/contract/operation-errors";
import { registry } from "@plinth/contract/registry";

import { artifactPathOf } from "../artifacts/artifact-name.ts";
import { jsonFormat, local, type Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { usage } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import { artifactFlag } from "../flags/input-flags.ts";
import type { Result } from "../output/print.ts";
import { boolean, exactly, text } from "../schema/outputs.ts";

const flags: Flags = {
  "artifact-id": { type: "string", ...artifactFlag, required: false },
  owner: { type: "string", valueHint: "name", description: "Account of the project (the token's own)" },
  "project-slug": { type: "string", valueHint: "slug", description: "Project in which the file is published" },
  root: {
    type: "string",
    valueHint: "path",
    description: "Folder for images and other files (the repository)",
  },
  "exit-code": { type: "boolean", description: "Exit with 1 where it differs" },
  json: jsonFormat,
};

const paths = { type: "array", items: text };
const count = { type: "integer", minimum: 0 };

export const diffCommand: Command = {
  ...local,
  path: "diff",
  summary: "Compare a local file with its latest published version",
  description:
    "The artifact is that of the file's source path, else of its slug, in the project. The files that go with the document\n" +
    "are compared by name. plinth artifact diff compares two versions.",
  flags,
  positionals: { name: "file", description: "The local file" },
  stdin: null,
  effect: "read",
  idempotent: true,
  output: exactly({
    artifactId: text,
    url: text,
    version: { type: "integer", minimum: 1 },
    isSame: boolean,
    diff: { ...text, description: "Unified; empty where the text is the same" },
    additions: count,
    deletions: count,
    files: exactly({ added: paths, removed: paths, changed: paths }),
  }),
  errors: [
    ...errorsOf(registry["artifact.list"]),
    ...errorsOf(registry["artifact.get"]),
    ...errorsOf(registry["version.files"]),
    ...errorsOf(registry["version.content"]),
  ],
  textOutput: "a unified diff, and the names of files that differ",
  examples: [
    "plinth diff docs/guide.md --project-slug handbook",
    "plinth diff report.md --artifact-id ada/demo/report --exit-code",
  ],
  run,
};

async function run(context: Context, { flags: given, positionals }: Values): Promise<Result> {
  const artifact = typeof given["artifact-id"] === "string" ? given["artifact-id"] : undefined;
  if (artifact !== undefined) artifactPathOf(artifact, context);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw usage("diff takes one file", { hint: "Such as plinth diff report.md", next: "plinth diff --help" });
  if (file === "-") throw usage("diff takes a file, and not standard input");
  if (context.settings.dryRun) throw usage("diff sends nothing that changes anything, and so takes no --dry-run");
  const { diffFile } = await import("../diff/run.ts");
  return diffFile(
    {
      file,
      artifact,
      flags: given,
      exitCode: given["exit-code"] === true,
    },
    context,
  );
}
