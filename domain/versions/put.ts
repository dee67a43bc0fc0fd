// Publishing to an address in one call: the artifact is created, or gets its next version and what else differs. It adds
// no further rule: creating, publishing, editing details and access are those of the other operations.
import { AppError } from "@plinth/contract/errors";
import type { Output } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";

import { callerRequest } from "../access/load-request.ts";
import { notFound } from "../access/refusals.ts";
import type { ArtifactRow, ProjectRow } from "../access/resource.ts";
import { createArtifact } from "../artifacts/create.ts";
import { inTransaction } from "../artifacts/in-transaction.ts";
import { missingField } from "../artifacts/missing-references.ts";
import { patchArtifact } from "../artifacts/patch.ts";
import { presentArtifact } from "../artifacts/present.ts";
import type { PreparedVersion } from "../content/source.ts";
import type { Context } from "../context.ts";
import { updateAccess } from "../sharing/update.ts";
import { publish } from "./publish.ts";
import { addressOf, freshPlan, planAgain, type PlannedUpdate, type Put, type PutPlan } from "./put-plan.ts";

/** After so many races with other publishes, a version is appended to whichever is the latest. */
const attempts = 3;

/** @throws version_conflict, slug_conflict, and what planning, creating, publishing and changing access do */
export async function putArtifact(
  context: Context,
  input: Put,
  project: ProjectRow,
  prepared: PutPlan,
): Promise<Output<"artifact.put">> {
  let plan = await freshPlan(context, input, project, prepared);
  for (let attempt = 1; ; attempt++) {
    try {
      if (plan.there === null) return await create(context, input, project, plan.version);
      return await update(context, input, plan, attempt < attempts);
    } catch (error) {
      // Another caller has created it, or published a version, since it was planned.
      const isMeant = input.expectedLatestVersion !== undefined;
      const raced = plan.there === null ? "slug_conflict" : !isMeant && "version_conflict";
      if (attempt > attempts || !(error instanceof AppError) || error.code !== raced) throw error;
    }
    plan = await planAgain(context, input, project, plan);
  }
}

const privately = { publicView: false, publicEdit: false };

async function create(
  context: Context,
  input: Put,
  project: ProjectRow,
  version: PreparedVersion,
): Promise<Output<"artifact.put">> {
  const { owner: _, expectedLatestVersion: __, access = privately, ...given } = input;
  return { ...(await createArtifact(context, { ...given, access }, project, version)), created: true };
}

async function update(
  context: Context,
  input: Put,
  { there, version, access, details, unpacked }: PlannedUpdate,
  isGuarded: boolean,
): Promise<Output<"artifact.put">> {
  const { artifact } = there;
  const expected = input.expectedLatestVersion ?? (isGuarded ? there.version.versionNumber : null);
  const append = async (inside: Context) => {
    const { artifactId, type } = artifact;
    const head = { artifactId, type, changelog: input.changelog ?? null, expected, restoredFrom: null };
    if (version !== null) await publish(inside, artifact, head, version.source, version.files);
  };
  if (access === null && details === null) await append(context);
  else
    await context.db.transaction(async (db) => {
      const inside = inTransaction(context, db);
      if (access !== null) await updateAccess(inside, access, artifact);
      if (details !== null) await patchArtifact(inside, details, artifact);
      await append(inside);
    });
  const isWritten = version !== null || access !== null || details !== null;
  if (isWritten && context.call.dryRun !== true) context.publishChange(artifact.artifactId);
  return {
    ...presentArtifact(context, isWritten ? await current(context, artifact) : artifact),
    created: false,
    ...(version === null ? { unchanged: true as const } : missingField(version.missing)),
    ...(unpacked?.notTaken !== undefined && { notTaken: unpacked.notTaken }),
    ...movedTo(input, artifact),
  };
}

/** The row after the change. @throws not_found where it was deleted since */
async function current(context: Context, { artifactId }: ArtifactRow): Promise<ArtifactRow> {
  const { row } = await context.load("artifact", {
    artifact: uuidOf("art", artifactId),
    ...callerRequest(context.call),
  });
  if (row === null) throw notFound();
  return row;
}

function movedTo({ owner, projectSlug, slug }: Put, artifact: ArtifactRow): { movedTo?: string } {
  const address = addressOf(artifact);
  return address === `${owner}/${projectSlug}/${slug}` ? {} : { movedTo: address };
}
