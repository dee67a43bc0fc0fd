// Accepting an invitation: by its token, once, as the person it is for.
import { AppError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";
import type { Workspace } from "@plinth/contract/schemas/account";
import { invitation } from "@plinth/db/schema/accounts";
import { eq, sql } from "drizzle-orm";

import type { Person } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import { requireUnrestrictedPerson } from "../access/require.ts";
import { transact, type Context } from "../context.ts";
import { canonicalEmail } from "../email.ts";
import { findRole, lockSeats, lockWorkspace } from "../plans/lock.ts";
import { requireSeat } from "../plans/seats.ts";
import { record } from "../audit/audit.ts";
import { openInvitation } from "../tokens/invitation-token.ts";
import { invitationUsed, lockInvitation, statusOf, type InvitationRow } from "./invitations.ts";
import { addMember } from "./members.ts";
import { presentWorkspace } from "./present.ts";

/**
 * An existing member keeps their role.
 * @throws not_found for a token that opens nothing (any more), forbidden, invitation_used, seat_limit_reached
 */
export async function acceptInvitation(context: Context, { token }: Input<"invitation.accept">): Promise<Workspace> {
  const person = requireUnrestrictedPerson(context);
  const { userId } = person;
  const invitationId = openInvitation(context.config, token);
  if (invitationId === null) throw notFound();
  return transact(context, async (inside, db) => {
    const workspaceId = await placeOf(inside, invitationId);
    const holder = await lockSeats(db, workspaceId);
    const place = await lockWorkspace(db, workspaceId);
    const invited = await lockInvitation(db, invitationId);
    if (invited === null) throw notFound();
    requireInvited(person, invited);

    const role = (await findRole(db, workspaceId, userId)) ?? invited.role;
    await requireSeat(db, holder, invited.email, "joining");
    await db.orm
      .update(invitation)
      .set({ acceptedAt: sql`now()`, acceptedBy: userId })
      .where(eq(invitation.invitationId, invitationId));
    await record(inside, {
      kind: "invitation.accepted",
      workspaceId,
      target: { type: "invitation", id: invitationId },
      after: { userId, role },
    });
    await addMember(inside, place, userId, role);
    return presentWorkspace(db, place, role);
  });
}

/** @throws not_found */
async function placeOf({ db }: Context, invitationId: string): Promise<string> {
  const [row] = await db.orm
    .select({ workspaceId: invitation.workspaceId })
    .from(invitation)
    .where(eq(invitation.invitationId, invitationId));
  if (row === undefined) throw notFound();
  return row.workspaceId;
}

/**
 * Another holder of the link learns only that it is not for them: not the address, nor whether it was used.
 * @throws not_found, forbidden, invitation_used
 */
function requireInvited({ email, emailVerified }: Person, invited: InvitationRow): void {
  const status = statusOf(invited);
  if (status === "revoked" || status === "expired") throw notFound();
  if (canonicalEmail(email) !== invited.email) {
    throw new AppError("forbidden", "The invitation is for a different email address than the one you signed in with", {
      hint: "Sign in with the address it was sent to, or ask for an invitation to your address",
    });
  }
  if (!emailVerified) {
    throw new AppError("forbidden", "Your email address is not verified", {
      hint: "Sign in through an identity provider that has verified it",
    });
  }
  if (status === "accepted") throw invitationUsed();
}
