// When a user's clients last used MCP: one row for each valid credential that ever did.
import type { Input, Output } from "@plinth/contract/registry";
import { credentialPrefix } from "@plinth/contract/credential-kinds";
import { encodeId } from "@plinth/contract/ids";
import { pageLimit } from "@plinth/contract/limits";
import { credential } from "@plinth/db/schema/accounts";
import { and, desc, isNotNull, sql, type SQL } from "drizzle-orm";

import { requirePerson } from "../access/principal.ts";
import { notExpired, notRevoked, ownCredentials } from "../access/visible.ts";
import type { Context } from "../context.ts";
import { pageOf, readCursor } from "../page.ts";

const list = "mcp-connections";
/** Milliseconds since 1970, and which credential. */
const position = /^(\d{1,15})\.([0-9a-f-]{36})$/;

/** One's own, the one that spoke last first. @throws invalid_request for a cursor of another list */
export async function listMcpConnections(
  context: Context,
  { limit = pageLimit.default, cursor }: Input<"mcp.listConnections">,
): Promise<Output<"mcp.listConnections">> {
  const { credentialId, kind, name, mcpProgram, mcpAt } = credential;
  const rows = await context.db.orm
    .select({ credentialId, kind, name, program: mcpProgram, at: sql<Date>`${mcpAt}`.mapWith(mcpAt) })
    .from(credential)
    .where(
      and(
        ownCredentials(requirePerson(context.principal)),
        isNotNull(mcpAt),
        notRevoked(),
        notExpired(),
        cursor === undefined ? undefined : isAfter(readCursor(list, cursor, position)),
      ),
    )
    .orderBy(desc(mcpAt), desc(credentialId))
    .limit(limit + 1);
  const { shown, nextCursor } = pageOf(list, rows, limit, (row) => `${row.at.getTime()}.${row.credentialId}`);
  const connections = shown.map((row) => ({
    credentialId: encodeId(credentialPrefix(row.kind), row.credentialId),
    kind: row.kind,
    name: row.name,
    program: row.program,
    lastSpokeAt: row.at.toISOString(),
  }));
  return { connections, nextCursor };
}

function isAfter(cursor: string): SQL {
  const [, ms = "", id = ""] = position.exec(cursor) ?? [];
  return sql`(${credential.mcpAt}, ${credential.credentialId}) < (to_timestamp(${ms}::float8 / 1000), ${id}::uuid)`;
}
