// From flags and files to what `push` sends. Sends nothing; refuses what cannot be sent.
import type { Input } from "@plinth/contract/registry";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import type { Values } from "../command.ts";
import { usage } from "../failure.ts";
import type { Reader, Source } from "../source.ts";
import { inferDescription, inferSlug, inferTitle, inferType, knownExtensions } from "./infer.ts";
import type { Push } from "./publish.ts";

interface PushFlags {
  readonly owner?: string;
  readonly "project-slug"?: string;
  readonly file?: readonly string[];
  readonly type?: ArtifactType;
  readonly title?: string;
  readonly slug?: string;
  readonly description?: string;
  readonly changelog?: string;
  readonly private?: boolean;
  readonly ensure?: boolean;
  readonly "create-project"?: boolean;
}

/** Reads every file before anything is sent. @throws Failure usage */
export async function readPushes({ flags: given, positionals }: Values, reader: Reader): Promise<Push[]> {
  const flags = given as PushFlags;
  const projectSlug = flags["project-slug"];
  if (projectSlug === undefined) throw usage("push needs --project-slug", { next: "plinth project list" });
  const names = [...(flags.file ?? []), ...positionals];
  if (names.length === 0)
    throw usage("push needs a file", {
      hint: "Name one, or - for standard input with --type",
      next: "plinth push --help",
    });
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw usage(`${twice} is given twice`);
  if (names.length > 1 && (flags.title !== undefined || flags.slug !== undefined)) {
    throw usage("--title and --slug are for one file", { hint: "Push the files one by one" });
  }
  const pushes: Push[] = [];
  for (const name of names) {
    const type = typeOf(name, flags);
    const source = await reader.source(name);
    const body = bodyOf(source, type, projectSlug, flags);
    pushes.push({
      source,
      body,
      ensure: flags.ensure === true,
      createProject: flags["create-project"] === true,
    });
  }
  refuseSameSlug(pushes);
  return pushes;
}

function typeOf(name: string, flags: PushFlags): ArtifactType {
  const type = flags.type ?? inferType(name);
  if (type) return type;
  if (name === "-") throw usage("Standard input needs --type", { hint: "Add --type md, html or jsx" });
  throw usage(`The type of ${name} is not known by its extension`, {
    hint: `Known are ${knownExtensions.join(", ")}; otherwise add --type`,
  });
}

function bodyOf(source: Source, type: ArtifactType, projectSlug: string, flags: PushFlags): Input<"artifact.create"> {
  const title = flags.title ?? inferTitle(source.name, type, source.content);
  if (title === null)
    throw usage("Standard input has no heading or front matter to take the title from", { hint: "Add --title" });
  const description = flags.description ?? inferDescription(type, source.content);
  return {
    ...(flags.owner !== undefined && { ownerUsername: flags.owner }),
    projectSlug,
    slug: flags.slug ?? inferSlug(title, source.name),
    type,
    title,
    ...(description !== null && { description }),
    content: source.content,
    ...(flags.changelog !== undefined && { changelog: flags.changelog }),
    access: { publicView: flags.private !== true, publicEdit: false },
  };
}

/** With `--ensure` the second would become a version of the first. */
function refuseSameSlug(pushes: readonly Push[]): void {
  const names = new Map<string, string>();
  for (const { source, body } of pushes) {
    const other = names.get(body.slug);
    if (other !== undefined)
      throw usage(`${other} and ${source.name} would have the same slug ${body.slug}`, {
        hint: "Push them one by one with --slug",
      });
    names.set(body.slug, source.name);
  }
}
