// By whose right a ticket was made: the credential, the session or the share link, as a ticket carries it, and as what
// is presented again when the ticket comes back.
import { decodeId, encodeId, type IdPrefix } from "@plinth/contract/ids";

import type { RequestCredentials } from "./call.ts";
import { isPerson, type Principal } from "./principal.ts";

/** The kinds of identifiers, by the byte that encodes them; 0 is none. */
const prefixes = ["key", "agt", "ses", "shr"] as const;

/** So many bytes it takes. */
export const ticketCredentialBytes = 17;

/** The identifier of the right that a principal uses; null for anyone's. */
export function rightOf(principal: Principal): string | null {
  if (principal.type === "share_link") return principal.link.shareLinkId;
  return isPerson(principal) ? principal.credentialId : null;
}

export function writeTicketCredential(body: Buffer, offset: number, madeWith: string | null): void {
  const kind = prefixes.findIndex((prefix) => madeWith?.startsWith(`${prefix}_`));
  const prefix = prefixes[kind];
  if (madeWith === null || prefix === undefined) return;
  body.writeUInt8(kind + 1, offset);
  writeId(body, offset + 1, prefix, madeWith);
}

export function readTicketCredential(body: Buffer, offset: number): string | null {
  const prefix = prefixes[body.readUInt8(offset) - 1];
  return prefix === undefined ? null : readId(body, offset + 1, prefix);
}

/** Sixteen bytes. */
export const writeId = (body: Buffer, offset: number, prefix: IdPrefix, id: string): void => {
  Buffer.from((decodeId(prefix, id) ?? "").replaceAll("-", ""), "hex").copy(body, offset);
};

export const readId = (body: Buffer, offset: number, prefix: IdPrefix): string =>
  encodeId(prefix, body.subarray(offset, offset + 16).toString("hex"));

/** As it is brought to be decided about again. */
export function presentedBy(madeWith: string | null): RequestCredentials {
  if (madeWith === null) return { credential: { kind: "none" } };
  if (madeWith.startsWith("shr_")) return { credential: { kind: "none" }, share: { granted: [madeWith] } };
  return { credential: { kind: "known", credentialId: madeWith } };
}
