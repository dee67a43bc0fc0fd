// The condition for live share links in Drizzle's queries: neither revoked nor expired, by the database's clock.
import { shareLink } from "@plinth/db/schema/artifacts";
import { sql } from "drizzle-orm";

export const isLive = sql`(${shareLink.revokedAt} IS NULL
  AND (${shareLink.expiresAt} IS NULL OR ${shareLink.expiresAt} > now()))`;
