// The refusal of a page that a member's role does not include: what is missing, and who can grant it.
import { pageLimit } from "@plinth/contract/limits";
import type { Workspace } from "@plinth/contract/schemas/account";
import { error, type RequestEvent } from "@sveltejs/kit";
import { errorTexts } from "#messages/errors.ts";
import { roleTexts } from "#messages/workspaces.ts";
import { clientOf } from "./api.ts";

/** So many admins are named. */
const namedAtMost = 3;

/** Ends in the error page for a member of the workspace; `requires` says what the page requires. */
export async function refuseRole(event: RequestEvent, workspace: Workspace, requires: string): Promise<never> {
  const { name, role, slug } = workspace;
  // Every workspace of the visitor has a role; only the operator reads one without.
  if (role === null) error(403, "Not for this role", { code: "forbidden", missing: requires });
  const admins = (await adminsOf(event, slug)).join(", ");
  const whom = errorTexts().missingRole({ role: roleTexts().withArticle[role], workspace: name, admins });
  error(403, "Not for this role", { code: "forbidden", missing: `${requires} ${whom}` });
}

/** Usernames that every member may see; none where the API does not say them now. */
async function adminsOf(event: RequestEvent, workspaceId: string): Promise<string[]> {
  try {
    const { members } = await clientOf(event).call("member.list", { workspaceId, limit: pageLimit.max });
    return members.flatMap((one) => (one.role === "admin" && one.username ? [one.username] : [])).slice(0, namedAtMost);
  } catch {
    // The page is refused all the same.
    return [];
  }
}
