// Whether there is still a version of an artifact that `invoke` authorized.
import { uuidOf } from "@plinth/db/columns";

import type { AccessContext } from "./call.ts";
import { notFound, versionExpired } from "./refusals.ts";

/** @throws not_found, version_expired */
export async function requireKept({ db }: AccessContext, artifactId: string, versionNumber: number): Promise<void> {
  const [row] = await db.run<{ pruned_at: Date | null }>(
    "SELECT pruned_at FROM version WHERE artifact_id = $1 AND version_number = $2",
    [uuidOf("art", artifactId), versionNumber],
  );
  if (row === undefined) throw notFound();
  if (row.pruned_at !== null) throw versionExpired(versionNumber, row.pruned_at);
}
