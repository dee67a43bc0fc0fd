// `plinth pull`: a project as a folder. How is pull/; this reads the line.
import { errorsOf } from "@plinth/contract/operation-errors";
import { registry } from "@plinth/contract/registry";

import { jsonFormat, local, type Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { usage } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import { preview } from "../output/preview.ts";
import type { Result } from "../output/print.ts";
import { exactly, text, yes } from "../output/schemas.ts";

const flags = {
  owner: { type: "string", valueHint: "name", description: "Account of the project (the token's own)" },
  "project-slug": { type: "string", valueHint: "slug", description: "Project, instead of OWNER/PROJECT" },
  force: { type: "boolean", description: "Overwrite files that were changed in the folder" },
  json: jsonFormat,
} as const satisfies Flags;

export const pullCommand: Command = {
  ...local,
  path: "pull",
  summary: "Write a project to a folder: its documents and their files",
  description:
    "Documents go to their source paths, or are named by their slugs; DIR is the project's name, or the working\n" +
    "directory where .plinth.json names the project. A file that was changed since it was published stays.",
  flags,
  positionals: { name: "owner/project dir", description: "The project, and the folder to write to" },
  stdin: null,
  effect: "local",
  idempotent: true,
  checkable: true,
  previews: true,
  output: exactly(
    {
      directory: text,
      written: { type: "array", items: text, description: "Paths below the folder" },
      unchanged: { type: "integer", minimum: 0 },
      leftOut: { type: "array", items: exactly({ path: text, reason: text }) },
      dryRun: yes,
    },
    ["dryRun"],
  ),
  errors: [
    "partial_failure",
    ...errorsOf(registry["artifact.list"], registry["version.files"], registry["project.getByPath"]),
  ],
  textOutput: "the path of each file that was written, one a line",
  examples: ["plinth pull ada/handbook", "plinth pull ada/handbook docs --force", "plinth pull --check"],
  run,
};

async function run(context: Context, { flags: given, positionals, filled }: Values): Promise<Result> {
  const { project, folder } = targetOf(given, positionals, filled);
  const { owner, projectSlug } = project;
  if (context.settings.dryRun)
    return preview(
      context.requestBuilder.request("artifact.list", { project: projectSlug, ...(owner !== undefined && { owner }) }),
    );
  const { pull } = await import("../pull/run.ts");
  return pull({ project, folder, force: given["force"] === true }, context);
}

const projectName = /^([a-z0-9-]+)\/([a-z0-9-]+)$/;

/** A first word of two names is the project, unless a flag names it. @throws Failure usage */
function targetOf(given: Values["flags"], words: readonly string[], filled: Values["filled"]) {
  const { owner, "project-slug": projectSlug } = given;
  const isOnLine = projectSlug !== undefined && !filled?.has("project-slug");
  const [, wordOwner, wordProject] = (!isOnLine && projectName.exec(words[0] ?? "")) || [];
  const [folder, ...more] = wordProject === undefined ? words : words.slice(1);
  if (more.length > 0) throw usage("pull takes a project and a folder", { hint: "Quote values that hold spaces" });
  if (wordProject !== undefined)
    return { project: { owner: wordOwner, projectSlug: wordProject }, folder: folder ?? wordProject };
  if (typeof projectSlug !== "string")
    throw usage("pull needs a project", { hint: "Name it as OWNER/PROJECT", next: "plinth project list" });
  return {
    project: { owner: typeof owner === "string" ? owner : undefined, projectSlug },
    folder: folder ?? (isOnLine ? projectSlug : "."),
  };
}
