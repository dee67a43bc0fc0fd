// Tickets to see a text rendered that is not published (docs/decisions/content-isolation.md, "Drafts are rendered by a
// form"): an HMAC over who may write where, for a minute. Access is decided again each time one is used, as for the
// operation that made it.
import { filesAddress } from "@plinth/contract/frame";
import { encodedPath } from "@plinth/contract/publishing/file-path";
import type { Output } from "@plinth/contract/registry";

import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { seal, unseal } from "../tokens/seal.ts";
import { latestFiles } from "./importable-files.ts";
import { sealFilesTicket } from "./ticket.ts";
import {
  ticketCredentialBytes,
  readId,
  readTicketCredential,
  rightOf,
  writeId,
  writeTicketCredential,
} from "../access/ticket-credential.ts";

const lifetimeMs = 60_000;
const purpose = "draft-ticket";

/** Where what is drafted would be published: as a version of an artifact, or as a new one in a workspace. */
type DraftPlace =
  | { readonly kind: "artifact"; readonly artifactId: string }
  | { readonly kind: "workspace"; readonly workspaceId: string }
  /** Nowhere yet: a visitor of the landing page may have no account. */
  | { readonly kind: "none" };

export interface DraftTicket {
  readonly place: DraftPlace;
  /** The credential, the session or the share link whose right it was made with, to be asked again. */
  readonly madeWith: string | null;
  readonly expiresAt: Date;
}

/** With files the address is at the document's directory among those of the latest version, which relative URLs lead to. */
export const artifactDraftTicket: JsonHandler<"artifact.draftTicket"> = async (context, _input, artifact) => {
  const { artifactId, latestVersion: versionNumber } = artifact;
  const { url, expiresAt } = ticketFor(context, { kind: "artifact", artifactId });
  const set = await latestFiles(context.db, artifact);
  if (set === null) return { url, expiresAt };
  const { config, principal } = context;
  const filesTicket = sealFilesTicket(config.secret, { version: { artifactId, versionNumber }, principal });
  return { url: filesAddress(`${url}/${filesTicket}`) + encodedPath(set.base), expiresAt };
};

export const workspaceDraftTicket = (
  context: Context,
  _input: unknown,
  { workspaceId }: WorkspaceRow,
): Output<"workspace.draftTicket"> => ticketFor(context, { kind: "workspace", workspaceId });

export const publicDraftTicket = (context: Context): Output<"artifact.publicDraftTicket"> =>
  ticketFor(context, { kind: "none" });

function ticketFor({ config, principal }: Context, place: DraftPlace) {
  const expiresAt = new Date(Date.now() + lifetimeMs);
  // A ticket for no place gives no right, so it names none.
  const madeWith = place.kind === "none" ? null : rightOf(principal);
  const sealed = sealDraftTicket(config.secret, { place, madeWith, expiresAt });
  return { url: `${config.contentOrigin}/_content/draft/${sealed}`, expiresAt: expiresAt.toISOString() };
}

const kinds = ["artifact", "workspace", "none"] as const;
const madeWithAt = 25;
const bodyBytes = madeWithAt + ticketCredentialBytes;

/** Writes a ticket: place, expiry, what it was made with, and a MAC of 128 bits, in base64url. */
export function sealDraftTicket(secret: string, { place, madeWith, expiresAt }: DraftTicket): string {
  const body = Buffer.alloc(bodyBytes);
  body.writeUInt8(kinds.indexOf(place.kind), 0);
  if (place.kind === "artifact") writeId(body, 1, "art", place.artifactId);
  else if (place.kind === "workspace") writeId(body, 1, "wsp", place.workspaceId);
  body.writeBigUInt64BE(BigInt(expiresAt.getTime()), 17);
  writeTicketCredential(body, madeWithAt, madeWith);
  return seal(secret, purpose, body);
}

/** Reads a ticket back, expired or not; null where it is not one of ours. */
export function openDraftTicket(secret: string, text: string): DraftTicket | null {
  const body = unseal(secret, purpose, bodyBytes, text);
  if (body === null) return null;
  return {
    place: placeOf(body),
    madeWith: readTicketCredential(body, madeWithAt),
    expiresAt: new Date(Number(body.readBigUInt64BE(17))),
  };
}

function placeOf(body: Buffer): DraftPlace {
  const kind = kinds[body.readUInt8(0)];
  if (kind === "none") return { kind };
  if (kind === "workspace") return { kind, workspaceId: readId(body, 1, "wsp") };
  return { kind: "artifact", artifactId: readId(body, 1, "art") };
}
