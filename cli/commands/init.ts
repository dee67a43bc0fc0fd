// `plinth init`: names the project of a repository in its .plinth.json, so that pushes from it need no flags.
import { errorsOf } from "@plinth/contract/operation-errors";
import { registry } from "@plinth/contract/registry";

import { subjectWords } from "../arguments/subject.ts";
import { jsonFormat, local, type Command } from "../command/command.ts";
import type { Flags } from "../flags/flags.ts";
import { exactly, text, yes } from "../output/schemas.ts";
import { owner, slug } from "../session/settings-file.ts";

const subject = { kind: "project", flag: "project-slug" } as const;

const flags = {
  owner: { type: "string", valueHint: "name", description: "Account of the project (the token's own)", read: owner },
  "project-slug": { type: "string", valueHint: "slug", description: "The project", required: true, read: slug },
  private: { type: "boolean", description: "Publish privately from here" },
  "create-project": { type: "boolean", description: "Create the project where it does not exist" },
  json: jsonFormat,
} as const satisfies Flags;

export const initCommand: Command = {
  ...local,
  settlesTarget: true,
  path: "init",
  summary: "Name the project that this repository is published to",
  description:
    "Writes .plinth.json at the root of the repository, or in the working directory outside of one. push, diff, pull and\n" +
    "every command that takes an artifact read it.",
  flags,
  subject,
  positionals: subjectWords(subject),
  stdin: null,
  idempotent: true,
  previews: true,
  output: exactly(
    {
      action: { enum: ["created", "updated", "unchanged"] },
      file: text,
      owner: text,
      projectSlug: text,
      visibility: { enum: ["public", "private"] },
      dryRun: yes,
    },
    ["dryRun", "owner"],
  ),
  errors: [
    ...errorsOf(registry["project.getByPath"], registry["project.create"], registry["profile.get"]),
    "input_needed",
  ],
  textOutput: "the file",
  examples: ["plinth init ada/notes", "plinth init notes --create-project --private"],
  run: async (context, values) => (await import("../init/run.ts")).initProject(context, values),
};
