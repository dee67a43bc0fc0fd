// What was seen of a version while its picture was taken: whether there is one, and what the page said.
import { uuidOf } from "@plinth/db/columns";
import type { PageReport, Preview } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";

import type { LoadedVersion } from "../access/resource.ts";
import { thumbnailState } from "./show.ts";

interface Row {
  /** Null where no picture has been tried yet. */
  readonly picture_of: number | null;
  readonly is_taken: boolean;
  readonly report: PageReport | null;
}

const statement = `
SELECT t.version_number AS picture_of, t.large IS NOT NULL AS is_taken, (
  SELECT r.report FROM page_report r WHERE r.artifact_id = $1 AND r.version_number = $2
) AS report
FROM (SELECT) AS one LEFT JOIN thumbnail t ON t.artifact_id = $1`;

/** There is a picture of the head alone; what a page said is kept with its version. */
export async function seenOf(
  db: Database,
  { artifact, version: { versionNumber } }: LoadedVersion,
): Promise<Pick<Preview, "thumbnail" | "page">> {
  const [row] = await db.run<Row>(statement, [uuidOf("art", artifact.artifactId), versionNumber]);
  const page = row?.report ?? null;
  if (versionNumber !== artifact.latestVersion) return { thumbnail: null, page };
  const picture = row?.picture_of === versionNumber ? { isTaken: row.is_taken } : null;
  return { thumbnail: thumbnailState(picture), page };
}
