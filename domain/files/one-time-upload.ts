// A file that arrives at a one-time URL. Access is decided as for the operation that made the URL, with the rights that
// its creator has now; the URL is all that the sender shows, so every refusal of it is the same.
import { AppError } from "@plinth/contract/errors";
import { type Input, registry } from "@plinth/contract/registry";
import type { NewUpload, UploadedFile } from "@plinth/contract/schemas/file";
import { filesLimits, uploadUrlMinutes } from "@plinth/contract/limits";
import { newId } from "@plinth/db/columns";

import { admit } from "../access/authorize.ts";
import type { AccessContext } from "../access/call.ts";
import {
  presentedBy,
  readId,
  readTicketCredential,
  rightOf,
  ticketCredentialBytes,
  writeId,
  writeTicketCredential,
} from "../access/ticket-credential.ts";
import { withoutLink, principalKey } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import type { ArtifactRow, WorkspaceRow } from "../access/resource.ts";
import type { Context, Instance } from "../context.ts";
import { asAppError, noRoom } from "../failure.ts";
import { requireAllowance } from "../rate-limit.ts";
import { scopeOf } from "./given-files.ts";
import { isUsed, keep } from "./upload.ts";
import { seal, unseal } from "../tokens/seal.ts";

// Tickets in the URLs of one-time uploads (docs/architecture/files.md, "One-time URLs"): an HMAC over who may upload
// where and how much. Access is decided again when a file arrives, and the ticket is used up in the statement that keeps
// the file.
const lifetimeMs = uploadUrlMinutes * 60_000;
const purpose = "upload-ticket";

/** Where the file is kept: for a workspace, or for an artifact. */
type UploadPlace =
  | { readonly kind: "workspace"; readonly workspaceId: string }
  | { readonly kind: "artifact"; readonly artifactId: string };

interface UploadTicket {
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
const bodyBytes = madeWithAt + ticketCredentialBytes;

/** Writes a ticket: upload, place, expiry, size, what it was made with, and a MAC of 128 bits, in base64url. */
export function sealUploadTicket(secret: string, { uploadId, place, madeWith, expiresAt, maxBytes }: UploadTicket) {
  const body = Buffer.alloc(bodyBytes);
  writeId(body, 0, "upl", uploadId);
  body.writeUInt8(kinds.indexOf(place.kind), placeAt);
  if (place.kind === "artifact") writeId(body, placeAt + 1, "art", place.artifactId);
  else writeId(body, placeAt + 1, "wsp", place.workspaceId);
  body.writeBigUInt64BE(BigInt(expiresAt.getTime()), expiresAtAt);
  body.writeUInt32BE(maxBytes, maxBytesAt);
  writeTicketCredential(body, madeWithAt, madeWith);
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
    madeWith: readTicketCredential(body, madeWithAt),
    expiresAt: new Date(Number(body.readBigUInt64BE(expiresAtAt))),
    maxBytes: body.readUInt32BE(maxBytesAt),
  };
}

/** By whose right a file is uploaded, and where to. */
interface OneTimeUpload {
  readonly ticket: UploadTicket;
  readonly context: AccessContext;
  /** The subject of the rate limit, as for drafts. */
  readonly countedAs: string;
  readonly row: ArtifactRow | WorkspaceRow;
}

/** The upload of a ticket, counted as an upload of its creator. @throws not_found, rate_limited, unavailable */
export async function redeemUpload(
  instance: Instance,
  text: string,
  from: { readonly requestId: string; readonly address: string },
): Promise<OneTimeUpload> {
  const ticket = openUploadTicket(instance.config.secret, text);
  if (ticket === null || ticket.expiresAt.getTime() <= Date.now()) throw notFound();
  const upload = await orNotFound(admitted(instance, ticket, from));
  if (await isUsed(instance.db, ticket.uploadId)) throw notFound();
  const allowance = await instance.limiter.take("files", upload.countedAs);
  if (allowance !== null) requireAllowance(allowance);
  if (!instance.hasRoom()) throw noRoom();
  return upload;
}

async function admitted(
  { db, load }: Instance,
  ticket: UploadTicket,
  from: { readonly requestId: string; readonly address: string },
): Promise<OneTimeUpload> {
  const { kind, ...place } = ticket.place;
  const op = kind === "artifact" ? registry["upload.createForArtifact"] : registry["upload.create"];
  const input = { ...place, sizeBytes: ticket.maxBytes };
  const call = { ...presentedBy(ticket.madeWith), ...from, surface: "api" as const };
  const at = performance.now();
  const { principal, resource } = await admit(load, op, call, input);
  return {
    ticket,
    context: { db, load, principal, grants: [], call, decided: { op, input, at } },
    // Other holders of a share link are not affected.
    countedAs: principalKey(withoutLink(principal)),
    row: resource as ArtifactRow | WorkspaceRow,
  };
}

/** Keeps the file, and uses up the URL with it. @throws not_found, storage_limit_reached, content_too_large */
export async function keepUpload(
  { ticket: { uploadId }, context, row }: OneTimeUpload,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<UploadedFile> {
  const scope =
    "artifactId" in row ? scopeOf(context.principal, row) : { workspaceId: row.workspaceId, artifactId: null };
  const kept = await orNotFound(keep(context, { scope, plan: row.plan, bytes, uploadId }));
  if (kept === null) throw notFound();
  return kept;
}

/** Refusals of the file, not of the URL. */
const ofFile: ReadonlySet<string> = new Set(["storage_limit_reached", "content_too_large"]);

/** Hides why the creator may not upload any more. @throws not_found, and what is no refusal of access */
async function orNotFound<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (thrown) {
    const error = asAppError(thrown);
    throw error instanceof AppError && error.status < 500 && !ofFile.has(error.code) ? notFound() : error;
  }
}
