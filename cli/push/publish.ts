// Publishing one file: create, and under `--ensure` reuse what is there (experience 2, "push").
import { ProblemError, type Client } from "@plinth/contract/client";
import type { Input } from "@plinth/contract/registry";
import type { Artifact, Version } from "@plinth/contract/schemas/artifact";

import type { Context } from "../context.ts";
import { clientFailure } from "../failure.ts";
import type { Source } from "../source.ts";

export interface Pushed {
  readonly action: "created" | "updated" | "unchanged";
  readonly url: string;
  readonly artifact: Artifact;
  readonly version: number;
  readonly visibility: "public" | "private";
  readonly dryRun?: true;
}

export interface Push {
  readonly source: Source;
  readonly body: Input<"artifact.create">;
  readonly ensure: boolean;
  readonly createProject: boolean;
}

/** Publishes. @throws ProblemError, Failure (conflict where `--ensure` may not reuse what is there) */
export async function publish(push: Push, context: Context): Promise<Pushed> {
  const client = await context.api();
  const { check: dryRun } = context.settings;
  try {
    return pushed("created", await create(push, client, context));
  } catch (error) {
    if (!push.ensure || !(error instanceof ProblemError) || error.problem.code !== "slug_conflict") throw error;
    const { artifactId } = error.problem;
    const artifact =
      typeof artifactId === "string"
        ? await client.call("artifact.get", { artifactId })
        : await findByPath(push, client);
    return reuse(push, artifact, client, dryRun);
  }
}

async function create(push: Push, client: Client, { settings, progress }: Context): Promise<Artifact> {
  const call = { dryRun: settings.check };
  try {
    return await client.call("artifact.create", push.body, call);
  } catch (error) {
    const isMissing = error instanceof ProblemError && error.problem.code === "not_found";
    if (!isMissing || settings.check || !push.createProject) throw isMissing ? projectMissing(push, error) : error;
    await createProject(push.body, client);
    progress(`Created the project ${push.body.projectSlug}`);
    return client.call("artifact.create", push.body, call);
  }
}

/** Another push may have created it at the same moment: then it is there, which is all that was wanted. */
async function createProject({ ownerUsername, projectSlug }: Push["body"], client: Client): Promise<void> {
  const title = projectSlug.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());
  try {
    await client.call("project.create", {
      ...(ownerUsername !== undefined && { ownerUsername }),
      slug: projectSlug,
      title,
      icon: "📄",
    });
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.code !== "slug_conflict") throw error;
  }
}

function projectMissing({ body, createProject }: Push, error: ProblemError): ProblemError {
  const hint = createProject
    ? "--check creates nothing, so the project is still missing"
    : `Check --owner and --project-slug, or add --create-project to create the project ${body.projectSlug}`;
  return new ProblemError({ ...error.problem, hint }, error.retryAfterSeconds);
}

async function findByPath({ body }: Push, client: Client): Promise<Artifact> {
  const owner = body.ownerUsername ?? (await client.call("profile.get", {})).username ?? "";
  return client.call("artifact.getByPath", {
    owner,
    projectSlug: body.projectSlug,
    slug: body.slug,
  });
}

async function reuse(push: Push, artifact: Artifact, client: Client, dryRun: boolean): Promise<Pushed> {
  const { body, source } = push;
  refuseOther(body, artifact);
  const { artifactId } = artifact;
  const head = (await client.call("version.list", { artifactId, limit: 1 })).versions[0];
  if (head?.sha256 === source.sha256) return pushed("unchanged", artifact, dryRun);
  const version = await client.call(
    "version.create",
    {
      artifactId,
      content: body.content,
      expectedLatestVersion: head?.versionNumber ?? artifact.latestVersion,
      ...(body.changelog !== undefined && { changelog: body.changelog }),
    },
    { dryRun },
  );
  return pushed("updated", withHead(artifact, version), dryRun);
}

/** Nothing is written where the artifact there is not what this push would have made. */
function refuseOther({ type, access }: Push["body"], artifact: Artifact): void {
  const next = `plinth artifact get --artifact-id ${artifact.artifactId}`;
  if (artifact.type !== type) {
    throw clientFailure(
      "slug_conflict",
      `The artifact at ${artifact.url} is ${artifact.type}, not ${type}; nothing was written`,
      {
        hint: "Take another --slug; the type of an artifact never changes",
        next,
      },
    );
  }
  if (!access.publicView && artifact.access.publicView) {
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

const withHead = (artifact: Artifact, { versionNumber, createdAt }: Version): Artifact => ({
  ...artifact,
  latestVersion: versionNumber,
  updatedAt: createdAt,
});

const pushed = (action: Pushed["action"], artifact: Artifact, dryRun = artifact.dryRun ?? false): Pushed => ({
  action,
  url: artifact.url,
  artifact,
  version: artifact.latestVersion,
  visibility: artifact.access.publicView ? "public" : "private",
  ...(dryRun && { dryRun: true }),
});
