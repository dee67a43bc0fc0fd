// Uploading files before they are published (docs/reference/contract.md §3, "Files"). Nothing shows a file until a
// version has it.
import { AppError } from "@plinth/contract/errors";
import { filesLimits } from "@plinth/contract/limits";
import { entitlementsOf, type PlanId } from "@plinth/contract/plans";
import type { Input, Output } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";

import type { ArtifactRow, WorkspaceRow } from "../access/resource.ts";
import { reauthorize } from "../access/authorize.ts";
import type { Context } from "../context.ts";
import { invalid } from "../input.ts";
import { packBytes } from "../storage/pack.ts";
import { knownFiles, scopeOf, type FilesScope } from "./given-files.ts";

export const missingFiles = (
  context: Context,
  { sha256 }: Input<"file.missing">,
  { workspaceId }: WorkspaceRow,
): Promise<Output<"file.missing">> => missingOf(context, { workspaceId, artifactId: null }, sha256);

/** For callers outside the workspace only the artifact's own files count. */
export const missingFilesOfArtifact = (
  context: Context,
  { sha256 }: Input<"file.missingOfArtifact">,
  artifact: ArtifactRow,
): Promise<Output<"file.missingOfArtifact">> => missingOf(context, scopeOf(context.principal, artifact), sha256);

async function missingOf({ db }: Context, scope: FilesScope, hashes: readonly string[]) {
  const known = await knownFiles(db, scope, hashes);
  return { missing: [...new Set(hashes)].filter((hash) => !known.has(hash)) };
}

/** @throws invalid_request for a wrong hash, storage_limit_reached */
export const uploadFile = (
  context: Context,
  { sha256 }: Input<"file.upload">,
  { workspaceId, plan }: WorkspaceRow,
): Promise<Output<"file.upload">> => keep(context, { workspaceId, artifactId: null }, plan, sha256);

/** @throws invalid_request for a wrong hash, storage_limit_reached */
export const uploadFileToArtifact = (
  context: Context,
  { sha256 }: Input<"file.uploadToArtifact">,
  artifact: ArtifactRow,
): Promise<Output<"file.uploadToArtifact">> =>
  keep(context, scopeOf(context.principal, artifact), artifact.plan, sha256);

const roomStatement = `
SELECT coalesce(sum(size_bytes), 0)::bigint::text AS used,
  coalesce(bool_or(sha256 = decode($2, 'hex')), false) AS is_there
FROM workspace_file WHERE workspace_id = $1`;

/**
 * Locks content that is there without writing it, as a publish does, so that no collection removes it. A file that no
 * version has counts as uploaded now. The file comes before its content, in the order in which the purge locks them.
 */
const keepStatement = `
WITH kept AS (
  INSERT INTO workspace_file AS w (workspace_id, sha256, size_bytes) VALUES ($1, decode($2, 'hex'), $4)
  ON CONFLICT (workspace_id, sha256) DO UPDATE SET unused_since = CASE WHEN w.unused_since IS NOT NULL THEN now() END
  RETURNING w.sha256
), of_artifact AS (
  INSERT INTO artifact_upload (artifact_id, sha256)
  SELECT $5::uuid, sha256 FROM kept WHERE $5::uuid IS NOT NULL
  ON CONFLICT (artifact_id, sha256) DO UPDATE SET uploaded_at = now()
)
INSERT INTO content (sha256, data, size_bytes) SELECT sha256, $3::bytea, $4 FROM kept
ON CONFLICT (sha256) DO UPDATE SET size_bytes = content.size_bytes WHERE false`;

async function keep(
  context: Context,
  { workspaceId, artifactId }: FilesScope,
  plan: PlanId,
  sha256: string,
): Promise<Output<"file.upload">> {
  const { db, call } = context;
  const bytes = call.file ?? new Uint8Array();
  if (bytes.length > filesLimits.fileBytes) throw fileTooLarge();
  const packed = await packBytes(bytes);
  if (packed.sha256 !== sha256)
    throw invalid([{ path: "sha256", message: `is not the SHA-256 of the body, which is ${packed.sha256}` }]);
  const workspace = uuidOf("wsp", workspaceId);
  const [room] = await db.run<{ used: string; is_there: boolean }>(roomStatement, [workspace, sha256]);
  const isAsBefore = artifactId === null && room?.is_there === true;
  if (!isAsBefore) requireRoom(plan, Number(room?.used ?? 0), bytes.length);
  await reauthorize(context);
  await db.run(keepStatement, [
    workspace,
    sha256,
    packed.data,
    packed.sizeBytes,
    artifactId === null ? null : uuidOf("art", artifactId),
  ]);
  return { sha256, sizeBytes: packed.sizeBytes };
}

/** @throws storage_limit_reached */
function requireRoom(plan: PlanId, usedBytes: number, moreBytes: number): void {
  const limitBytes = entitlementsOf(plan).storageBytes;
  if (usedBytes + moreBytes <= limitBytes) return;
  throw new AppError("storage_limit_reached", "The workspace's storage for files is full", {
    usedBytes,
    limitBytes,
    hint: "Delete artifacts with files that are not needed, or upgrade the plan",
  });
}

export const fileTooLarge = (): AppError =>
  new AppError("content_too_large", `The file is larger than ${filesLimits.fileBytes} bytes`, {
    limitBytes: filesLimits.fileBytes,
    hint: "Make it smaller, or link to it elsewhere",
  });
