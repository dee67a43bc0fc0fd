// Uploading files before they are published (docs/reference/contract.md §3, "Files"). Nothing shows a file until a
// version has it.
import { AppError } from "@plinth/contract/errors";
import { filesLimits } from "@plinth/contract/limits";
import { entitlementsOf, type PlanId } from "@plinth/contract/plans";
import type { Input, Output } from "@plinth/contract/registry";
import type { UploadedFile } from "@plinth/contract/schemas/file";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { AccessContext } from "../access/call.ts";
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
): Promise<Output<"file.upload">> => keepNamed(context, { workspaceId, artifactId: null }, plan, sha256);

/** @throws invalid_request for a wrong hash, storage_limit_reached */
export const uploadFileToArtifact = (
  context: Context,
  { sha256 }: Input<"file.uploadToArtifact">,
  artifact: ArtifactRow,
): Promise<Output<"file.uploadToArtifact">> =>
  keepNamed(context, scopeOf(context.principal, artifact), artifact.plan, sha256);

async function keepNamed(
  context: Context,
  scope: FilesScope,
  plan: PlanId,
  sha256: string,
): Promise<Output<"file.upload">> {
  const kept = await keep(context, { scope, plan, bytes: context.call.file ?? new Uint8Array(), sha256 });
  if (kept === null) throw new Error("only a one-time URL can be used up");
  return kept;
}

const roomStatement = `
SELECT coalesce(sum(size_bytes), 0)::bigint::text AS used,
  coalesce(bool_or(sha256 = decode($2, 'hex')), false) AS is_there
FROM workspace_file WHERE workspace_id = $1`;

/**
 * Keeps a file for each row of `permitted`. Locks content that is there without writing it, as a publish does, so that no
 * collection removes it. A file that no version has counts as uploaded now. The file comes before its content, in the
 * order in which the purge locks them.
 */
const keepStatement = (permitted: string) => `
WITH permitted AS (${permitted}), kept AS (
  INSERT INTO workspace_file AS w (workspace_id, sha256, size_bytes)
  SELECT $1::uuid, decode($2, 'hex'), $4::integer FROM permitted
  ON CONFLICT (workspace_id, sha256) DO UPDATE SET unused_since = CASE WHEN w.unused_since IS NOT NULL THEN now() END
  RETURNING w.sha256
), of_artifact AS (
  INSERT INTO artifact_upload (artifact_id, sha256)
  SELECT $5::uuid, sha256 FROM kept WHERE $5::uuid IS NOT NULL
  ON CONFLICT (artifact_id, sha256) DO UPDATE SET uploaded_at = now()
), stored AS (
  INSERT INTO content (sha256, data, size_bytes) SELECT sha256, $3::bytea, $4 FROM kept
  ON CONFLICT (sha256) DO UPDATE SET size_bytes = content.size_bytes WHERE false
)
SELECT 1 AS kept FROM kept`;

/**
 * A one-time URL is used up as an Idempotency-Key is: of statements at the same time, one inserts the record, and the
 * others wait for it. The purge removes it long after the URL has expired.
 */
const usedBy = "upload";
const keepAny = keepStatement("SELECT 1");
const keepOnce = keepStatement(`
  INSERT INTO idempotency (principal, key, request, status) VALUES ('${usedBy}', $6, decode($2, 'hex'), 200)
  ON CONFLICT (principal, key) DO NOTHING RETURNING key`);

/** Whether a file has arrived at the one-time URL. */
export async function isUsed(db: Database, uploadId: string): Promise<boolean> {
  const statement = `SELECT 1 AS used FROM idempotency WHERE principal = '${usedBy}' AND key = $1`;
  return (await db.run(statement, [uploadId])).length > 0;
}

interface KeptFile {
  readonly scope: FilesScope;
  readonly plan: PlanId;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Hex, as the caller says. */
  readonly sha256?: string;
  /** Of the one-time URL that the file uses up. */
  readonly uploadId?: string;
}

/** Null where the one-time URL is used up. @throws invalid_request, storage_limit_reached, content_too_large */
export async function keep(
  context: AccessContext,
  { scope: { workspaceId, artifactId }, plan, bytes, sha256, uploadId }: KeptFile,
): Promise<UploadedFile | null> {
  const { db } = context;
  if (bytes.length > filesLimits.fileBytes) throw fileTooLarge();
  const packed = await packBytes(bytes);
  if (sha256 !== undefined && packed.sha256 !== sha256)
    throw invalid([{ path: "sha256", message: `is not the SHA-256 of the body, which is ${packed.sha256}` }]);
  const workspace = uuidOf("wsp", workspaceId);
  const [room] = await db.run<{ used: string; is_there: boolean }>(roomStatement, [workspace, packed.sha256]);
  const isAsBefore = artifactId === null && room?.is_there === true;
  if (!isAsBefore) requireRoom(plan, Number(room?.used ?? 0), bytes.length);
  await reauthorize(context);
  const artifact = artifactId === null ? null : uuidOf("art", artifactId);
  const values = [workspace, packed.sha256, packed.data, packed.sizeBytes, artifact];
  const kept = await (uploadId === undefined ? db.run(keepAny, values) : db.run(keepOnce, [...values, uploadId]));
  return kept.length === 0 ? null : { sha256: packed.sha256, sizeBytes: packed.sizeBytes };
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

export const fileTooLarge = (
  limitBytes: number = filesLimits.fileBytes,
  hint = "Make it smaller, or link to it elsewhere",
): AppError => new AppError("content_too_large", `The file is larger than ${limitBytes} bytes`, { limitBytes, hint });
