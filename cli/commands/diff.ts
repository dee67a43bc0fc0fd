// `plinth diff`: a local file against its published version, or two versions of an artifact. How is diff/ and
// `artifact diff`; this reads the line.
import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { errorsOf } from "@plinth/contract/operation-errors";
import { slugPattern } from "@plinth/contract/limits";
import { registry } from "@plinth/contract/registry";

import { artifactNameOf, withSubject } from "../arguments/subject.ts";
import { artifactPathOf } from "../artifacts/artifact-name.ts";
import { jsonFormat, local, type Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { usage } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import { artifactFlag } from "../flags/input-flags.ts";
import type { Result } from "../output/print.ts";
import { boolean, exactly, text } from "../output/schemas.ts";

const flags: Flags = {
  "artifact-id": { type: "string", ...artifactFlag, required: false },
  owner: { type: "string", valueHint: "name", description: "Account of the project (the token's own)" },
  "project-slug": { type: "string", valueHint: "slug", description: "Project in which the file is published" },
  from: { type: "string", valueHint: "n", description: "Of an artifact: the older version (the one before --to)" },
  to: { type: "string", valueHint: "n", description: "Of an artifact: the newer version (the latest)" },
  root: { type: "string", valueHint: "path", description: "Folder for images and other files (the repository)" },
  "exit-code": { type: "boolean", description: "Exit with 1 where it differs" },
  json: jsonFormat,
};

const paths = { type: "array", items: text };
const count = { type: "integer", minimum: 0 };

const fileOutput = {
  ...exactly({
    artifactId: text,
    url: text,
    version: { type: "integer", minimum: 1 },
    isSame: boolean,
    diff: { ...text, description: "Unified; empty where the text is the same" },
    additions: count,
    deletions: count,
    files: exactly({ added: paths, removed: paths, changed: paths }),
  }),
  description: "Of a file",
};

/** `versions` is `artifact diff`. */
export const diffCommand = (versions: Command): Command => ({
  ...local,
  path: "diff",
  summary: "Compare a local file with what is published, or two versions",
  description:
    "The artifact of a file is that of its source path, else of its slug, in the project. The files that go with the\n" +
    "document are compared by name. Of an artifact the two latest versions are compared.",
  get flags() {
    const { from, to } = versions.flags;
    return { ...flags, ...(from && { from: { ...from, ...flags.from } }), ...(to && { to: { ...to, ...flags.to } }) };
  },
  positionals: { name: "file|artifact", description: "The local file, and its artifact if need be; or an artifact" },
  stdin: null,
  effect: "read",
  idempotent: true,
  output: { anyOf: [fileOutput, versions.output] },
  errors: errorsOf(
    registry["artifact.list"],
    registry["artifact.get"],
    registry["version.files"],
    registry["version.content"],
    registry["version.diff"],
  ),
  textOutput: "a unified diff, and the names of files that differ",
  examples: [
    "plinth diff docs/guide.md --project-slug handbook",
    "plinth diff report.md ada/demo/report --exit-code",
    "plinth diff ada/demo/report --from 2",
  ],
  run: (context, values) => run(context, values, versions),
});

async function run(context: Context, values: Values, versions: Command): Promise<Result> {
  const { flags: given, positionals } = values;
  const [first, second, ...more] = positionals;
  const isOfVersions = given["from"] !== undefined || given["to"] !== undefined;
  if (first === undefined && given["artifact-id"] === undefined)
    throw usage("diff needs a file or an artifact", {
      hint: "Such as plinth diff report.md, or plinth diff owner/project/slug",
      next: "plinth diff --help",
    });
  const isArtifact = first === undefined || isOfVersions || isArtifactName(first, context);
  if (isArtifact && second === undefined) return ofVersions(context, values, versions);
  if (more.length > 0 || isOfVersions)
    throw usage("diff takes one file, and its artifact", { hint: "Quote values that hold spaces" });
  return ofFile(context, values);
}

/** Of the project that .plinth.json names. */
const isSlug = new RegExp(slugPattern);

/** An existing file is a file, also where its name looks like that of an artifact. */
function isArtifactName(word: string, { io, settings }: Context): boolean {
  if (existsSync(resolve(io.directory, word))) return false;
  if (/^(art_|https?:\/\/)/i.test(word) || isSlug.test(word)) return true;
  return word.split("/").length === 3 && !/\.\w+$/.test(word) && artifactPathOf(word, { settings }) !== null;
}

async function ofVersions(context: Context, values: Values, versions: Command): Promise<Result> {
  const { "exit-code": exitCode, ...flags } = values.flags;
  if (exitCode === true) throw usage("--exit-code is for a file");
  const named = await withSubject(versions, { ...values, flags }, context);
  return versions.run(context, named);
}

async function ofFile(context: Context, values: Values): Promise<Result> {
  const { flags: given, positionals } = values;
  const [file = "", word] = positionals;
  if (word !== undefined && given["artifact-id"] !== undefined)
    throw usage("The artifact is named twice", { hint: "Give one of them" });
  const named = typeof given["artifact-id"] === "string" ? given["artifact-id"] : undefined;
  const artifact = word === undefined ? named : await artifactNameOf(word, context);
  if (artifact !== undefined) artifactPathOf(artifact, context);
  if (file === "-") throw usage("diff takes a file, and not standard input");
  if (context.settings.dryRun) throw usage("diff sends nothing that changes anything, and so takes no --dry-run");
  const { diffFile } = await import("../diff/run.ts");
  return diffFile({ file, artifact, values, exitCode: given["exit-code"] === true }, context);
}
