// What became of a share link, told by the times it carries. What it still opens is decided by the domain, by the
// database's clock.
import type { ShareLink } from "./schemas/share-link.ts";

/** Revoked goes before expired: it is what somebody did. */
export function shareLinkState(
  { revokedAt, expiresAt }: Pick<ShareLink, "revokedAt" | "expiresAt">,
  now: Date,
): "open" | "revoked" | "expired" {
  if (revokedAt !== null) return "revoked";
  return expiresAt === null || new Date(expiresAt) > now ? "open" : "expired";
}
