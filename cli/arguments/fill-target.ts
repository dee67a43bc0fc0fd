// Fills the missing parts of a line's target (account, project, visibility) from the project's file, then from the
// user's configuration. A command has a target if it accepts both --owner and --project-slug.
import type { Command } from "../command/command.ts";
import type { Values } from "../flags/flags.ts";
import type { Io } from "../io/io.ts";
import { oneLine } from "../terminal/style.ts";
import { findProjectFile, type ProjectFile } from "../session/project-file.ts";
import type { UserConfig } from "../session/settings.ts";

interface Filled {
  readonly values: Values;
  /** The filled flags and where each value comes from, for a person to read. */
  readonly notes: readonly string[];
}

/** The line with what files say of its target. A body given with `--json` is whole: nothing is added to it. @throws Failure usage */
export async function fillTarget(
  { flags: known, settlesTarget }: Pick<Command, "flags" | "settlesTarget">,
  values: Values,
  io: Pick<Io, "directory" | "env">,
  config: UserConfig | null,
): Promise<Filled> {
  const { flags } = values;
  // Where an identifier would do as well, the line is about a place only when it says the last name of one.
  const isPlace = known["artifact-id"] === undefined || flags["slug"] !== undefined;
  const hasTarget =
    settlesTarget !== true && isPlace && known["owner"] !== undefined && known["project-slug"] !== undefined;
  if (!hasTarget || typeof flags["json"] === "string") return { values, notes: [] };
  const file = await findProjectFile(io);
  const owner = [file, config].find((one) => one?.members.owner !== undefined);
  const filled: Record<string, FileValue> = {
    ...(owner?.members.owner !== undefined && { owner: { value: owner.members.owner, path: owner.path } }),
    ...(file && projectFlags(file, known, flags)),
  };
  const missing = Object.entries(filled).filter(([name]) => flags[name] === undefined);
  return {
    values: {
      ...values,
      flags: { ...flags, ...Object.fromEntries(missing.map(([name, { value }]) => [name, value])) },
      filled: new Set(missing.map(([name]) => name)),
    },
    notes: missing.map(([name, { value, path }]) => `--${name}${value === true ? "" : ` ${value}`} (${oneLine(path)})`),
  };
}

interface FileValue {
  readonly value: string | true;
  readonly path: string;
}

function projectFlags({ members, path }: ProjectFile, known: Command["flags"], flags: Values["flags"]) {
  const said: Record<string, FileValue> = {};
  const { owner, projectSlug, visibility } = members;
  // The project is one of the file's owner: of another owner it would be another project.
  const isOfOwner = owner === undefined || flags["owner"] === undefined || flags["owner"] === owner;
  if (projectSlug !== undefined && isOfOwner) said["project-slug"] = { value: projectSlug, path };
  // `public` is what a line without a word means anyway, so the file need not say it.
  if (visibility === "private" && known["private"] !== undefined && flags["public"] === undefined)
    said["private"] = { value: true, path };
  return said;
}
