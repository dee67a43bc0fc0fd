// The table of share links: what each is for, whether it still opens anything, and whether anybody came by it.
import type { ShareLink } from "@plinth/contract/schemas/share-link";
import { shareLinkState } from "@plinth/contract/share-link-state";

import { nameOf } from "./account-columns.ts";
import type { Column } from "../terminal/table.ts";
import { relativeTime } from "./formatting.ts";

export const shareLinkColumns: readonly Column<ShareLink>[] = [
  { title: "LABEL", of: ({ label }) => label ?? "", most: 36 },
  { title: "ROLE", of: ({ role }) => role },
  { title: "STATE", of: stateOf },
  { title: "USED", of: usesOf },
  { title: "BY", of: ({ createdBy }) => nameOf(createdBy), most: 24 },
  { title: "MADE", of: ({ createdAt }) => relativeTime(createdAt) },
  { title: "ID", of: ({ shareLinkId }) => shareLinkId },
];

function stateOf(link: ShareLink): string {
  const now = new Date();
  const state = shareLinkState(link, now);
  const at = state === "revoked" ? link.revokedAt : link.expiresAt;
  if (at === null) return state;
  return `${state === "open" ? "open, ends" : state} ${relativeTime(at, now)}`;
}

function usesOf({ useCount, lastUsedAt }: ShareLink): string {
  if (useCount === 0) return "never";
  const times = useCount === 1 ? "once" : `${useCount.toLocaleString("en")} times`;
  return lastUsedAt === null ? times : `${times}, ${relativeTime(lastUsedAt)}`;
}
