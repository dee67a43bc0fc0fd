// Determines the owner of the instance at every start: OWNER_EMAIL's user, else the oldest, else a new one, so that a
// sign-in link has a user.
import type { SignInLink } from "@plinth/contract/schemas/account";
import { newId } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { user, workspace } from "@plinth/db/schema/accounts";
import { asc, eq, sql } from "drizzle-orm";

import type { Config } from "../config.ts";
import { canonicalEmail } from "../email.ts";
import { recordAs, type Cause } from "../audit/audit.ts";
import { createLinkAtStart } from "./sign-in-links.ts";

export interface Owner {
  readonly userId: string;
  /** Of their personal workspace; null before they chose a username. */
  readonly workspaceId: string | null;
}

const atStart: Cause = {
  actor: { type: "system", id: "system", label: "System" },
  surface: "system",
  requestId: "start",
};
const unnamedOwner = "owner@localhost";

/** The address in OWNER_EMAIL; null where it is not set. */
const emailOf = ({ ownerEmail }: Config["identity"]): string | null =>
  ownerEmail === null ? null : canonicalEmail(ownerEmail);

/** The owner; null where OWNER_EMAIL is not set and people sign up through a provider. */
export async function settleOwner(db: Database, { identity }: Config): Promise<Owner | null> {
  const email = emailOf(identity);
  const found = await findOwner(db, email);
  if (found !== undefined) return found;
  if (email === null && identity.providers.length > 0) return null;
  await makeOwner(db, email ?? unnamedOwner);
  return (await findOwner(db, email)) ?? null;
}

/** Whether this user owns the instance: OWNER_EMAIL's user, or the oldest where it is not set. */
export async function ownsInstance(db: Database, { identity }: Config, userId: string): Promise<boolean> {
  return (await findOwner(db, emailOf(identity)))?.userId === userId;
}

/** The owner's one-time link. */
export const createOwnerLink = (db: Database, config: Config, owner: Owner): Promise<SignInLink> =>
  db.transaction((tx) => createLinkAtStart(tx, config, atStart, owner));

async function findOwner(db: Database, email: string | null): Promise<Owner | undefined> {
  const [found] = await db.orm
    .select({ userId: user.userId, workspaceId: workspace.workspaceId })
    .from(user)
    .leftJoin(workspace, eq(workspace.personalOf, user.userId))
    .where(email === null ? undefined : eq(sql`lower(${user.email})`, email))
    .orderBy(asc(user.createdAt), asc(user.userId))
    .limit(1);
  return found;
}

/** Once, however many processes start together. The first identity with the address is theirs (resolve.ts). */
async function makeOwner(db: Database, email: string): Promise<void> {
  await db.transaction(async (tx) => {
    const made = await tx.orm
      .insert(user)
      .values({ userId: newId("usr"), email, emailVerified: true })
      .onConflictDoNothing()
      .returning({ userId: user.userId });
    for (const { userId } of made) {
      await recordAs(tx, atStart, {
        kind: "user.created",
        workspaceId: null,
        target: { type: "user", id: userId },
        after: { emailVerified: true },
      });
    }
  });
}
