// Invites a person to a workspace by email address.
import { AppError } from "@plinth/contract/errors";
import { invitationDays } from "@plinth/contract/limits";
import type { Input } from "@plinth/contract/registry";
import type { Invitation } from "@plinth/contract/schemas/account";
import { newId } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { invitation, membership, user } from "@plinth/db/schema/accounts";
import { and, eq, sql } from "drizzle-orm";

import { actorOf } from "../access/principal.ts";
import type { WorkspaceRow } from "../access/resource.ts";
import { transact, type Context } from "../context.ts";
import { canonicalEmail } from "../email.ts";
import { lockFor, lockSeats } from "../plans/lock.ts";
import { requireSeat } from "../plans/seats.ts";
import { enqueue } from "../queue/outbox.ts";
import { record } from "../audit/audit.ts";
import { invitationUrl } from "../tokens/invitation-token.ts";
import { endInvitation, isPending, presentInvitation } from "./invitations.ts";

/**
 * Replaces a pending invitation of the same address: an admin who invites again wants another role, or has lost the
 * link.
 * @throws seat_limit_reached, email_conflict for a member's address
 */
export async function createInvitation(
  context: Context,
  { email: given, role }: Input<"invitation.create">,
  { workspaceId }: WorkspaceRow,
): Promise<Invitation> {
  const { config, call, principal } = context;
  const email = canonicalEmail(given);
  return transact(context, async (inside, db) => {
    const holder = await lockSeats(db, workspaceId);
    await lockFor(inside, workspaceId, "manageMembers");
    await requireSeat(db, holder, email, "invited");
    await requireNoMember(db, workspaceId, email);
    await endFormer(inside, workspaceId, email);
    const [row] = await db.orm
      .insert(invitation)
      .values({
        invitationId: newId("inv"),
        workspaceId,
        email,
        role,
        expiresAt: sql`now() + make_interval(days => ${invitationDays})`,
        invitedBy: actorOf(principal),
      })
      .returning();
    if (row === undefined) throw new Error("the invitation was not stored");
    const { invitationId, expiresAt } = row;
    await record(inside, {
      kind: "invitation.created",
      workspaceId,
      target: { type: "invitation", id: invitationId },
      after: { email, role, expiresAt: expiresAt.toISOString() },
    });
    if (config.mail !== null) await enqueue(db, "invitation-mail", { invitationId });
    const shown = presentInvitation({ ...row, isOver: false });
    return call.dryRun ? shown : { ...shown, url: invitationUrl(config, invitationId) };
  });
}

/** @throws email_conflict */
async function requireNoMember(db: Database, workspaceId: string, email: string): Promise<void> {
  const [member] = await db.orm
    .select({ userId: user.userId })
    .from(user)
    .innerJoin(membership, and(eq(membership.userId, user.userId), eq(membership.workspaceId, workspaceId)))
    .where(eq(sql`lower(${user.email})`, email));
  if (member === undefined) return;
  throw new AppError("email_conflict", "The person with this email address is already a member", {
    hint: "Change the member's role instead",
  });
}

async function endFormer(inside: Context, workspaceId: string, email: string): Promise<void> {
  const former = await inside.db.orm
    .select()
    .from(invitation)
    .where(and(eq(invitation.workspaceId, workspaceId), eq(invitation.email, email), isPending));
  for (const row of former) await endInvitation(inside, row);
}
