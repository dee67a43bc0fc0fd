// The state of a share link, by its times. The domain decides by the database's clock whether the link still opens the
// artifact.
import type { ShareLink } from "./schemas/share-link.ts";

/** `revoked` precedes `expired`, because a person chose to revoke the link. */
export function shareLinkState(
  { revokedAt, expiresAt }: Pick<ShareLink, "revokedAt" | "expiresAt">,
  now: Date,
): "open" | "revoked" | "expired" {
  if (revokedAt !== null) return "revoked";
  return expiresAt === null || new Date(expiresAt) > now ? "open" : "expired";
}
