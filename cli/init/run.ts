// Runs `init`: finds or creates the project, and writes the project file.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { ProblemError, type Client } from "@plinth/contract/client";

import { ownName } from "../artifacts/project-artifacts.ts";
import type { Context } from "../command/context.ts";
import { clientFailure, usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import type { Result } from "../output/print.ts";
import { repositoryOf } from "../document-files/ignore-rules.ts";
import { projectCreator } from "../push/publish.ts";
import { projectFileName } from "../session/project-file.ts";
import { oneLine } from "../terminal/style.ts";

/** @throws Failure, ProblemError */
export async function initProject(context: Context, { flags }: Values): Promise<Result> {
  const { io, settings, progress } = context;
  const projectSlug = flags["project-slug"];
  const directory = resolve(io.directory);
  const file = join(repositoryOf(directory) ?? directory, projectFileName);
  if (typeof projectSlug !== "string")
    throw usage("init needs a project", {
      hint: "Such as plinth init notes --create-project",
      next: "plinth project list",
    });
  const visibility = flags["private"] === true ? "private" : "public";
  const before = existsSync(file) ? readFileSync(file, "utf8") : null;
  if (settings.dryRun) {
    const owner = typeof flags["owner"] === "string" ? { owner: flags["owner"] } : {};
    const value = {
      dryRun: true,
      action: before === null ? "created" : "updated",
      file,
      ...owner,
      projectSlug,
      visibility,
    };
    return { value, text: () => oneLine(file) };
  }
  const client = await context.api();
  const owner =
    typeof flags["owner"] === "string" ? flags["owner"] : (context.config?.members.owner ?? (await ownName(client)));
  await requireProject({ owner, projectSlug }, flags["create-project"] === true, client, progress);
  const members = { owner, projectSlug, ...(visibility === "private" && { visibility }) };
  const after = `${JSON.stringify(members, null, 2)}\n`;
  const action = before === null ? "created" : before === after ? "unchanged" : "updated";
  if (action !== "unchanged") write(file, after);
  progress(`${action}: ${oneLine(file)}. Publish with plinth push <file>`);
  return { value: { action, file, owner, projectSlug, visibility }, text: () => oneLine(file) };
}

async function requireProject(
  place: { readonly owner: string; readonly projectSlug: string },
  creates: boolean,
  client: Client,
  report: (message: string) => void,
): Promise<void> {
  try {
    await client.call("project.getByPath", place);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.code !== "not_found") throw error;
    if (!creates)
      throw clientFailure("not_found", `There is no project ${place.owner}/${place.projectSlug} that you can see`, {
        hint: "Add --create-project to create it",
        next: "plinth project list",
      });
    await projectCreator({ ownerUsername: place.owner, projectSlug: place.projectSlug }, client, report)();
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw usage(`${file} cannot be written`, { cause: error });
  }
}
