// How an artifact looks to people who are not named in its access: words for the person who manages it. What a person can do is
// decided by the domain.
import { shareLinkState } from "@plinth/contract/share-link-state";
import type { Access } from "@plinth/contract/schemas/artifact";
import type { ShareLink } from "@plinth/contract/schemas/share-link";

export interface ViewAs {
  who: string;
  sees: string;
}

const nothing = "A page that says there is nothing to see. It doesn't say that something is there.";

/** `links` are its share links; `hasMore` says that there are others, of which any may be open. */
export function viewAs(
  access: Pick<Access, "publicView" | "publicEdit">,
  links: readonly Pick<ShareLink, "role" | "expiresAt" | "revokedAt">[],
  now: Date,
  hasMore = false,
): ViewAs[] {
  const open = (role: ShareLink["role"]) =>
    links.some((link) => link.role === role && shareLinkState(link, now) === "open");
  const none = hasMore ? "It depends: not all of the many links are looked at here." : "There is no such link.";
  const edits = access.publicView && access.publicEdit;
  return [
    { who: "Anyone", sees: access.publicView ? "Every version. They find it by searching, too." : nothing },
    {
      who: "Somebody signed in",
      sees: edits ? "Every version, and a way to publish the next." : access.publicView ? "Every version." : nothing,
    },
    {
      who: "Whoever holds a link to view",
      sees: open("viewer") ? "Every version, signed in or not." : none,
    },
    {
      who: "Whoever holds a link to edit",
      sees: open("editor") ? "Every version, and a way to publish the next." : none,
    },
  ];
}
