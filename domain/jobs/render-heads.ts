// The rendering of markdown ahead of its first reader. Of many published at once none are: rendering takes longer than
// publishing, and whoever reads one has it rendered.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { unpack } from "../content/pack.ts";
import { rendered } from "../content/renderings.ts";
import { rendererVersion } from "../render/version.ts";

/** Artifacts of one job from which on they are left to their readers. */
const manyFrom = 16;

/** Ends in LIMIT 1, so that each is looked up by index whatever the planner thinks of the tables' sizes. */
const statement = `
SELECT h.*
FROM json_array_elements_text($1::text::json) AS ids(id)
JOIN LATERAL (
  SELECT encode(v.sha256, 'hex') AS sha256, c.data
  FROM artifact a
  JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = a.latest_version
  JOIN content c ON c.sha256 = v.sha256
  WHERE a.artifact_id = ids.id::uuid AND a.deleted_at IS NULL AND a.type = 'md' AND NOT EXISTS (
    SELECT FROM rendering r WHERE r.sha256 = v.sha256 AND r.type = 'md' AND r.renderer = $2)
  LIMIT 1
) h ON true`;

/** Renders the markdown heads that nobody has had rendered yet. */
export async function renderHeads(db: Database, artifactIds: readonly string[]): Promise<void> {
  if (artifactIds.length >= manyFrom) return;
  const ids = JSON.stringify(artifactIds.map((artifactId) => uuidOf("art", artifactId)));
  const heads = await db.run<{ sha256: string; data: Uint8Array }>(statement, [ids, rendererVersion.md]);
  for (const { sha256, data } of heads) await rendered(db, { sha256, type: "md", name: "md" }, unpack(data));
}
