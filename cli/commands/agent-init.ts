// `plinth agent init`: tells the agents of a repository how to publish, in a marked block of the file they read
// (docs/reference/experience.md §2). What the block says is agent-init/block.ts; nothing outside it is touched.
import { join } from "node:path";

import { jsonFormat, local, type Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import type { Flags, Values } from "../flags/flags.ts";
import type { Result } from "../output/print.ts";
import { exactly, text, textOrNull, yes } from "../output/schemas.ts";
import { owner, slug } from "../session/settings-file.ts";

const flags = {
  file: {
    type: "string",
    valueHint: "path",
    description: "File to write (AGENTS.md, or CLAUDE.md where only it exists)",
  },
  owner: { type: "string", valueHint: "name", description: "Account to publish under", read: owner },
  "project-slug": { type: "string", valueHint: "slug", description: "Project to publish into", read: slug },
  private: { type: "boolean", description: "Tell agents to publish privately" },
  remove: { type: "boolean", description: "Take the block out again" },
  json: jsonFormat,
} as const satisfies Flags;

export const agentInitCommand: Command = {
  path: "agent init",
  summary: "Tell the agents of this repository how to publish, in a block of AGENTS.md",
  description: "Replaces its own block and leaves all else as it is. Project and owner may come from .plinth.json.",
  flags,
  stdin: null,
  ...local,
  idempotent: true,
  output: exactly(
    {
      action: { enum: ["created", "updated", "unchanged", "removed"] },
      file: text,
      dryRun: yes,
      block: textOrNull,
    },
    ["dryRun", "block"],
  ),
  examples: ["plinth agent init --project-slug demo", "plinth agent init --dry-run", "plinth agent init --remove"],
  run,
};

async function run({ settings, io, progress }: Context, { flags: given }: Values): Promise<Result> {
  const [{ blockFor, withBlock, withoutBlock }, { exists, readInstructions, writeInstructions }] = await Promise.all([
    import("../agent-init/managed-block.ts"),
    import("../agent-init/instructions-file.ts"),
  ]);
  const said = (name: keyof typeof flags): string | null => (typeof given[name] === "string" ? given[name] : null);
  const has = (name: string): Promise<boolean> => exists(join(io.directory, name));
  const name = said("file") ?? ((await has("CLAUDE.md")) && !(await has("AGENTS.md")) ? "CLAUDE.md" : "AGENTS.md");
  const { path, text: before } = await readInstructions(name, io.directory);
  const block = blockFor({
    owner: said("owner"),
    projectSlug: said("project-slug"),
    private: given["private"] === true,
    baseUrl: settings.sources.baseUrl === "default" ? null : settings.baseUrl,
  });
  const after = given["remove"] === true ? withoutBlock(before ?? "", name) : withBlock(before ?? "", block, name);
  const action =
    after === (before ?? "")
      ? "unchanged"
      : given["remove"] === true
        ? "removed"
        : before === null
          ? "created"
          : "updated";
  if (settings.dryRun) {
    const value = { dryRun: true, action, file: path, block: given["remove"] === true ? null : block };
    return { value, text: () => `Would be ${action}: ${path}\n${value.block === null ? "" : `\n${block}`}` };
  }
  if (action !== "unchanged") await writeInstructions(path, after);
  progress(`${action}: ${name}`);
  return { value: { action, file: path }, text: () => path };
}
