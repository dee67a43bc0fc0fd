// The newest artifacts that a search finds and the caller may see, as part of a statement. The search documents say
// what is found and nothing of access, which is asked of the artifact each time.
import { artifact, searchDocument } from "@plinth/db/schema/artifacts";
import { sql, type SQL } from "drizzle-orm";

import type { SearchQuery } from "./query.ts";

/**
 * Up to this many matches are looked up one by one, newest first. For more, it is cheaper to walk the visible artifacts
 * and check each: matches are soon met, or few artifacts are visible. The choice uses the actual count instead of
 * PostgreSQL's estimate. It is random, because a caller with about that many matches could otherwise measure by the
 * time whether a hidden artifact matches as well.
 */
const few = (): number => 1000 + Math.floor(Math.random() * 2000);

/**
 * `visible` are the conditions of what may be shown, on one row of an artifact; `walk` makes the statement that walks
 * what is visible, newest first, with the conditions it is given beside those.
 */
export function newestFound(
  query: SearchQuery,
  conditions: readonly SQL[],
  walk: (conditions: readonly SQL[]) => SQL,
  count: number,
): SQL {
  const limit = sql.raw(`LIMIT ${count}`);
  const isMany = sql`(SELECT n FROM size) > ${few()}::int`;
  // IS TRUE keeps it a question about each row: as a join it would be answered for all rows before the first is shown.
  const isFound = sql`(${artifact.artifactId} IN (SELECT artifact_id FROM found)) IS TRUE`;
  return sql`WITH found AS MATERIALIZED (${finds(query)}), size AS MATERIALIZED (SELECT count(*) AS n FROM found)
    (SELECT looked.artifact_id FROM (
        SELECT artifact_id FROM found WHERE (${isMany}) IS FALSE ORDER BY artifact_id DESC OFFSET 0) AS looked
      CROSS JOIN LATERAL (
        SELECT FROM ${artifact}
        WHERE ${artifact.artifactId} = looked.artifact_id AND ${sql.join([...conditions], sql` AND `)} LIMIT 1) AS seen
      ORDER BY looked.artifact_id DESC ${limit})
    UNION ALL (${walk([isMany, isFound])})
    ORDER BY artifact_id DESC ${limit}`;
}

/** By words, or by parts of words in title and slug. The same statement however many words there are. */
function finds({ words, parts, indexedParts }: SearchQuery): SQL {
  const byWords = sql`SELECT ${searchDocument.artifactId} FROM ${searchDocument}
    WHERE ${searchDocument.words} @@ (${words}::text::tsquery)`;
  if (indexedParts === null) return byWords;
  const each = indexedParts.map((part) => sql`${searchDocument.name} LIKE ${part}`);
  return sql`${byWords} UNION SELECT ${searchDocument.artifactId} FROM ${searchDocument}
    WHERE ${sql.join(each, sql` AND `)}
      AND ${searchDocument.name} LIKE ALL (ARRAY(SELECT json_array_elements_text(${JSON.stringify(parts)}::text::json)))`;
}
