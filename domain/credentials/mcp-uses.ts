// Records the client that last used MCP with each credential, so that a person who connects a client sees that it
// arrived. It uses a write buffer like last uses (usage.ts), but flushes sooner because a person waits to see it.
import { decodeId, type IdPrefix } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";

import { createWriteBuffer } from "@plinth/platform/write-buffer";
import type { McpUses } from "../services.ts";

/** Between two flushes. */
export const mcpUsesFlushMs = 1_000;
/** A credential's client is not recorded again within this time, so that a conversation causes few writes. */
const quietMs = 20_000;
/** Credentials whose last use is remembered; past it all are forgotten, which costs a write each. */
const rememberedAtMost = 50_000;

interface Use {
  readonly at: number;
  readonly program: string | undefined;
}

/** Locked in the order of making, as wherever several are (revoke.ts). A message that names no program changes no name. */
const flushStatement = `
  WITH used AS MATERIALIZED (
    SELECT c.credential_id, least(u.at, now()) AS at, u.program
    FROM json_to_recordset($1::text::json) AS u(credential uuid, at timestamptz, program text)
    JOIN credential c ON c.credential_id = u.credential
    ORDER BY c.credential_id FOR NO KEY UPDATE OF c
  )
  UPDATE credential c SET mcp_at = greatest(c.mcp_at, u.at), mcp_program = coalesce(u.program, c.mcp_program)
  FROM used u WHERE c.credential_id = u.credential_id`;

export function createMcpUses(db: Database): McpUses {
  const last = new Map<string, Use>();
  const { record, ...flushed } = createWriteBuffer<Use>(
    (known, { at, program = known.program }) => ({ at, program }),
    (collected) => db.run(flushStatement, [JSON.stringify(collected.map(rowOf))]),
  );
  return {
    record(credentialId, program) {
      const at = Date.now();
      const known = last.get(credentialId);
      const isNew = program !== undefined && program !== known?.program;
      if (known !== undefined && !isNew && at - known.at < quietMs) return;
      if (last.size >= rememberedAtMost) last.clear();
      last.set(credentialId, { at, program: program ?? known?.program });
      record(credentialId, { at, program });
    },
    ...flushed,
  };
}

const rowOf = ([credentialId, { at, program }]: readonly [string, Use]) => ({
  credential: decodeId(credentialId.slice(0, 3) as IdPrefix, credentialId),
  at: new Date(at).toISOString(),
  program: program ?? null,
});
