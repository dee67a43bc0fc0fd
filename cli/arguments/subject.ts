// The subject of a command, named by its first word in any form: an artifact, an address, a project or an identifier.
// The word becomes the flags with the same meaning, so that all commands read it in the same way.
import { slugPattern } from "@plinth/contract/limits";

import { artifactHint, artifactPathOf, projectPathOf, versionsIn } from "../artifacts/artifact-name.ts";
import type { Command, Subject } from "../command/command.ts";
import { usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import type { Io } from "../io/io.ts";
import { findProjectFile, projectFileName } from "../session/project-file.ts";
import type { Settings } from "../session/settings.ts";
import { helpFor, readValue } from "./arguments.ts";

/** What help says of the word. */
export const subjectWords = (subject: Subject): { readonly name: string; readonly description: string } => {
  switch (subject.kind) {
    case "artifact":
      return { name: "artifact", description: "owner/project/slug, the address of the page, or the identifier" };
    case "address":
      return { name: "address", description: "owner/project/slug, or the address of the page" };
    case "project":
      return { name: "project", description: "owner/project, or the address of the project" };
    case "projectId":
      return { name: "project", description: "owner/project, the address of the project, or its identifier" };
    case "id":
      return { name: subject.flag, description: "Its identifier" };
  }
};

type Given = Readonly<Record<string, unknown>>;

interface LineContext {
  readonly settings: Settings;
  readonly io: Pick<Io, "directory" | "env">;
  readonly progress: (message: string) => void;
}

/** The line with its subject as flags; the other words stay. @throws Failure usage */
export async function withSubject(command: Command, values: Values, context: LineContext): Promise<Values> {
  const { subject } = command;
  if (subject === undefined) return values;
  const [word, ...others] = values.positionals;
  const names = subjectFlags(subject).filter((name) => values.flags[name] !== undefined);
  // Words after the subject are the content of the commands that take one.
  const isContent = command.takesContent === true && names.length > 0;
  if (word === undefined || word === "-" || isContent) return withVersions(command, values, subject);
  if (names.length > 0)
    throw usage(`${command.path} is given ${subjectWords(subject).name} twice, by a word and by --${names[0]}`, {
      hint: "Give one of them",
      next: helpFor(command.path.split(" ")),
    });
  if (others.length > 0 && !command.takesContent)
    throw usage(`${command.path} takes one ${subjectWords(subject).name}`, {
      hint: "Quote values that hold spaces",
      next: helpFor(command.path.split(" ")),
    });
  const flags = { ...values.flags, ...(await readSubject(subject, word, command, context)) };
  return withVersions(command, { ...values, flags, positionals: others }, subject);
}

/** The flags that say the same. */
export function subjectFlags(subject: Subject): string[] {
  switch (subject.kind) {
    case "artifact":
      return ["artifact-id"];
    case "address":
      return ["owner", "project-slug", "slug"];
    case "project":
      return ["owner", subject.flag];
    case "projectId":
      return ["project-id"];
    case "id":
      return [subject.flag];
  }
}

async function readSubject(subject: Subject, word: string, command: Command, context: LineContext): Promise<Given> {
  const { settings } = context;
  if (subject.kind === "id") {
    const flag = command.flags[subject.flag];
    return flag === undefined ? {} : { [subject.flag]: readValue(subject.flag, flag, word, command.path.split(" ")) };
  }
  if (subject.kind === "project") {
    const { owner, projectSlug } = projectPathOf(word, settings);
    return { ...(owner !== null && { owner }), [subject.flag]: projectSlug };
  }
  if (subject.kind === "projectId") return { "project-id": projectNameOf(word, settings) };
  if (subject.kind === "artifact") return { "artifact-id": await artifactNameOf(word, context) };
  const path = artifactPathOf(word, { settings });
  if (path === null) throw usage("That is no address", { hint: "Give owner/project/slug" });
  return { owner: path.owner, "project-slug": path.projectSlug, slug: path.slug };
}

/** An identifier as it is; anything else must name a project. @throws Failure usage */
function projectNameOf(word: string, settings: Settings): string {
  if (!/^prj_\w+$/i.test(word)) projectPathOf(word, settings);
  return word;
}

/** A name of an artifact in one of its forms. A slug alone is of the project that the .plinth.json names. @throws Failure usage */
export async function artifactNameOf(word: string, { settings, io, progress }: LineContext): Promise<string> {
  if (artifactPathOf(word, { settings }) !== null || /^art_\w+$/i.test(word)) return word;
  if (new RegExp(slugPattern).test(word)) {
    const { owner, projectSlug } = (await findProjectFile(io))?.members ?? {};
    if (owner !== undefined && projectSlug !== undefined) {
      const name = `${owner}/${projectSlug}/${word}`;
      progress(`${name} (${projectFileName})`);
      return name;
    }
  }
  throw usage("That names no artifact", { hint: `Give ${artifactHint}` });
}

/** The versions of an address count where the command takes some; nothing else is written to than what it names. */
function withVersions(command: Command, values: Values, subject: Subject): Values {
  const name = values.flags["artifact-id"];
  if (subject.kind !== "artifact" || typeof name !== "string") return values;
  const found: Record<string, number | undefined> = versionsIn(name);
  const { version } = found;
  const isOfVersion = command.flags["version"] !== undefined;
  if (version !== undefined && !isOfVersion && command.effect !== "read" && command.effect !== "local")
    throw usage(`${command.path} is about an artifact, and not about its version ${version}`, {
      hint: `Leave out ?v=${version}`,
    });
  const missing = ["version", "from", "to"].filter(
    (flag) => command.flags[flag] !== undefined && values.flags[flag] === undefined && found[flag] !== undefined,
  );
  if (missing.length === 0) return values;
  return { ...values, flags: { ...values.flags, ...Object.fromEntries(missing.map((flag) => [flag, found[flag]])) } };
}
