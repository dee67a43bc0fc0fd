// A share link as those who manage it see it (docs/reference/contract.md §3). The token is never kept, so it is not in
// here.
import type { ShareLink } from "@plinth/contract/schemas/share-link";
import type { shareLink } from "@plinth/db/schema/artifacts";

type ShareLinkRow = Omit<typeof shareLink.$inferSelect, "hash">;

export const presentShareLink = (row: ShareLinkRow): ShareLink => ({
  shareLinkId: row.shareLinkId,
  artifactId: row.artifactId,
  role: row.role,
  label: row.label,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy,
  revokedAt: row.revokedAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  useCount: row.useCount,
});

/** What audit events say of a link. */
export const described = ({ role, label, expiresAt }: Pick<ShareLinkRow, "role" | "label" | "expiresAt">) => ({
  role,
  label,
  expiresAt: expiresAt?.toISOString() ?? null,
});
