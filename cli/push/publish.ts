// Publishing one file: create, and under `--ensure` reuse what is there (docs/reference/experience.md §2, "push").
import { resolve, sep } from "node:path";

import { ProblemError, type Client } from "@plinth/contract/client";
import type { Input } from "@plinth/contract/registry";
import { areDifferentWords, slugOfTitle } from "@plinth/contract/publishing/slug";
import { reuseBar } from "@plinth/contract/reuse";
import type { Artifact, Version } from "@plinth/contract/schemas/artifact";

import { ownName } from "../artifacts/project-artifacts.ts";
import { clientFailure, Failure } from "../failure/failure.ts";
import { digestOf } from "../files/digest.ts";
import { atSourcePath } from "./find-files.ts";
import type { PublishedFiles } from "./published-files.ts";
import { changedDetails, type Details, mayChange, publishedDetails, type Push } from "./push.ts";
import { createUploader, type Uploader } from "./upload.ts";
import type { RememberedVersions, VersionHashes } from "./version-hashes.ts";

export interface Pushed {
  readonly action: "created" | "updated" | "unchanged";
  readonly url: string;
  readonly artifact: Artifact;
  readonly version: number;
  readonly visibility: "public" | "private";
  /** What an update changed. */
  readonly changed?: readonly Changed[];
  /** Of the text, against the version before; left out where it is not known. */
  readonly changes?: { readonly additions: number; readonly deletions: number };
  readonly previousVersion?: number;
  /** The page that compares the two versions. */
  readonly diffUrl?: string;
  /** The files that go with it, and how many of them this push has uploaded. */
  readonly files?: { readonly count: number; readonly sizeBytes: number; readonly uploaded: number };
  /** The title that an html document gives itself, where the artifact is called by its file's name. */
  readonly suggestedTitle?: string;
  readonly dryRun?: true;
}

type Changed = "content" | "files" | "title" | "description" | "sourcePath";

/** What the files of one push share. */
export interface Publisher {
  readonly client: Client;
  readonly uploader: Uploader;
  readonly versions: RememberedVersions;
  readonly published: PublishedFiles;
  /** How many updates are still compared with the version before, to say what changed. */
  comparisonsLeft: number;
  /** The working directory, against which files are named. */
  readonly directory: string;
  readonly dryRun: boolean;
  /** Creates the project where that was asked for, once for all files; null where it was not. */
  readonly createProject: (() => Promise<void>) | null;
}

/** Publishes. @throws ProblemError, Failure (conflict where `--ensure` may not reuse what is there) */
export async function publish(push: Push, key: string | null, publisher: Publisher): Promise<Pushed> {
  if (push.known) return reuse(push, push.known, key, publisher);
  try {
    return await create(push, key, publisher);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { client } = publisher;
    const { artifactId, code } = error.problem;
    // Published since the project was listed.
    if (code === "source_path_conflict") {
      const known = await findBySourcePath(push, client);
      if (known.sourcePath !== push.body.sourcePath) throw error;
      return reuse({ ...push, known }, known, key, publisher);
    }
    if (code !== "slug_conflict") throw error;
    if (!push.ensure) throw withOwner(push, error, publisher);
    const artifact =
      typeof artifactId === "string"
        ? await client.call("artifact.get", { artifactId })
        : await findByPath(push, client);
    return reuseLatest(push, artifact, key, publisher);
  }
}

/** How often another writer may publish in between: a matrix of jobs that push at once. */
const mostRaces = 4;

/** `--ensure` is about no version in particular, so a version that came in between is only a reason to look again. */
async function reuseLatest(push: Push, artifact: Artifact, key: string | null, publisher: Publisher): Promise<Pushed> {
  let found = artifact;
  for (let race = 1; ; race++) {
    try {
      return await reuse(push, found, key, publisher);
    } catch (error) {
      const isRace = error instanceof ProblemError && error.problem.code === "version_conflict";
      if (!isRace || race === mostRaces) throw error;
      found = await publisher.client.call("artifact.get", { artifactId: found.artifactId });
    }
  }
}

async function create(push: Push, key: string | null, publisher: Publisher): Promise<Pushed> {
  try {
    return await createOrReplay(push, key, publisher);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.code !== "not_found") throw error;
    if (publisher.createProject === null) throw new ProjectMissing(push, publisher, error);
    await publisher.createProject();
    return createOrReplay(push, key, publisher);
  }
}

/**
 * Under a key of an earlier run the server may give that run's answer. It is believed as far as it still holds: a
 * version that came on top since is `--ensure`'s to see, and an artifact that was deleted since is created again.
 */
async function createOrReplay(push: Push, key: string | null, publisher: Publisher): Promise<Pushed> {
  const { client, dryRun } = publisher;
  const { body, uploaded } = await withUploads(push.body, push, publisher);
  const response = await client.send("artifact.create", body, {
    dryRun,
    ...(key !== null && { headers: { "idempotency-key": key } }),
  });
  // A push says what is missing by the files themselves: the documents that follow are not published yet.
  const { missing: _, ...artifact } = (await response.json()) as Artifact;
  if (response.headers.get("idempotency-replayed") !== "true")
    return withFiles(pushed("created", artifact), push, uploaded);
  const now = await findCurrent(artifact, client);
  if (now === null) return createOrReplay(push, null, publisher);
  const changed = now.latestVersion !== artifact.latestVersion;
  if (push.ensure && changed) return reuse(push, now, key, publisher);
  requireSameArtifact(push.body, now);
  return withFiles(pushed("created", { ...now, latestVersion: artifact.latestVersion }), push, uploaded);
}

/**
 * The body when all of its files are there. A dry run uploads none, and so leaves out files that the service does not
 * have: it would refuse them.
 */
async function withUploads<Body extends { readonly files?: unknown; readonly artifactId?: string }>(
  body: Body,
  { found }: Push,
  { client, uploader, dryRun }: Publisher,
): Promise<{ body: Body; uploaded: number }> {
  const files = body.files === undefined ? [] : (found?.files ?? []);
  if (files.length === 0) return { body, uploaded: 0 };
  if (dryRun) {
    const isWhole = (await uploader.missing(files)).size === 0;
    return { body: isWhole ? body : { ...body, files: undefined, documentPath: undefined }, uploaded: 0 };
  }
  const { artifactId } = body;
  try {
    return { body, uploaded: await uploader.upload(files) };
  } catch (error) {
    const isRefused = error instanceof ProblemError && noWorkspace.has(error.problem.code);
    if (!isRefused || artifactId === undefined) throw error;
    return { body, uploaded: await createUploader({ artifactId }, client).upload(files) };
  }
}

/** Who can update one artifact cannot always create others beside it. */
const noWorkspace = new Set(["forbidden", "insufficient_scope", "not_found"]);

function withFiles(given: Pushed, { found, ownTitle, body }: Push, uploaded = 0): Pushed {
  const isNamedByFile = ownTitle !== undefined && given.artifact.title === body.title;
  const made = isNamedByFile ? { ...given, suggestedTitle: ownTitle } : given;
  const files = found?.files ?? [];
  if (files.length === 0) return made;
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  return { ...made, files: { count: files.length, sizeBytes, uploaded } };
}

async function findCurrent({ artifactId }: Artifact, client: Client): Promise<Artifact | null> {
  try {
    return await client.call("artifact.get", { artifactId });
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === "not_found") return null;
    throw error;
  }
}

/** Makes what creates the project at the first call; every further call waits for that. */
export function projectCreator(
  { ownerUsername, projectSlug }: Pick<Push["body"], "ownerUsername" | "projectSlug">,
  client: Client,
  report: (message: string) => void,
): () => Promise<void> {
  const title = projectSlug.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());
  const input = { ...(ownerUsername !== undefined && { ownerUsername }), slug: projectSlug, title, icon: "📄" };
  let creating: Promise<void> | null = null;
  async function createOnce(): Promise<void> {
    try {
      await client.call("project.create", input);
      report(`Created the project ${projectSlug}`);
    } catch (error) {
      // Another push may have created it at the same moment: then it is there, which is all that was wanted.
      if (!(error instanceof ProblemError) || error.problem.code !== "slug_conflict") throw error;
    }
  }
  return () => (creating ??= createOnce());
}

/** No file of the push can be published. */
export class ProjectMissing extends ProblemError {
  constructor({ body, createProject }: Push, { dryRun }: Publisher, { problem, retryAfterSeconds }: ProblemError) {
    const hint =
      createProject && dryRun
        ? "--check creates nothing, so the project is still missing"
        : `Check --owner and --project-slug, or add --create-project to create the project ${body.projectSlug}`;
    super({ ...problem, hint }, retryAfterSeconds);
  }
}

async function findBySourcePath({ body }: Push, client: Client): Promise<Artifact> {
  const owner = body.ownerUsername ?? (await ownName(client));
  const { projectSlug, sourcePath: path = "" } = body;
  return client.call("artifact.getBySourcePath", { owner, projectSlug, path });
}

async function findByPath({ body }: Push, client: Client): Promise<Artifact> {
  const owner = body.ownerUsername ?? (await ownName(client));
  return client.call("artifact.getByPath", { owner, projectSlug: body.projectSlug, slug: body.slug });
}

async function reuse(given: Push, found: Artifact, key: string | null, publisher: Publisher): Promise<Pushed> {
  const push = found.sourcePath ? atSourcePath(given, found.sourcePath) : given;
  const { body, source, details } = push;
  const { client, dryRun } = publisher;
  requireSameArtifact(body, found);
  if (push.known === undefined) {
    if (push.isTitleSlug) await requireSameTitle(body, found);
    requireSameSource(push, found, publisher);
  }
  const { artifactId } = found;
  const head = await latestOf(found, publisher);
  const hasNewText = head?.sha256 !== source.sha256;
  const hasNewFiles = (head?.filesSha256 ?? undefined) !== push.filesSha256;
  const change = {
    ...(await changedDetails(details, found, hasNewText, () => publishedDetails(found, client))),
    ...(body.sourcePath !== undefined && body.sourcePath !== found.sourcePath && { sourcePath: body.sourcePath }),
  };
  const { artifact, changed } = await applyDetails(change, found, client, dryRun);
  if (!hasNewText && !hasNewFiles)
    return withFiles(pushed(changed.length > 0 ? "updated" : "unchanged", artifact, dryRun, changed), push);
  const next = nextVersion(push, artifactId, head?.versionNumber ?? artifact.latestVersion, hasNewFiles);
  const { body: input, uploaded } = await withUploads(next, push, publisher);
  const version = await client.call("version.create", input, {
    dryRun,
    ...(key !== null && { headers: { "idempotency-key": keyOfVersion(key, input) } }),
  });
  const what: Changed[] = [...(hasNewText ? ["content" as const] : []), ...(hasNewFiles ? ["files" as const] : [])];
  const made = pushed("updated", withHead(artifact, version), dryRun, [...what, ...changed]);
  return withFiles(dryRun ? made : await withChanges(made, hasNewText, publisher), push, uploaded);
}

/** The version before is the one that was expected. */
async function withChanges(made: Pushed, hasNewText: boolean, publisher: Publisher): Promise<Pushed> {
  const { artifact, version: to } = made;
  const from = to - 1;
  const url = new URL(`${artifact.url}/history`);
  url.search = String(new URLSearchParams({ from: String(from), to: String(to) }));
  const changes = hasNewText ? await changesBetween(artifact.artifactId, from, to, publisher) : null;
  return { ...made, previousVersion: from, diffUrl: url.href, ...(changes !== null && { changes }) };
}

/** Null where they are not asked for, or the server cannot say: the version is published all the same. */
async function changesBetween(artifactId: string, from: number, to: number, publisher: Publisher) {
  if (publisher.comparisonsLeft === 0) return null;
  publisher.comparisonsLeft--;
  try {
    const { stats } = await publisher.client.call("version.diff", { artifactId, from, to });
    return stats;
  } catch (error) {
    if (error instanceof ProblemError || error instanceof Failure) return null;
    throw error;
  }
}

/** The latest version, as far as a push compares it. */
async function latestOf(
  { artifactId, latestVersion }: Artifact,
  { client, versions }: Publisher,
): Promise<VersionHashes | null> {
  const known = versions.find(artifactId, latestVersion);
  if (known !== null) return known;
  const [head] = (await client.call("version.list", { artifactId, limit: 1 })).versions;
  if (head === undefined) return null;
  const { versionNumber, sha256, files } = head;
  const hashes = { versionNumber, sha256, filesSha256: files?.sha256 ?? null };
  versions.remember(artifactId, hashes);
  return hashes;
}

/** Before the version: a push that is cut off in between finds the rest to do when it is run again. */
async function applyDetails(
  change: Awaited<ReturnType<typeof changedDetails>> & { sourcePath?: string },
  artifact: Artifact,
  client: Client,
  dryRun = false,
) {
  const changed = Object.keys(change) as (keyof typeof change)[];
  if (changed.length === 0) return { artifact, changed };
  const patched = await client.call("artifact.patch", { artifactId: artifact.artifactId, ...change }, { dryRun });
  return { artifact: patched, changed };
}

/** The latest publish of a file, and the details that it gave its artifact. */
export interface Published {
  readonly pushed: Pushed;
  readonly filesSha256: string | undefined;
  readonly details: Details;
}

/**
 * A version on top of the one that was published, with the title and the description that its text or a flag says:
 * another writer's version in between is a conflict, and an artifact that was made public since gets nothing that
 * was to be private.
 */
export async function publishOnTop(push: Push, last: Published, publisher: Publisher): Promise<Pushed> {
  const { body, details } = push;
  const { client } = publisher;
  const { artifact: known, version } = last.pushed;
  const { artifactId } = known;
  const isLookedAt = !body.access.publicView || mayChange(details, last.details);
  const now = isLookedAt ? await client.call("artifact.get", { artifactId }) : known;
  requireSameArtifact(body, now);
  // On top of another writer's version nothing is changed: the request below is refused.
  const isOurs = isLookedAt && now.latestVersion === version;
  const change = isOurs ? await changedDetails(details, now, true, () => last.details.inText) : {};
  const { artifact, changed } = await applyDetails(change, now, client);
  const hasNewFiles = push.filesSha256 !== last.filesSha256;
  const next = nextVersion(push, artifactId, version, hasNewFiles);
  const { body: input, uploaded } = await withUploads(next, push, publisher);
  const made = await client.call("version.create", input);
  const what: Changed[] = hasNewFiles ? ["content", "files"] : ["content"];
  return withFiles(pushed("updated", withHead(artifact, made), false, [...what, ...changed]), push, uploaded);
}

/** The version that comes on top of this one alone. Files that did not change stay without being named. */
const nextVersion = (
  { body: { content, changelog, files = [], documentPath, sourcePath } }: Push,
  artifactId: string,
  expectedLatestVersion: number,
  hasNewFiles: boolean,
): Input<"version.create"> => ({
  artifactId,
  content,
  expectedLatestVersion,
  ...(changelog !== undefined && { changelog }),
  ...(hasNewFiles && { files }),
  ...(hasNewFiles && files.length > 0 && { documentPath: documentPath ?? sourcePath ?? rootDocument }),
});

/** Any name does: it says only that the document is at the root of its files. */
const rootDocument = "document";

/** Follows from the key of the creation, so that one note covers both; another request is never sent under it. */
const keyOfVersion = (key: string, input: object): string => digestOf(JSON.stringify([key, input])).sha256;

/** Nothing is written where the artifact there is not what this push would have made. */
function requireSameArtifact({ type, access }: Push["body"], artifact: Artifact): void {
  const next = `plinth get ${artifact.artifactId}`;
  const bar = reuseBar({ type, access }, artifact);
  if (bar === "type") {
    throw clientFailure(
      "slug_conflict",
      `The artifact at ${artifact.url} is ${artifact.type}, not ${type}; nothing was written`,
      { hint: "Take another --slug; the type of an artifact never changes", next },
    );
  }
  if (bar === "public") {
    throw clientFailure(
      "slug_conflict",
      `The artifact at ${artifact.url} is public and this document is private; nothing was written`,
      { hint: "Make it private first, or take another --slug", next },
    );
  }
}

/**
 * An artifact of another file stays that file's, unless the line names its slug (docs/reference/contract.md §7). @throws Failure slug_conflict
 */
function requireSameSource(push: Push, artifact: Artifact, { published, directory }: Publisher): void {
  const { body, file, isSlugGiven } = push;
  if (body.sourcePath !== undefined) {
    if ((artifact.sourcePath ?? body.sourcePath) === body.sourcePath) return;
    throw otherOwner(push, artifact.url, artifact.sourcePath ?? "");
  }
  if (isSlugGiven || file.name === "-") return;
  const { sourcePath } = artifact;
  const other = published.otherFileOf(artifact.artifactId, file.name);
  if (other !== null) throw otherOwner(push, artifact.url, other);
  const path = `/${resolve(directory, file.name).split(sep).join("/").normalize("NFC")}`;
  if (sourcePath && !path.endsWith(`/${sourcePath}`)) throw otherOwner(push, artifact.url, sourcePath);
}

const otherOwner = ({ file, body, isTitleSlug }: Push, url: string, owner: string): Failure =>
  clientFailure(
    "slug_conflict",
    `${url} is published from ${owner}, and ${file.name} is another file; nothing was written`,
    {
      hint:
        body.sourcePath === undefined
          ? `Give this file another --slug; --slug ${body.slug} --ensure replaces the page with it`
          : `Give this document another ${isTitleSlug ? "title" : "slug"}, or add --slug-from path`,
    },
  );

/** A slug that another file of this machine has is no reason for `--ensure`. */
function withOwner(push: Push, error: ProblemError, { published }: Publisher): unknown {
  const { artifactId, suggestion } = error.problem;
  const { file, body, isSlugGiven } = push;
  if (isSlugGiven || typeof artifactId !== "string") return error;
  const owner = published.otherFileOf(artifactId, file.name);
  if (owner === null) return error;
  return clientFailure("slug_conflict", `The slug ${body.slug} is that of ${owner}, and ${file.name} is another file`, {
    hint: `Give this file another slug: ${typeof suggestion === "string" ? `--slug ${suggestion}` : "--slug"}`,
    next: `plinth artifact get ${artifactId}`,
  });
}

/** Titles of other scripts may be spelled alike: then the page there is another document. @throws Failure slug_conflict */
async function requireSameTitle({ slug, title }: Push["body"], artifact: Artifact): Promise<void> {
  if (!areDifferentWords(title, artifact.title) || (await slugOfTitle(artifact.title)) !== slug) return;
  throw clientFailure(
    "slug_conflict",
    `The artifact at ${artifact.url} has the title "${artifact.title}", which is spelled like "${title}"; nothing was written`,
    {
      hint: `Give this document another --slug, or --slug ${slug} if it is the same one`,
      next: `plinth get ${artifact.artifactId}`,
    },
  );
}

const withHead = (artifact: Artifact, { versionNumber, createdAt }: Version): Artifact => ({
  ...artifact,
  latestVersion: versionNumber,
  updatedAt: createdAt,
});

const pushed = (
  action: Pushed["action"],
  artifact: Artifact,
  dryRun = artifact.dryRun ?? false,
  changed: readonly Changed[] = [],
): Pushed => ({
  action,
  url: artifact.url,
  artifact,
  version: artifact.latestVersion,
  visibility: artifact.access.publicView ? "public" : "private",
  ...(changed.length > 0 && { changed }),
  ...(dryRun && { dryRun: true }),
});
