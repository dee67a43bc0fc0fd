// Lets a share link expire, because one with an expiry of seconds could not be created in time on a busy machine.
import { SQL } from "bun";
import { decodeId } from "@plinth/contract/ids";

import { databaseUrlOf } from "./embedded-database.ts";
import type { Instance } from "./instance.ts";

/** Sets the expiry of the link a second back, on an instance with an embedded database. */
export async function expireLink({ dataDir }: Pick<Instance, "dataDir">, shareLinkId: string): Promise<void> {
  const sql = new SQL(databaseUrlOf(dataDir), { max: 1 });
  await sql`UPDATE share_link SET expires_at = now() - interval '1 second'
    WHERE share_link_id = ${decodeId("shr", shareLinkId)}`;
  await sql.close();
}
