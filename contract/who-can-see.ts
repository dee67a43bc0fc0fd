// Describes who can see and edit an artifact, for a person who manages its access. The sentence is composed from the
// access object, the workspace's members and the share links. The domain decides the actual access.
import type { WorkspaceRole } from "./roles.ts";
import type { Access } from "./schemas/artifact.ts";
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

/** For example "3 people and anyone with the link can see this". */
export function whoCanSee({ access, members, moreMembers, shareLinks, moreLinks }: Audience, now: Date): string {
  if (access.publicView) return "Anyone with the address can see this";
  // An address may be on the allowlist and belong to a member as well.
  const emails = [...members.map(({ email }) => email.toLowerCase()), ...access.viewerEmails];
  const links = shareLinks.filter((link) => shareLinkState(link, now) === "open");
  return `${people(new Set(emails).size, moreMembers)}${holders(links.length, "link", moreLinks)} can see this`;
}

/** For example "2 people and anyone with the editor link can edit this". */
export function whoCanEdit({ access, members, moreMembers, shareLinks, moreLinks }: Audience, now: Date): string {
  const links = shareLinks.filter((link) => link.role === "editor" && shareLinkState(link, now) === "open");
  const editors = members.filter(({ role }) => editingRoles.has(role));
  const signedIn = access.publicView && access.publicEdit ? "Anyone who is signed in" : null;
  return `${signedIn ?? people(editors.length, moreMembers)}${holders(links.length, "editor link", moreLinks)} can edit this`;
}

function people(count: number, more = false): string {
  if (more) return `More than ${count} people`;
  return count === 1 ? "1 person" : `${count} people`;
}

function holders(links: number, what: string, more = false): string {
  if (more) return ` and anyone with one of its many active ${what}s`;
  if (links === 0) return "";
  return links === 1 ? ` and anyone with the ${what}` : ` and anyone with one of ${links} ${what}s`;
}
