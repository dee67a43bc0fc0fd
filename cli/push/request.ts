// From flags and files to what `push` sends. Sends nothing; refuses what cannot be sent.
import { basename, extname, resolve } from "node:path";

import { inferType, knownExtensions } from "@plinth/contract/publishing/document-type";
import { pathProblem } from "@plinth/contract/publishing/file-path";
import { inferDescription, inferPlace, inferTitle } from "@plinth/contract/publishing/inference";
import { slugOfTitle, untitledSlug } from "@plinth/contract/publishing/slug";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { Failure, usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import type { Io } from "../io/io.ts";
import type { Reader, Source } from "../io/reader.ts";
import { createFileFinder, withoutParts, type FileFinder } from "./find-files.ts";
import { namedFiles, type NamedFile, type Naming } from "./named-files.ts";
import { detailsOf, type Push } from "./push.ts";
import { withUnnamed } from "./unnamed-files.ts";

export interface PushFlags {
  readonly owner?: string;
  readonly "project-slug"?: string;
  readonly file?: readonly string[];
  readonly type?: ArtifactType;
  readonly title?: string;
  readonly slug?: string;
  readonly description?: string;
  readonly changelog?: string;
  readonly recursive?: boolean;
  readonly "all-files"?: boolean;
  readonly "slug-from"?: "title" | "path";
  readonly private?: boolean;
  readonly public?: boolean;
  readonly "allow-secrets"?: boolean;
  readonly open?: boolean;
  readonly ensure?: boolean;
  readonly "create-project"?: boolean;
  readonly root?: string;
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly "strict-links"?: boolean;
}

export interface Pushes {
  readonly pushes: readonly [Push, ...Push[]];
  /** The result is a list however many files there are: several were named, or a folder. */
  readonly asList: boolean;
}

/** Reads every file before anything is sent. @throws Failure usage */
export async function readPushes(values: Values, reader: Reader, io: Pick<Io, "directory" | "env">): Promise<Pushes> {
  const flags = values.flags as PushFlags;
  if (flags.private && flags.public) throw usage("--private and --public exclude each other");
  const files = await namedFiles(wordsOf({ flags, positionals: values.positionals }), io, namingOf(flags));
  refuseForMany(files, flags);
  const finder = finderFor(files, flags, io);
  const read: Push[] = [];
  const failures: Failure[] = [];
  for (const file of files) {
    try {
      read.push(await readPush(file, projectFor(values), flags, reader, finder));
    } catch (error) {
      if (!(error instanceof Failure) || file.within === null) throw error;
      failures.push(error);
    }
  }
  requireReadable(failures, files.length);
  requireOneProject(read);
  const pushes = withoutParts(flags.recursive ? await withOwnSlugs(read) : read, io.directory);
  refuseSame("slug", pushes, ({ body }) => body.slug, slugHint(flags));
  refuseSame("source path", pushes, ({ body }) => body.sourcePath, "Push the folders one by one");
  const [first, ...others] = await withUnnamed(pushes, io);
  if (first === undefined) throw usage("Each of these files is a part of another one", { hint: "Name one of them" });
  return { pushes: [first, ...others], asList: files.length > 1 || files[0].within !== null };
}

/** Finds the files of all documents of the line. */
export const finderFor = (files: readonly NamedFile[], flags: PushFlags, io: Pick<Io, "directory" | "env">) =>
  createFileFinder(files, io, flags.root === undefined ? null : resolve(io.directory, flags.root));

/** How the words of the line stand for files. */
export const namingOf = (flags: PushFlags): Naming => ({
  recursive: flags.recursive === true,
  allFiles: flags["all-files"] === true,
});

/** The files and folders on the line. */
export const wordsOf = ({ flags, positionals }: { flags: PushFlags; positionals: readonly string[] }): string[] => [
  ...(flags.file ?? []),
  ...positionals,
];

/** Names every file that cannot be read, so that they can be mended at once. @throws Failure usage */
function requireReadable(failures: readonly Failure[], all: number): void {
  const [first, ...others] = failures;
  if (first === undefined) return;
  if (others.length === 0) throw first;
  throw usage(`${failures.length} of ${all} files cannot be published`, {
    errors: failures.slice(0, 100).map(({ problem }) => ({ path: "", message: problem.detail })),
    hint: first.problem.hint ?? "Mend them, or let git ignore them",
  });
}

/** The project of a document by what its front matter says. @throws Failure usage */
type ProjectFor = (inFrontMatter: string | null) => string;

/** The project on the line, else the document's own, else that of the .plinth.json. */
export function projectFor({ flags, filled }: Values, missing: () => Failure = missingProject): ProjectFor {
  const given = (flags as PushFlags)["project-slug"];
  const isOnLine = given !== undefined && !filled?.has("project-slug");
  return (inFrontMatter) => {
    const project = isOnLine ? given : (inFrontMatter ?? given);
    if (project !== undefined) return project;
    throw missing();
  };
}

const missingProject = () =>
  usage("push needs a project", {
    hint: "Add --project-slug, or name the project of this folder once with plinth init",
    next: "plinth project list",
  });

/** One push goes to one project. @throws Failure usage */
function requireOneProject(pushes: readonly Push[]): void {
  const [first] = pushes;
  const other = pushes.find(({ body }) => body.projectSlug !== first?.body.projectSlug);
  if (first === undefined || other === undefined) return;
  throw usage(
    `${first.source.name} is for the project ${first.body.projectSlug}, and ${other.source.name} for ${other.body.projectSlug}`,
    { hint: "Push them one by one, or give --project-slug for all" },
  );
}

/** Reads one file, with the files that go with it. @throws Failure usage */
export async function readPush(
  file: NamedFile,
  projectOf: ProjectFor,
  flags: PushFlags,
  reader: Reader,
  finder: FileFinder,
): Promise<Push> {
  const type = typeOf(file.name, flags);
  const source = await reader.source(file.name);
  const place = inferPlace(type, source.content);
  const slug = place.slug === null ? null : await slugOfTitle(place.slug);
  const body = await bodyOf(source, file, type, { ...place, slug, projectSlug: projectOf(place.projectSlug) }, flags);
  const ownTitle = type === "html" && flags.title === undefined ? await ownTitleOf(source.content) : null;
  return finder.withFiles({
    file,
    source,
    body,
    details: detailsOf(flags, type, source.content),
    ...(ownTitle !== null && ownTitle !== body.title && { ownTitle }),
    isTitleSlug: flags.slug === undefined && flags["slug-from"] !== "path" && slug === null,
    isSlugGiven: flags.slug !== undefined,
    ensure: flags.ensure === true,
    createProject: flags["create-project"] === true,
  });
}

const ownTitleOf = async (content: string) =>
  (await import("@plinth/contract/publishing/own-title")).ownTitleOf(content);

/** What says one thing of one file. */
function refuseForMany(files: readonly NamedFile[], flags: PushFlags): void {
  if (files.length > 1 && (flags.title !== undefined || flags.slug !== undefined))
    throw usage("--title and --slug are for one file", { hint: "Push the files one by one" });
  if (
    flags.type !== undefined &&
    files.some(({ within, whole }) => within !== null || typeof whole?.title === "string")
  )
    throw usage("--type is not for a folder", { hint: "The extension of each file says its type" });
}

function typeOf(name: string, flags: PushFlags): ArtifactType {
  const type = flags.type ?? inferType(name);
  if (type) return type;
  if (name === "-") throw usage("Standard input needs --type", { hint: "Add --type md, html or jsx" });
  throw usage(`The type of ${name} is not known by its extension`, {
    hint: `Known are ${knownExtensions.join(", ")}; otherwise add --type`,
  });
}

async function bodyOf(
  source: Source,
  file: NamedFile,
  type: ArtifactType,
  place: { readonly projectSlug: string; readonly slug: string | null; readonly isPrivate: boolean },
  flags: PushFlags,
): Promise<Push["body"]> {
  const title = flags.title ?? file.whole?.title ?? inferTitle(source.name, type, source.content);
  if (title === null)
    throw usage("Standard input has no heading or front matter to take the title from", { hint: "Add --title" });
  const sourcePath = flags.recursive && file.within !== null ? file.within.path : null;
  const problem = sourcePath === null ? null : pathProblem(sourcePath);
  if (problem !== null) throw usage(`The path of a document ${problem}`, { hint: "Rename the file" });
  const description = flags.description ?? inferDescription(type, source.content);
  return {
    ...(flags.owner !== undefined && { ownerUsername: flags.owner }),
    projectSlug: place.projectSlug,
    slug: flags.slug ?? (await slugFor({ file, source, title, given: place.slug }, flags)),
    type,
    title,
    ...(description !== null && { description }),
    content: source.content,
    ...(flags.changelog !== undefined && { changelog: flags.changelog }),
    access: { publicView: flags.private !== true && (!place.isPrivate || flags.public === true), publicEdit: false },
    ...(sourcePath !== null && { sourcePath }),
  };
}

/** From the path below the folder that was named, wherever that folder is; from the name of what was named itself. */
function pathOf({ name, within, whole }: NamedFile): string {
  if (name === "-") throw usage("Standard input has no path to take the slug from", { hint: "Add --slug" });
  if (typeof whole?.title === "string") return whole.title;
  const path = within?.path ?? basename(name);
  return path.slice(0, path.length - extname(path).length);
}

/** `given` is that of the front matter. */
async function slugFor(
  { file, source, title, given }: { file: NamedFile; source: Source; title: string; given: string | null },
  flags: PushFlags,
): Promise<string> {
  if (flags["slug-from"] === "path") return slugOf(pathOf(file), source);
  return given ?? slugOf(title, source);
}

const slugOf = async (text: string, { sha256 }: Source): Promise<string> =>
  (await slugOfTitle(text)) ?? untitledSlug(sha256);

/**
 * In a folder with its folders, documents of the same title get the slugs of their paths: all of them, so that none
 * depends on the order.
 */
async function withOwnSlugs(pushes: readonly Push[]): Promise<Push[]> {
  const counts = new Map<string, number>();
  for (const { body } of pushes) counts.set(body.slug, (counts.get(body.slug) ?? 0) + 1);
  return Promise.all(
    pushes.map(async (push) => (push.isTitleSlug && (counts.get(push.body.slug) ?? 0) > 1 ? withPathSlug(push) : push)),
  );
}

/** The push with the slug of its path. */
export async function withPathSlug(push: Push): Promise<Push> {
  const slug = await slugOf(pathOf(push.file), push.source);
  return { ...push, isTitleSlug: false, body: { ...push.body, slug } };
}

const slugHint = (flags: PushFlags): string =>
  flags["slug-from"] === "path" || flags.recursive
    ? "Rename one, or push them one by one with --slug"
    : "Add --slug-from path, or push them one by one with --slug";

/** With `--ensure` the second would become a version of the first. */
function refuseSame(what: string, pushes: readonly Push[], nameOf: (push: Push) => string | undefined, hint: string) {
  const names = new Map<string, string>();
  for (const push of pushes) {
    const name = nameOf(push);
    if (name === undefined) continue;
    const other = names.get(name);
    if (other !== undefined)
      throw usage(`${other} and ${push.source.name} would have the same ${what} ${name}`, { hint });
    names.set(name, push.source.name);
  }
}
