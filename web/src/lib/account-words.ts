// The plans, and the roles of share links, as people read them.
import type { ShareRole } from "@plinth/contract/schemas/share-link";

export { planNames } from "@plinth/contract/plans";

/** What a share link does, after "It". */
export const linkRoleWords: Readonly<Record<ShareRole, string>> = {
  viewer: "lets them view",
  editor: "lets them view and edit",
};
