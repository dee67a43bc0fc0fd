// Whether whoever watches an artifact still may: asked by the same loader and decided by the same rules as any request.
import { AppError } from "@plinth/contract/errors";
import { registry } from "@plinth/contract/registry";

import { authenticate } from "../access/authenticate.ts";
import { authorize, loadFor } from "../access/authorize.ts";
import type { Call } from "../access/call.ts";
import type { Load, Loaded } from "../access/load.ts";
import type { ArtifactRow } from "../access/resource.ts";

const op = registry["artifact.watch"];

/** The artifact as it is, or why it is told of no more. */
export type Standing = ArtifactRow | "lost" | "deleted";

export async function standingOf(load: Load, call: Call, artifactId: string): Promise<Standing> {
  const loaded = await loadFor(load, op, call, { artifactId });
  const artifact = loaded.kind === "artifact" ? loaded.row : null;
  if (artifact === null) return "lost";
  if (mayRead(call, loaded)) return artifact;
  if (artifact.deletedAt === null) return "lost";
  // That it was deleted is said to those alone who would see it if it were not.
  return mayRead(call, { ...loaded, artifact: { ...artifact, deletedAt: null } }) ? "deleted" : "lost";
}

function mayRead(call: Call, loaded: Loaded): boolean {
  try {
    authorize(op, authenticate(op, call, loaded), loaded);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
