// Publishing one file: create, and under `--ensure` reuse what is there (docs/reference/experience.md §2, "push").
import { ProblemError, type Client } from "@plinth/contract/client";
import type { Input } from "@plinth/contract/registry";
import { areDifferentWords, slugOfTitle } from "@plinth/contract/publishing/slug";
import { reuseBar } from "@plinth/contract/reuse";
import type { Artifact, Version } from "@plinth/contract/schemas/artifact";

import { clientFailure } from "../failure/failure.ts";
import { digestOf } from "../files/digest.ts";
import type { Source } from "../io/reader.ts";
import { changedDetails, mayChange, publishedDetails, type Details } from "./details.ts";
import type { NamedFile } from "./named-files.ts";

export interface Pushed {
  readonly action: "created" | "updated" | "unchanged";
  readonly url: string;
  readonly artifact: Artifact;
  readonly version: number;
  readonly visibility: "public" | "private";
  /** What an update changed. */
  readonly changed?: readonly Changed[];
  readonly dryRun?: true;
}

type Changed = "content" | "title" | "description";

export interface Push {
  readonly file: NamedFile;
  readonly source: Source;
  readonly body: Input<"artifact.create">;
  readonly details: Details;
  /** The slug is that of the title, and so may be another document's by chance. */
  readonly isTitleSlug: boolean;
  readonly ensure: boolean;
  readonly createProject: boolean;
}

/** What the files of one push share. */
export interface Publisher {
  readonly client: Client;
  readonly dryRun: boolean;
  /** Creates the project where that was asked for, once for all files; null where it was not. */
  readonly createProject: (() => Promise<void>) | null;
}

/** Publishes. @throws ProblemError, Failure (conflict where `--ensure` may not reuse what is there) */
export async function publish(push: Push, key: string | null, publisher: Publisher): Promise<Pushed> {
  try {
    return await create(push, key, publisher);
  } catch (error) {
    if (!push.ensure || !(error instanceof ProblemError) || error.problem.code !== "slug_conflict") throw error;
    const { client } = publisher;
    const { artifactId } = error.problem;
    const artifact =
      typeof artifactId === "string"
        ? await client.call("artifact.get", { artifactId })
        : await findByPath(push, client);
    return reuse(push, artifact, key, publisher);
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
  const response = await client.send("artifact.create", push.body, {
    dryRun,
    ...(key !== null && { headers: { "idempotency-key": key } }),
  });
  const artifact = (await response.json()) as Artifact;
  if (response.headers.get("idempotency-replayed") !== "true") return pushed("created", artifact);
  const now = await findCurrent(artifact, client);
  if (now === null) return createOrReplay(push, null, publisher);
  const changed = now.latestVersion !== artifact.latestVersion;
  if (push.ensure && changed) return reuse(push, now, key, publisher);
  requireSameArtifact(push.body, now);
  return pushed("created", { ...now, latestVersion: artifact.latestVersion });
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
  { ownerUsername, projectSlug }: Push["body"],
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

async function findByPath({ body }: Push, client: Client): Promise<Artifact> {
  const owner = body.ownerUsername ?? (await client.call("profile.get", {})).username ?? "";
  return client.call("artifact.getByPath", {
    owner,
    projectSlug: body.projectSlug,
    slug: body.slug,
  });
}

async function reuse(
  { body, source, details, isTitleSlug }: Push,
  found: Artifact,
  key: string | null,
  { client, dryRun }: Publisher,
): Promise<Pushed> {
  requireSameArtifact(body, found);
  if (isTitleSlug) await requireSameTitle(body, found);
  const { artifactId } = found;
  const head = (await client.call("version.list", { artifactId, limit: 1 })).versions[0];
  const hasNewText = head?.sha256 !== source.sha256;
  const change = await changedDetails(details, found, hasNewText, () => publishedDetails(found, client));
  const { artifact, changed } = await applyDetails(change, found, client, dryRun);
  if (!hasNewText) return pushed(changed.length > 0 ? "updated" : "unchanged", artifact, dryRun, changed);
  const input = nextVersion(body, artifactId, head?.versionNumber ?? artifact.latestVersion);
  const version = await client.call("version.create", input, {
    dryRun,
    ...(key !== null && { headers: { "idempotency-key": keyOfVersion(key, input) } }),
  });
  return pushed("updated", withHead(artifact, version), dryRun, ["content", ...changed]);
}

/** Before the version: a push that is cut off in between finds the rest to do when it is run again. */
async function applyDetails(
  change: Awaited<ReturnType<typeof changedDetails>>,
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
  readonly details: Details;
}

/**
 * A version on top of the one that was published, with the title and the description that its text or a flag says:
 * another writer's version in between is a conflict, and an artifact that was made public since gets nothing that
 * was to be private.
 */
export async function publishOnTop({ body, details }: Push, last: Published, client: Client): Promise<Pushed> {
  const { artifact: known, version } = last.pushed;
  const { artifactId } = known;
  const isLookedAt = !body.access.publicView || mayChange(details, last.details);
  const now = isLookedAt ? await client.call("artifact.get", { artifactId }) : known;
  requireSameArtifact(body, now);
  // On top of another writer's version nothing is changed: the request below is refused.
  const isOurs = isLookedAt && now.latestVersion === version;
  const change = isOurs ? await changedDetails(details, now, true, () => last.details.inText) : {};
  const { artifact, changed } = await applyDetails(change, now, client);
  const made = await client.call("version.create", nextVersion(body, artifactId, version));
  return pushed("updated", withHead(artifact, made), false, ["content", ...changed]);
}

/** The version that comes on top of this one alone. */
const nextVersion = (
  { content, changelog }: Push["body"],
  artifactId: string,
  expectedLatestVersion: number,
): Input<"version.create"> => ({
  artifactId,
  content,
  expectedLatestVersion,
  ...(changelog !== undefined && { changelog }),
});

/** Follows from the key of the creation, so that one note covers both; another request is never sent under it. */
const keyOfVersion = (key: string, input: object): string => digestOf(JSON.stringify([key, input])).sha256;

/** Nothing is written where the artifact there is not what this push would have made. */
function requireSameArtifact({ type, access }: Push["body"], artifact: Artifact): void {
  const next = `plinth artifact get --artifact-id ${artifact.artifactId}`;
  const bar = reuseBar({ type, access }, artifact);
  if (bar === "type") {
    throw clientFailure(
      "slug_conflict",
      `The artifact at ${artifact.url} is ${artifact.type}, not ${type}; nothing was written`,
      {
        hint: "Take another --slug; the type of an artifact never changes",
        next,
      },
    );
  }
  if (bar === "public") {
    throw clientFailure(
      "slug_conflict",
      `The artifact at ${artifact.url} is public and --private was asked for; nothing was written`,
      {
        hint: "Make it private first, or take another --slug",
        next,
      },
    );
  }
}

/** Titles of other scripts may be spelled alike: then the page there is another document. @throws Failure slug_conflict */
async function requireSameTitle({ slug, title }: Push["body"], artifact: Artifact): Promise<void> {
  if (!areDifferentWords(title, artifact.title) || (await slugOfTitle(artifact.title)) !== slug) return;
  throw clientFailure(
    "slug_conflict",
    `The artifact at ${artifact.url} has the title "${artifact.title}", which is spelled like "${title}"; nothing was written`,
    {
      hint: `Give this document another --slug, or --slug ${slug} if it is the same one`,
      next: `plinth artifact get --artifact-id ${artifact.artifactId}`,
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
