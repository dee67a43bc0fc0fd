// The job that takes the picture of a version that is no head any more, once and for whoever asked.
import { uuidOf } from "@plinth/db/columns";

import type { JobHost } from "../jobs/run.ts";
import { paintedOf, take } from "./take.ts";
import { claimVersion, giveUpVersion, keepVersion } from "./version-pictures.ts";

/** Takes it unless it is there. On the last try what can't be painted gets a placeholder. @throws PaintFailure before */
export async function takeVersionPicture(
  host: JobHost,
  artifactId: string,
  versionNumber: number,
  isLastTry: boolean,
): Promise<void> {
  const { db } = host;
  const claim = await claimVersion(db, uuidOf("art", artifactId), versionNumber);
  if (claim === null) return;
  try {
    const version = await paintedOf(db, claim.artifactId, versionNumber);
    if (version === null) return await giveUpVersion(db, claim);
    await keepVersion(db, claim, await take(host, version, isLastTry));
  } catch (error) {
    await giveUpVersion(db, claim);
    throw error;
  }
}
