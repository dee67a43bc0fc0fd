// The name of a version, which its editors give and remove. What the version says never changes.
import { version as versions } from "@plinth/db/schema/artifacts";
import { and, eq } from "drizzle-orm";

import { lockArtifact } from "../access/require.ts";
import { record } from "../audit/audit.ts";
import { transact } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { expiryOf } from "./list.ts";
import { presentVersion } from "./present.ts";

/** @throws not_found */
export const nameVersion: JsonHandler<"version.patch"> = async (context, { name: given }, { artifact, version }) => {
  const name = given?.trim() ?? null;
  const { artifactId, versionNumber } = version;
  const which = and(eq(versions.artifactId, artifactId), eq(versions.versionNumber, versionNumber));
  const current = await transact(context, async (inside, db) => {
    // Names of one artifact are given one after another, so that each event says which name it replaced.
    const locked = await lockArtifact(db, artifact);
    const [before] = await db.orm.select({ name: versions.name }).from(versions).where(which);
    if (before !== undefined && before.name !== name) {
      await db.orm.update(versions).set({ name }).where(which);
      await record(inside, {
        kind: "version.renamed",
        workspaceId: locked.workspaceId,
        artifactId,
        target: { type: "artifact", id: artifactId },
        before: { versionNumber, name: before.name },
        after: { versionNumber, name },
      });
    }
    return locked;
  });
  const isLatest = versionNumber === current.latestVersion;
  const expiresAt = isLatest ? null : await expiryOf(context, current, versionNumber);
  return presentVersion(context, current, { ...version, name, isLatest, expiresAt });
};
