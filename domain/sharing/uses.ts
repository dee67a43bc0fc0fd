// Counts the uses of each share link (docs/reference/contract.md §3): recorded in a write buffer when content was
// delivered by its permission, and written by one statement, with an audit event each. No request waits for it.
import type { Actor } from "@plinth/contract/schemas/actor";
import { newId, uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { actorOf } from "../access/principal.ts";
import { createCache } from "@plinth/platform/caches";
import { createWriteBuffer } from "@plinth/platform/write-buffer";
import type { Delivery, ShareUses } from "../services.ts";

/** Between two flushes. */
export const shareUsesFlushMs = 2_000;

/** The audit event names the latest of the deliveries that are recorded together. */
interface Uses extends Delivery {
  readonly actor: Actor;
  readonly uses: number;
}

/**
 * Locked in the order of creation, as elsewhere (revoke.ts). Deleted links are left out; links that were revoked in
 * between still count.
 */
const flushStatement = `
  WITH received AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::text::json)
      AS n(link uuid, event uuid, uses int, actor jsonb, surface text, request text, client text)
  ), used AS MATERIALIZED (
    SELECT n.*, a.workspace_id
    FROM received n
    JOIN share_link l ON l.share_link_id = n.link
    JOIN artifact a ON a.artifact_id = l.artifact_id
    ORDER BY l.share_link_id
    FOR NO KEY UPDATE OF l
  ), counted AS (
    UPDATE share_link l
    SET use_count = least(l.use_count::bigint + u.uses, ${2 ** 31 - 1})::int, last_used_at = greatest(l.last_used_at, now())
    FROM used u
    WHERE l.share_link_id = u.link
    RETURNING u.*, l.artifact_id, l.use_count
  )
  INSERT INTO audit_event
    (event_id, kind, actor, surface, workspace_id, artifact_id, target_type, target_id, after, request_id,
      client)
  SELECT c.event, 'share_link.used', c.actor, c.surface, c.workspace_id, c.artifact_id, 'share_link', c.actor ->> 'id',
    jsonb_build_object('uses', c.uses, 'useCount', c.use_count), c.request, c.client
  FROM counted c`;

export function createShareUses(db: Database): ShareUses {
  const tickets = createCache<true>("deliveredTickets");
  const { record, ...flushed } = createWriteBuffer<Uses>(
    (known, more) => ({ ...more, uses: known.uses + more.uses }),
    (collected) => db.run(flushStatement, [JSON.stringify(collected.map(rowOf))]),
  );
  return {
    record(principal, { surface, requestId, client, ticket }) {
      if (principal.type !== "share_link" || (ticket !== undefined && tickets.has(ticket))) return;
      if (ticket !== undefined) tickets.set(ticket, true);
      const by = { actor: actorOf(principal), surface, requestId, ...(client !== undefined && { client }) };
      record(principal.link.shareLinkId, { uses: 1, ...by });
    },
    ...flushed,
  };
}

const rowOf = ([shareLinkId, { requestId: request, ...uses }]: readonly [string, Uses]) => ({
  link: uuidOf("shr", shareLinkId),
  event: uuidOf("evt", newId("evt")),
  request,
  ...uses,
});
