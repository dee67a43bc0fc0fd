// Tickets to rendered content (docs/reference/security.md §1): an HMAC over who may read which version for a minute. A
// ticket says for whom it was made, and access is decided again when it is redeemed.

import { requireKept } from "../access/require.ts";
import type { Principal } from "../access/principal.ts";
import type { VersionRow } from "../access/resource.ts";
import type { JsonHandler } from "../json-handler.ts";
import { seal, unseal } from "../tokens/seal.ts";
import {
  ticketCredentialBytes,
  readId,
  readTicketCredential,
  rightOf,
  writeId,
  writeTicketCredential,
} from "../access/ticket-credential.ts";

const lifetimeMs = 60_000;
/** The document loads its files as long as its page is open. Access is decided again at each request. */
const filesLifetimeMs = 12 * 3_600_000;
const purpose = "content-ticket";

/** What a ticket stands for. */
export interface Ticket {
  readonly artifactId: string;
  readonly versionNumber: number;
  /** The credential, the session or the share link whose right it was made with, to be asked again; null for anyone's. */
  readonly madeWith: string | null;
  readonly expiresAt: Date;
}

/**
 * The address for the frame of one version, good for a minute, and that of another one beside it. @throws not_found,
 * version_expired
 */
export const contentTicket: JsonHandler<"artifact.ticket"> = async (context, { beside }, { artifact, version }) => {
  const { config, principal } = context;
  const expiresAt = new Date(Date.now() + lifetimeMs);
  const urlOf = (versionNumber: number) => {
    const ticket = { artifactId: artifact.artifactId, versionNumber, madeWith: rightOf(principal), expiresAt };
    return `${config.contentOrigin}/_content/${sealTicket(config.secret, ticket)}`;
  };
  if (beside !== undefined) await requireKept(context, artifact.artifactId, beside);
  return {
    url: urlOf(version.versionNumber),
    ...(beside === undefined ? {} : { besideUrl: urlOf(beside) }),
    expiresAt: expiresAt.toISOString(),
  };
};

/** The ticket for a version with files, which its document and its files have in their addresses. */
export function sealFilesTicket(secret: string, { version, principal }: TicketedVersion): string {
  const { artifactId, versionNumber } = version;
  const expiresAt = new Date(Date.now() + filesLifetimeMs);
  return sealTicket(secret, { artifactId, versionNumber, madeWith: rightOf(principal), expiresAt });
}

interface TicketedVersion {
  readonly version: Pick<VersionRow, "artifactId" | "versionNumber">;
  readonly principal: Principal;
}

const madeWithAt = 28;
const bodyBytes = madeWithAt + ticketCredentialBytes;

/** Writes a ticket: artifact, version, expiry, what it was made with, and a MAC of 128 bits, in base64url. */
export function sealTicket(secret: string, ticket: Ticket): string {
  const body = Buffer.alloc(bodyBytes);
  writeId(body, 0, "art", ticket.artifactId);
  body.writeUInt32BE(ticket.versionNumber, 16);
  body.writeBigUInt64BE(BigInt(ticket.expiresAt.getTime()), 20);
  writeTicketCredential(body, madeWithAt, ticket.madeWith);
  return seal(secret, purpose, body);
}

/** Reads a ticket back, expired or not; null where it is not one of ours. */
export function openTicket(secret: string, text: string): Ticket | null {
  const body = unseal(secret, purpose, bodyBytes, text);
  if (body === null) return null;
  return {
    artifactId: readId(body, 0, "art"),
    versionNumber: body.readUInt32BE(16),
    expiresAt: new Date(Number(body.readBigUInt64BE(20))),
    madeWith: readTicketCredential(body, madeWithAt),
  };
}
