// Which version a content address opens, for whom. Access is decided each time, as for the operation that made the
// ticket, so a revocation holds at once; neither cookie nor bearer is looked at (docs/reference/security.md §1).
import { AppError } from "@plinth/contract/errors";
import { registry } from "@plinth/contract/registry";

import { admit } from "../access/authorize.ts";
import type { Call, RequestCredentials } from "../access/call.ts";
import type { Principal } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import type { LoadedVersion } from "../access/resource.ts";
import type { Instance } from "../context.ts";
import { asAppError } from "../failure.ts";
import { presentedBy } from "./made-with.ts";
import { openTicket } from "./ticket.ts";

export interface Redeemed extends LoadedVersion {
  /** By whose right it is read. */
  readonly principal: Principal;
}

/** What a content address shows of its reader: the ticket's credential, and where the request comes from. */
type Reader = RequestCredentials & Pick<Call, "address">;

/** The version of a ticket; `expired` where it was genuine once. @throws not_found */
export async function redeemTicket(instance: Instance, text: string, address: string): Promise<Redeemed | "expired"> {
  const ticket = openTicket(instance.config.secret, text);
  if (ticket === null) throw notFound();
  if (ticket.expiresAt.getTime() <= Date.now()) return "expired";
  return read(instance, { ...presentedBy(ticket.madeWith), address }, ticket.artifactId, ticket.versionNumber);
}

/** The version at the steady address, which opens what anyone may see. @throws not_found */
export const publicVersion = (
  instance: Instance,
  artifactId: string,
  versionNumber: number,
  address: string,
): Promise<Redeemed> => read(instance, { ...presentedBy(null), address }, artifactId, versionNumber);

/** The error gives no reason for an invalid URL: the URL is all that the reader has shown. */
async function read(instance: Instance, caller: Reader, artifactId: string, version: number): Promise<Redeemed> {
  try {
    const op = registry["artifact.ticket"];
    const { principal, resource } = await admit(instance.load, op, caller, { artifactId, version });
    return { ...(resource as LoadedVersion), principal };
  } catch (thrown) {
    const error = asAppError(thrown);
    throw error instanceof AppError && error.status < 500 ? notFound() : error;
  }
}
