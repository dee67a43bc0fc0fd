// Which version a content address opens, for whom. Access is decided each time, so a revocation holds at once;
// neither cookie nor bearer is looked at (security 1).
import { uuidOf } from "@plinth/db/columns";

import { decideArtifact } from "../access/decide.ts";
import type { Loaded } from "../access/load.ts";
import type { LoadRequest } from "../access/load-statement.ts";
import type { Principal } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import type { LoadedVersion } from "../access/resource.ts";
import type { Instance } from "../context.ts";
import { asAppError } from "../failure.ts";
import { openTicket } from "./ticket.ts";

const anyone: Principal = { type: "anonymous", address: "" };

/** The version of a ticket; `expired` where it was genuine once. @throws not_found */
export async function redeemTicket(instance: Instance, text: string): Promise<LoadedVersion | "expired"> {
  const ticket = openTicket(instance.config.secret, text);
  if (ticket === null) throw notFound();
  if (ticket.expiresAt.getTime() <= Date.now()) return "expired";
  const { artifactId, versionNumber, credentialId } = ticket;
  const loaded = await load(instance, artifactId, versionNumber, callerOf(credentialId));
  if (credentialId === null) return readable(loaded, anyone);
  if (loaded.person === null || loaded.standing !== "good") throw notFound();
  return readable(loaded, loaded.person);
}

/** The version at the steady address, which opens what anyone may see. @throws not_found */
export async function publicVersion(
  instance: Instance,
  artifactId: string,
  versionNumber: number,
): Promise<LoadedVersion> {
  return readable(await load(instance, artifactId, versionNumber, {}), anyone);
}

type Caller = Pick<LoadRequest, "credential" | "session_id">;

function callerOf(credentialId: string | null): Caller {
  if (credentialId === null) return {};
  if (credentialId.startsWith("ses_")) return { session_id: uuidOf("ses", credentialId) };
  return { credential: uuidOf(credentialId.startsWith("key_") ? "key" : "agt", credentialId) };
}

async function load(instance: Instance, artifactId: string, version: number, caller: Caller): Promise<Loaded> {
  try {
    return await instance.load("version", { artifact: uuidOf("art", artifactId), version, ...caller });
  } catch (error) {
    throw asAppError(error);
  }
}

function readable({ version }: Loaded, principal: Principal): LoadedVersion {
  if (version === null || version.bytes === null) throw notFound();
  if (decideArtifact(principal, "read", version.artifact) !== "allow") throw notFound();
  return version;
}
