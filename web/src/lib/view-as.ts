// The artifact as people without a named grant see it, in words for its manager. The domain decides what a person can
// do.
import { shareLinkState } from "@plinth/contract/share-link-state";
import type { Access } from "@plinth/contract/schemas/artifact";
import type { ShareLink } from "@plinth/contract/schemas/share-link";
import { viewAsTexts } from "../messages/artifact-access.ts";

interface ViewAs {
  who: string;
  sees: string;
}

/** `links` are its share links; `hasMore` says that there are others, of which any may be open. */
export function viewAs(
  access: Pick<Access, "publicView" | "publicEdit">,
  links: readonly Pick<ShareLink, "role" | "expiresAt" | "revokedAt">[],
  now: Date,
  hasMore = false,
): ViewAs[] {
  const open = (role: ShareLink["role"]) =>
    links.some((link) => link.role === role && shareLinkState(link, now) === "open");
  const text = viewAsTexts();
  const none = hasMore ? text.notAllChecked : text.noLink;
  const edits = access.publicView && access.publicEdit;
  return [
    { who: text.anyone, sees: access.publicView ? text.inSearch : text.notFound },
    {
      who: text.signedIn,
      sees: edits ? text.allAndPublish : access.publicView ? text.all : text.notFound,
    },
    { who: text.viewLink, sees: open("viewer") ? text.withoutSigningIn : none },
    { who: text.editLink, sees: open("editor") ? text.allAndPublish : none },
  ];
}
