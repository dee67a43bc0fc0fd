// The versions published after a given one, batched over the streams that ask at the same time. Knows nothing of access,
// which the caller decides before and after.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { batched } from "../batched.ts";
import { replayedAtMost, type PublishedVersion } from "./events.ts";

interface Asked {
  readonly artifactId: string;
  /** The first version wanted. */
  readonly from: number;
}

interface Row {
  n: number;
  version_number: number;
  changelog: string | null;
  created_at: Date;
}

const statement = `
SELECT r.n, v.version_number, v.changelog, v.created_at
FROM json_to_recordset($1::text::json) AS r(n int, artifact uuid, first int)
JOIN LATERAL (
  SELECT v.version_number, v.changelog, v.created_at FROM version v
  WHERE v.artifact_id = r.artifact AND v.version_number >= r.first
  ORDER BY v.version_number
  LIMIT ${replayedAtMost}
) v ON true
ORDER BY r.n, v.version_number`;

/** Versions from a number on, in order, at most `replayedAtMost`. */
type VersionsFrom = (asked: Asked) => Promise<readonly PublishedVersion[]>;

export function createVersionsFrom(db: Database): VersionsFrom {
  return batched<Asked, readonly PublishedVersion[]>({
    underWayAtOnce: 1,
    most: 100,
    async work(requests) {
      // Many streams watch one artifact, so equal requests are read once.
      const keys = requests.map(({ artifactId, from }) => `${artifactId} ${from}`);
      const distinct = [...new Map(requests.map((request, n) => [keys[n] ?? "", request]))];
      const sent = distinct.map(([, { artifactId, from }], n) => ({
        n,
        artifact: uuidOf("art", artifactId),
        first: from,
      }));
      const rows = await db.run<Row>(statement, [JSON.stringify(sent)]);
      const read = new Map(distinct.map(([key]) => [key, [] as PublishedVersion[]]));
      for (const row of rows) {
        const versions = read.get(distinct[row.n]?.[0] ?? "");
        versions?.push({ versionNumber: row.version_number, changelog: row.changelog, createdAt: row.created_at });
      }
      return keys.map((key) => read.get(key) ?? []);
    },
  });
}
