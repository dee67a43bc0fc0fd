// A file that arrives at a one-time URL. Access is decided as for the operation that made the URL, with the rights that
// its creator has now; the URL is all that the sender shows, so every refusal of it is the same.
import { AppError } from "@plinth/contract/errors";
import { registry } from "@plinth/contract/registry";
import type { UploadedFile } from "@plinth/contract/schemas/file";

import { admit } from "../access/authorize.ts";
import type { AccessContext } from "../access/call.ts";
import { presentedBy } from "../access/made-with.ts";
import { withoutLink, principalKey } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import type { ArtifactRow, WorkspaceRow } from "../access/resource.ts";
import type { Instance } from "../context.ts";
import { asAppError, noRoom } from "../failure.ts";
import { requireAllowance } from "../rate-limit.ts";
import { scopeOf } from "./given-files.ts";
import { isUsed, keep } from "./upload.ts";
import { openUploadTicket, type UploadTicket } from "./upload-ticket.ts";

/** By whose right a file is uploaded, and where to. */
export interface OneTimeUpload {
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
