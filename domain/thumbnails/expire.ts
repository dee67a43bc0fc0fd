// Screenshots of a version that is shown otherwise now, because packages came after they were taken.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { VersionKey } from "../packages/lock.ts";
import { noRenderer } from "./without-browser.ts";

/** Every renderer captures again what no renderer captured. The earlier screenshot is shown until then. */
const statement = `
WITH latest AS (
  UPDATE thumbnail SET painter = ${noRenderer} WHERE artifact_id = $1 AND version_number = $2
)
DELETE FROM version_picture WHERE artifact_id = $1 AND version_number = $2 AND taken_at IS NOT NULL`;

/** The latest version's is captured again when it is requested, an older version's when a reader asks for it. */
export async function expireScreenshot(db: Database, { artifactId, versionNumber }: VersionKey): Promise<void> {
  await db.run(statement, [uuidOf("art", artifactId), versionNumber]);
}
