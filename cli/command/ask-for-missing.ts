// Prompts for a missing project or username. Only on a terminal, and only for a value that the person would have to
// look up or invent; every other value is reported as a missing flag.
import { statSync } from "node:fs";
import { resolve } from "node:path";

import { contentBytes, slugLength, slugPattern } from "@plinth/contract/limits";
import { inferType } from "@plinth/contract/publishing/document-type";
import { inferPlace } from "@plinth/contract/publishing/inference";
import type { Project } from "@plinth/contract/schemas/project";

import type { Command } from "./command.ts";
import type { Context } from "./context.ts";
import { readFileBounded } from "../files/bounded-read.ts";
import { ownFailure } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import { oneLine } from "../terminal/style.ts";

/** How many projects are offered. */
const offered = 20;

type Given = Values["flags"];
type Question = (context: Context, given: Given, command: Command) => Promise<Given>;

const questions: Readonly<Record<string, Question>> = {
  "project-slug": askProject,
  username: async (context) => ({ username: await ask(context, "Username: ") }),
};

/** The commands that make something: only there is the answer a choice, and not a name to be remembered. */
const asks = ({ effect, path }: Command): boolean => effect === "create" || path === "profile set-username";

/** The line, of a person on a terminal, with the answers to what it lacks. @throws Failure input_needed, interrupted */
export async function askForMissing(command: Command, values: Values, context: Context): Promise<Values> {
  const { flags } = values;
  const missing = Object.keys(questions).filter((name) => command.flags[name]?.required && flags[name] === undefined);
  const isWhole = typeof flags["json"] === "string" || missing.length === 0 || !asks(command);
  // Without a file there is more amiss than one question would mend.
  const isEmpty =
    command.positionals?.name === "file" && values.positionals.length === 0 && flags["file"] === undefined;
  if (isWhole || isEmpty || (command.path === "push" && (await saysProject(values, context)))) return values;
  if (context.settings.noInput)
    throw ownFailure("input_needed", `${command.path} needs --${missing.join(", --")}, and the command may not ask`, {
      next: `plinth ${command.path} --help`,
    });
  let answered: Given = flags;
  for (const name of missing) answered = { ...answered, ...(await questions[name]?.(context, answered, command)) };
  return { ...values, flags: answered };
}

/** Whether the front matter of the one document of a push names its project. */
async function saysProject({ flags, positionals }: Values, { io }: Context): Promise<boolean> {
  const [word, ...others] = [...(Array.isArray(flags["file"]) ? flags["file"].map(String) : []), ...positionals];
  if (word === undefined || others.length > 0 || inferType(word) !== "md") return false;
  const path = resolve(io.directory, word);
  // A pipe can be read only once. The push itself says why a file cannot be read.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const read = await readFileBounded(path, contentBytes.max);
  if ("tooLarge" in read) return false;
  return inferPlace("md", new TextDecoder().decode(read)).projectSlug !== null;
}

/** A number of the list, or the slug of a project that is there or is to be made. */
async function askProject(context: Context, given: Given, command: Command): Promise<Given> {
  const projects = context.settings.dryRun ? [] : await ownProjects(context, given["owner"]);
  await context.io.stderr.write(listOf(projects));
  const canCreate = command.flags["create-project"] !== undefined;
  for (;;) {
    const answer = await ask(context, projects.length > 0 ? "Project (number or slug): " : "Project: ");
    const chosen = /^\d+$/.test(answer) ? projects[Number(answer) - 1] : undefined;
    const project =
      chosen ?? projects.find(({ slug, ownerUsername }) => [slug, `${ownerUsername}/${slug}`].includes(answer));
    if (project !== undefined) return { owner: project.ownerUsername, "project-slug": project.slug };
    if (!new RegExp(slugPattern).test(answer) || answer.length > slugLength) {
      await context.io.stderr.write("A slug is lower-case letters and digits, words joined by single hyphens\n");
      continue;
    }
    if (context.settings.dryRun || !canCreate || given["create-project"] === true) return { "project-slug": answer };
    if (/^y(es)?$/i.test(await ask(context, `There is no project ${answer} among these. Create it? [y/N] `)))
      return { "project-slug": answer, "create-project": true };
  }
}

async function ownProjects(context: Context, owner: unknown): Promise<readonly Project[]> {
  const client = await context.api();
  const { projects } = await client.call("project.listMine", { limit: offered });
  return typeof owner === "string" ? projects.filter(({ ownerUsername }) => ownerUsername === owner) : projects;
}

const listOf = (projects: readonly Project[]): string =>
  projects
    .map(
      ({ ownerUsername, slug, title }, place) =>
        `${place + 1}  ${oneLine(`${ownerUsername}/${slug}`)}  ${oneLine(title)}\n`,
    )
    .join("");

/** One line, not empty. @throws Failure interrupted where the person ends the input */
async function ask({ io }: Context, question: string): Promise<string> {
  for (;;) {
    const answer = await io.ask(question);
    if (answer === null) throw ownFailure("interrupted", "Nothing was answered, and nothing was sent");
    if (answer.trim() !== "") return answer.trim();
  }
}
