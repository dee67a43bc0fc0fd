// Finds the share link of a token, with the artifact it opens, in one statement. The holder of the token may learn the
// state of this link; nothing is disclosed about other links.
import { encodeId } from "@plinth/contract/ids";
import type { ShareRole } from "@plinth/contract/schemas/share-link";
import type { Database } from "@plinth/db/connection";

import type { Config } from "../config.ts";

export interface FoundLink {
  readonly shareLinkId: string;
  readonly artifactId: string;
  readonly ownerUsername: string;
  readonly projectSlug: string;
  readonly slug: string;
  readonly title: string;
  readonly role: ShareRole;
  readonly expiresAt: Date | null;
  /** By the database's clock. Those of a deleted artifact open nothing, as if they were revoked. */
  readonly state: "good" | "expired" | "revoked";
  /** Until it expires, in whole seconds, rounded down; null where it does not. */
  readonly secondsLeft: number | null;
}

interface Row extends Omit<FoundLink, "shareLinkId" | "artifactId"> {
  share_link_id: string;
  artifact_id: string;
}

const findStatement = `
  SELECT l.share_link_id, l.artifact_id, w.slug AS "ownerUsername", p.slug AS "projectSlug", a.slug, a.title, l.role,
    l.expires_at AS "expiresAt",
    CASE
      WHEN l.revoked_at IS NOT NULL OR a.deleted_at IS NOT NULL THEN 'revoked'
      WHEN l.expires_at <= now() THEN 'expired'
      ELSE 'good'
    END AS state,
    floor(extract(epoch FROM l.expires_at - now()))::float8 AS "secondsLeft"
  FROM share_link l
  JOIN artifact a ON a.artifact_id = l.artifact_id
  JOIN project p ON p.project_id = a.project_id
  JOIN workspace w ON w.workspace_id = a.workspace_id
  WHERE l.hash = decode($1, 'hex')`;

/** By the token's SHA-256, hex; null where no link has it. */
export async function findLink(db: Database, hash: string): Promise<FoundLink | null> {
  const [row] = await db.run<Row>(findStatement, [hash]);
  if (row === undefined) return null;
  const { share_link_id, artifact_id, ...rest } = row;
  return { ...rest, shareLinkId: encodeId("shr", share_link_id), artifactId: encodeId("art", artifact_id) };
}

/** Where people read what the link opens: an address without its token. */
export const linkUrl = (
  { publicUrl }: Pick<Config, "publicUrl">,
  { ownerUsername, projectSlug, slug }: FoundLink,
): string => `${publicUrl}/${ownerUsername}/${projectSlug}/${slug}`;
