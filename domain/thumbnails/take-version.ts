// The job that takes the picture of a version that is no head any more, once and for whoever asked.
import { uuidOf } from "@plinth/db/columns";

import { endTurn, screenshotKey } from "../queue/turns-of-workspaces.ts";
import { isMachineBusy, type PaintingHost } from "./painter.ts";
import { paintedOf, take } from "./take.ts";
import { claimVersion, giveUpVersion, keepVersion } from "./version-pictures.ts";

/**
 * Takes it unless it is there. On the last try what can't be painted gets a placeholder. On a machine that is too busy it
 * stays without a picture: the next look at the version asks for it again.
 * @throws PaintFailure before the last try
 */
export async function takeVersionPicture(
  host: PaintingHost,
  artifactId: string,
  versionNumber: number,
  isLastTry: boolean,
): Promise<void> {
  const { db } = host;
  const key = screenshotKey(artifactId, versionNumber);
  const claim = await claimVersion(db, uuidOf("art", artifactId), versionNumber);
  if (claim === null) return endTurn(db, key);
  try {
    const version = await paintedOf(db, claim.artifactId, versionNumber);
    if (version === null) await giveUpVersion(db, claim);
    else await keepVersion(db, claim, await take(host, version, isLastTry));
  } catch (error) {
    await giveUpVersion(db, claim);
    const isBusy = isMachineBusy(error);
    if (isBusy || isLastTry) await endTurn(db, key);
    if (isBusy) return;
    throw error;
  }
  await endTurn(db, key);
}
