// When credentials and sessions were last used (docs/reference/contract.md §3), without a write for each request:
// recorded in memory, and written by one statement.
import { decodeId, type IdPrefix } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";

import { createWriteBuffer } from "@plinth/platform/write-buffer";
import type { Usage } from "../services.ts";

/** Between two flushes. */
export const usageFlushMs = 60_000;

/** Locked in the order of making, as wherever several are (revoke.ts). */
const flushStatement = `
  WITH used AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::text::json) AS u(credential uuid, session uuid, at timestamptz)
  ), credentials AS MATERIALIZED (
    SELECT c.credential_id, least(u.at, now()) AS at FROM used u JOIN credential c ON c.credential_id = u.credential
    ORDER BY c.credential_id FOR NO KEY UPDATE OF c
  ), sessions AS MATERIALIZED (
    SELECT s.id, least(u.at, now()) AS at FROM used u JOIN session s ON s.id = u.session
    ORDER BY s.id FOR NO KEY UPDATE OF s
  ), by_credential AS (
    UPDATE credential c SET last_used_at = greatest(c.last_used_at, u.at)
    FROM credentials u WHERE c.credential_id = u.credential_id
  )
  UPDATE session s SET updated_at = greatest(s.updated_at, u.at) FROM sessions u WHERE s.id = u.id`;

export function createUsage(db: Database): Usage {
  const { record, ...flushed } = createWriteBuffer<number>(Math.max, (collected) =>
    db.run(flushStatement, [JSON.stringify(collected.map(rowOf))]),
  );
  return { record: (credentialId) => record(credentialId, Date.now()), ...flushed };
}

function rowOf([credentialId, time]: readonly [string, number]): object {
  const at = new Date(time).toISOString();
  const prefix = credentialId.slice(0, 3) as IdPrefix;
  const uuid = decodeId(prefix, credentialId);
  return prefix === "ses" ? { session: uuid, at } : { credential: uuid, at };
}
