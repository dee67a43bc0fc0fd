// Opens the version or file that a content URL stands for. Access is decided each time, as for the operation that made
// the ticket, so a revocation takes effect at once; cookies and bearer tokens are ignored
// (docs/reference/security.md §1).
import { AppError } from "@plinth/contract/errors";
import { registry } from "@plinth/contract/registry";

import { admit, type Authorized } from "../access/authorize.ts";
import type { Call, RequestCredentials } from "../access/call.ts";
import type { Principal } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import type { LoadedFile, LoadedVersion } from "../access/resource.ts";
import type { Instance } from "../context.ts";
import { asAppError } from "../failure.ts";
import { presentedBy } from "../access/ticket-credential.ts";
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

/** A file beside the version of a ticket. @throws not_found */
export async function redeemFile(instance: Instance, text: string, asked: AskedFile): Promise<LoadedFile> {
  const ticket = openTicket(instance.config.secret, text);
  if (ticket === null || ticket.expiresAt.getTime() <= Date.now()) throw notFound();
  return readFile(instance, presentedBy(ticket.madeWith), ticket, asked);
}

/** A file beside a version that anyone may see. @throws not_found */
export const publicFile = (
  instance: Instance,
  version: { readonly artifactId: string; readonly versionNumber: number },
  asked: AskedFile,
): Promise<LoadedFile> => readFile(instance, presentedBy(null), version, asked);

/** The version at the steady address, which opens what anyone may see. @throws not_found */
export const publicVersion = (
  instance: Instance,
  artifactId: string,
  versionNumber: number,
  address: string,
): Promise<Redeemed> => read(instance, { ...presentedBy(null), address }, artifactId, versionNumber);

interface AskedFile {
  readonly path: string;
  readonly address: string;
  /** Tags of those that the reader has. */
  readonly held: readonly string[];
}

async function readFile(
  instance: Instance,
  presented: RequestCredentials,
  { artifactId, versionNumber }: { readonly artifactId: string; readonly versionNumber: number },
  { path, address, held }: AskedFile,
): Promise<LoadedFile> {
  const input = { artifactId, version: versionNumber, path };
  const { resource } = await orNotFound(
    admit(instance.load, registry["version.file"], { ...presented, held, address }, input),
  );
  return resource as LoadedFile;
}

/** The error gives no reason for an invalid URL: the URL is all that the reader has shown. */
async function read(instance: Instance, caller: Reader, artifactId: string, version: number): Promise<Redeemed> {
  const op = registry["artifact.ticket"];
  const { principal, resource } = await orNotFound(admit(instance.load, op, caller, { artifactId, version }));
  return { ...(resource as LoadedVersion), principal };
}

async function orNotFound(admitted: Promise<Authorized>): Promise<Authorized> {
  try {
    return await admitted;
  } catch (thrown) {
    const error = asAppError(thrown);
    throw error instanceof AppError && error.status < 500 ? notFound() : error;
  }
}
