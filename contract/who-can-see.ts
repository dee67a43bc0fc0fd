// Describes who can see and edit an artifact, for a person who manages its access. The sentence is composed from the
// access object, the workspace's members and the share links. The domain decides the actual access.
import type { WorkspaceRole } from "./roles.ts";
import type { Access, Reach } from "./schemas/artifact.ts";
import type { ShareLink } from "./schemas/share-link.ts";
import { shareLinkState } from "./share-link-state.ts";

export interface Audience {
  readonly access: Access;
  /** The known members of the artifact's workspace. */
  readonly members: readonly { readonly email: string; readonly role: WorkspaceRole }[];
  /** Whether the workspace has more members than these. */
  readonly moreMembers?: boolean;
  /** The artifact's known share links; revoked and expired ones are ignored. */
  readonly shareLinks: readonly Pick<ShareLink, "role" | "expiresAt" | "revokedAt">[];
  /** Whether the artifact has more links than these, any of which may be active. */
  readonly moreLinks?: boolean;
}

const editingRoles: ReadonlySet<WorkspaceRole> = new Set(["admin", "member"]);

/** The numbers of the sentences. */
export function reachOf(
  { access, members, moreMembers = false, shareLinks, moreLinks = false }: Audience,
  now: Date,
): { see: Reach; edit: Reach } {
  // An address may be on the allowlist and belong to a member as well.
  const emails = [...members.map(({ email }) => email.toLowerCase()), ...access.viewerEmails];
  const active = shareLinks.filter((link) => shareLinkState(link, now) === "open");
  const more = { morePeople: moreMembers, moreLinks };
  return {
    see: { anyone: access.publicView, people: new Set(emails).size, links: active.length, ...more },
    edit: {
      anyone: access.publicView && access.publicEdit,
      people: members.filter(({ role }) => editingRoles.has(role)).length,
      links: active.filter(({ role }) => role === "editor").length,
      ...more,
    },
  };
}

/** For example "3 people and anyone with the link can see this". */
export const whoCanSee = (reach: Reach): string =>
  reach.anyone ? "Anyone with the URL can see this" : `${people(reach)}${holders(reach, "link")} can see this`;

/** For example "2 people and anyone with the edit link can edit this". */
export const whoCanEdit = (reach: Reach): string =>
  `${reach.anyone ? "Anyone who is signed in" : people(reach)}${holders(reach, "edit link")} can edit this`;

function people({ people: count, morePeople }: Reach): string {
  if (morePeople) return `More than ${count} people`;
  return count === 1 ? "1 person" : `${count} people`;
}

function holders({ links, moreLinks }: Reach, what: string): string {
  if (moreLinks) return ` and anyone with one of its many active ${what}s`;
  if (links === 0) return "";
  return links === 1 ? ` and anyone with the ${what}` : ` and anyone with one of ${links} ${what}s`;
}
