// Tickets in the URLs of one-time uploads (docs/architecture/files.md, "One-time URLs"): an HMAC over who may upload
// where and how much. Access is decided again when a file arrives, and the ticket is used up in the statement that keeps
// the file.
import { filesLimits, uploadUrlMinutes } from "@plinth/contract/limits";
import type { Input } from "@plinth/contract/registry";
import type { NewUpload } from "@plinth/contract/schemas/file";
import { newId } from "@plinth/db/columns";

import { madeWithBytes, readId, readMadeWith, rightOf, writeId, writeMadeWith } from "../access/made-with.ts";
import type { ArtifactRow, WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { seal, unseal } from "../tokens/seal.ts";

const lifetimeMs = uploadUrlMinutes * 60_000;
const purpose = "upload-ticket";

/** Where the file is kept: for a workspace, or for an artifact. */
export type UploadPlace =
  | { readonly kind: "workspace"; readonly workspaceId: string }
  | { readonly kind: "artifact"; readonly artifactId: string };

export interface UploadTicket {
  readonly uploadId: string;
  readonly place: UploadPlace;
  /** The credential, the session or the share link whose right it was made with, to be asked again. */
  readonly madeWith: string | null;
  readonly expiresAt: Date;
  readonly maxBytes: number;
}

export const createUpload = (
  context: Context,
  { sizeBytes }: Input<"upload.create">,
  { workspaceId }: WorkspaceRow,
): NewUpload => uploadFor(context, { kind: "workspace", workspaceId }, sizeBytes);

export const createUploadForArtifact = (
  context: Context,
  { sizeBytes }: Input<"upload.createForArtifact">,
  { artifactId }: ArtifactRow,
): NewUpload => uploadFor(context, { kind: "artifact", artifactId }, sizeBytes);

/** Stores nothing: a URL that is never used costs nothing. */
function uploadFor({ config, principal }: Context, place: UploadPlace, sizeBytes: number): NewUpload {
  const [uploadId, expiresAt] = [newId("upl"), new Date(Date.now() + lifetimeMs)];
  const maxBytes = Math.min(sizeBytes, filesLimits.fileBytes);
  const ticket = sealUploadTicket(config.secret, {
    uploadId,
    place,
    madeWith: rightOf(principal),
    expiresAt,
    maxBytes,
  });
  return { uploadId, url: `${config.publicUrl}/api/uploads/${ticket}`, expiresAt: expiresAt.toISOString(), maxBytes };
}

const kinds = ["artifact", "workspace"] as const;
const placeAt = 16;
const expiresAtAt = 33;
const maxBytesAt = 41;
const madeWithAt = 45;
const bodyBytes = madeWithAt + madeWithBytes;

/** Writes a ticket: upload, place, expiry, size, what it was made with, and a MAC of 128 bits, in base64url. */
export function sealUploadTicket(secret: string, { uploadId, place, madeWith, expiresAt, maxBytes }: UploadTicket) {
  const body = Buffer.alloc(bodyBytes);
  writeId(body, 0, "upl", uploadId);
  body.writeUInt8(kinds.indexOf(place.kind), placeAt);
  if (place.kind === "artifact") writeId(body, placeAt + 1, "art", place.artifactId);
  else writeId(body, placeAt + 1, "wsp", place.workspaceId);
  body.writeBigUInt64BE(BigInt(expiresAt.getTime()), expiresAtAt);
  body.writeUInt32BE(maxBytes, maxBytesAt);
  writeMadeWith(body, madeWithAt, madeWith);
  return seal(secret, purpose, body);
}

/** Reads a ticket back, expired or not; null where it is not one of ours. */
export function openUploadTicket(secret: string, text: string): UploadTicket | null {
  const body = unseal(secret, purpose, bodyBytes, text);
  if (body === null) return null;
  const place: UploadPlace =
    kinds[body.readUInt8(placeAt)] === "workspace"
      ? { kind: "workspace", workspaceId: readId(body, placeAt + 1, "wsp") }
      : { kind: "artifact", artifactId: readId(body, placeAt + 1, "art") };
  return {
    uploadId: readId(body, 0, "upl"),
    place,
    madeWith: readMadeWith(body, madeWithAt),
    expiresAt: new Date(Number(body.readBigUInt64BE(expiresAtAt))),
    maxBytes: body.readUInt32BE(maxBytesAt),
  };
}
