// Checks that a stream's caller may still read its artifact, by the same loader and the same rules as for any request.
import { registry } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";

import { callerIn } from "../access/authenticate.ts";
import { groundsFor } from "../access/authorize.ts";
import type { Call } from "../access/call.ts";
import type { Load } from "../access/load.ts";
import { callerRequest } from "../access/load-request.ts";
import type { ArtifactRow } from "../access/resource.ts";

const op = registry["artifact.watch"];

/** The artifact as it is, or the reason why its events end. */
export type AccessState = ArtifactRow | "lost" | "deleted";

export async function accessStateOf(load: Load, call: Call, artifactId: string): Promise<AccessState> {
  const loaded = await load("artifact", { artifact: uuidOf("art", artifactId), ...callerRequest(call) });
  const { row: artifact } = loaded;
  const caller = callerIn(call, loaded);
  if (artifact === null || caller === null) return "lost";
  const grounds = groundsFor(op, caller, loaded, artifact);
  // Only a caller who could read the artifact otherwise learns that it was deleted.
  if (!grounds.some(({ permissions }) => permissions.includes("read"))) return "lost";
  return artifact.deletedAt === null ? artifact : "deleted";
}
