// Describes an invitation to the holder of its link before they accept: the inviter, the workspace and the role.
import type { Actor } from "@plinth/contract/schemas/actor";
import { invitation, workspace } from "@plinth/db/schema/accounts";
import { eq, getTableColumns, sql } from "drizzle-orm";

import { isPerson } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import type { JsonHandler } from "../json-handler.ts";
import { canonicalEmail } from "../email.ts";
import { openInvitation } from "../tokens/invitation-token.ts";
import { invitationUsed, statusOf } from "./invitations.ts";

/**
 * Only the invited person learns that the invitation was accepted; to other holders it looks the same as before.
 * @throws not_found for a token that is unknown, revoked or expired, all alike, and invitation_used
 */
export const describeInvitation: JsonHandler<"invitation.describe"> = async ({ db, config, principal }, { token }) => {
  const invitationId = openInvitation(config, token);
  if (invitationId === null) throw notFound();
  const [row] = await db.orm
    .select({
      ...getTableColumns(invitation),
      isOver: sql<boolean>`${invitation.expiresAt} <= now()`,
      workspaceName: workspace.name,
    })
    .from(invitation)
    .innerJoin(workspace, eq(workspace.workspaceId, invitation.workspaceId))
    .where(eq(invitation.invitationId, invitationId));
  if (row === undefined) throw notFound();
  const status = statusOf(row);
  if (status === "revoked" || status === "expired") throw notFound();
  const isForYou =
    isPerson(principal) && principal.heldTo === null ? canonicalEmail(principal.email) === row.email : null;
  if (status === "accepted" && isForYou === true) throw invitationUsed();
  return {
    workspaceName: row.workspaceName,
    invitedBy: inviterName(row.invitedBy),
    role: row.role,
    expiresAt: row.expiresAt.toISOString(),
    isForYou,
  };
};

/** The person, also where a login of theirs sent the invitation. */
const inviterName = ({ label, onBehalfOf }: Actor): string => onBehalfOf?.username || label;
