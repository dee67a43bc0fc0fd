// Tickets to rendered content (security 1): an HMAC over who may read which version for a minute. A ticket says
// for whom it was made, and access is decided again when it is redeemed.
import { createHmac, timingSafeEqual } from "node:crypto";

import type { Output } from "@plinth/contract/registry";
import { decodeId, encodeId } from "@plinth/contract/ids";

import { isPerson, type Principal } from "../access/principal.ts";
import type { LoadedVersion } from "../access/resource.ts";
import type { Context } from "../context.ts";

const lifetimeMs = 60_000;
const macBytes = 16;

/** What a ticket stands for. */
export interface Ticket {
  readonly artifactId: string;
  readonly versionNumber: number;
  /** The credential it was made with, to be asked again; null for an anonymous reader. */
  readonly credentialId: string | null;
  readonly expiresAt: Date;
}

/** The address for the frame of one version, good for a minute. */
export function contentTicket(
  { config, principal }: Context,
  _input: unknown,
  { artifact, version }: LoadedVersion,
): Output<"artifact.ticket"> {
  const expiresAt = new Date(Date.now() + lifetimeMs);
  const ticket = {
    artifactId: artifact.artifactId,
    versionNumber: version.versionNumber,
    credentialId: credentialOf(principal),
    expiresAt,
  };
  return {
    url: `${config.contentOrigin}/_content/${sealTicket(config.secret, ticket)}`,
    expiresAt: expiresAt.toISOString(),
  };
}

const credentialOf = (principal: Principal): string | null => (isPerson(principal) ? principal.credentialId : null);

/** Writes a ticket: artifact, version, expiry, credential, and a MAC of 128 bits, in base64url. */
export function sealTicket(secret: string, ticket: Ticket): string {
  const body = Buffer.alloc(44);
  Buffer.from(bare("art", ticket.artifactId), "hex").copy(body, 0);
  body.writeUInt32BE(ticket.versionNumber, 16);
  body.writeBigUInt64BE(BigInt(ticket.expiresAt.getTime()), 20);
  if (ticket.credentialId !== null) Buffer.from(bare("key", ticket.credentialId), "hex").copy(body, 28);
  return Buffer.concat([body, mac(secret, body)]).toString("base64url");
}

/** Reads a ticket back, expired or not; null where it is not one of ours. */
export function openTicket(secret: string, text: string): Ticket | null {
  const sealed = Buffer.from(text, "base64url");
  if (sealed.length !== 44 + macBytes || sealed.toString("base64url") !== text) return null;
  const body = sealed.subarray(0, 44);
  if (!timingSafeEqual(mac(secret, body), sealed.subarray(44))) return null;
  const credential = body.subarray(28, 44);
  return {
    artifactId: encodeId("art", body.subarray(0, 16).toString("hex")),
    versionNumber: body.readUInt32BE(16),
    expiresAt: new Date(Number(body.readBigUInt64BE(20))),
    credentialId: credential.every((byte) => byte === 0) ? null : encodeId("key", credential.toString("hex")),
  };
}

const bare = (prefix: "art" | "key", id: string): string => (decodeId(prefix, id) ?? "").replaceAll("-", "");

const mac = (secret: string, body: Uint8Array): Buffer =>
  createHmac("sha256", secret).update("content-ticket\0").update(body).digest().subarray(0, macBytes);
