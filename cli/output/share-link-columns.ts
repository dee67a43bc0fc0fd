// The table of share links: what each is for, whether it still opens anything, and whether anybody came by it.
import type { ShareLink } from "@plinth/contract/schemas/share-link";

import { nameOf } from "./account-columns.ts";
import type { Column } from "./table.ts";
import { relativeTime } from "./words.ts";

export const shareLinkColumns: readonly Column<ShareLink>[] = [
  { title: "LABEL", of: ({ label }) => label ?? "", most: 36 },
  { title: "ROLE", of: ({ role }) => role },
  { title: "STATE", of: (link) => stateOf(link) },
  { title: "USED", of: usesOf },
  { title: "BY", of: ({ createdBy }) => nameOf(createdBy), most: 24 },
  { title: "MADE", of: ({ createdAt }) => relativeTime(createdAt) },
  { title: "ID", of: ({ shareLinkId }) => shareLinkId },
];

/** Revoked goes before expired: it is what somebody did. */
export function stateOf(
  { revokedAt, expiresAt }: Pick<ShareLink, "revokedAt" | "expiresAt">,
  now = new Date(),
): string {
  if (revokedAt !== null) return `revoked ${relativeTime(revokedAt, now)}`;
  if (expiresAt === null) return "open";
  return Date.parse(expiresAt) <= now.getTime()
    ? `expired ${relativeTime(expiresAt, now)}`
    : `open, ends ${relativeTime(expiresAt, now)}`;
}

function usesOf({ useCount, lastUsedAt }: ShareLink): string {
  if (useCount === 0) return "never";
  const times = useCount === 1 ? "once" : `${useCount.toLocaleString("en")} times`;
  return lastUsedAt === null ? times : `${times}, ${relativeTime(lastUsedAt)}`;
}
