// Whose an identity is. A user has one, and no email address ever leads from one to another: a known identity is its
// user, an unknown one becomes a new user, or that of a user whom the operator made and who has none yet.
import type { SignInError } from "@plinth/contract/sign-in-errors";
import { newId } from "@plinth/db/columns";
import { violatedConstraint, type Database } from "@plinth/db/connection";
import { user, workspace } from "@plinth/db/schema/accounts";
import { account } from "@plinth/db/schema/identity";
import { and, eq, sql } from "drizzle-orm";

import { recordAs } from "../audit/audit.ts";
import type { Identity } from "./identity.ts";

interface Resolved {
  readonly email: string;
  readonly name: string | null;
}

/** Of two that come at once with the same identity or address, the second finds what the first wrote. */
const attempts = 3;
const raced = new Set(["user_email", "account_identity", "account_user"]);

/** The user, made or bound where need be; or why not. */
export async function resolveIdentity(
  db: Database,
  identity: Identity,
  requestId: string,
): Promise<Resolved | SignInError> {
  for (let attempt = 1; ; attempt++) {
    const known = await findUser(db, identity);
    if (known !== undefined) return known;
    if (identity.email === null) return "email_invalid";
    if (!identity.emailVerified) return "email_unverified";
    const wanted = { ...identity, email: identity.email };
    try {
      return await db.transaction((tx) => admit(tx, wanted, requestId));
    } catch (error) {
      if (attempt === attempts || !raced.has(violatedConstraint(error) ?? "")) throw error;
    }
  }
}

async function findUser(db: Database, { providerId, accountId }: Identity): Promise<Resolved | undefined> {
  const [found] = await db.orm
    .select({ email: user.email, name: user.name })
    .from(account)
    .innerJoin(user, eq(user.userId, account.userId))
    .where(and(eq(account.providerId, providerId), eq(account.accountId, accountId)));
  return found;
}

type Wanted = Identity & { readonly email: string };

async function admit(db: Database, wanted: Wanted, requestId: string): Promise<Resolved | SignInError> {
  const [holder] = await db.orm
    .select({
      userId: user.userId,
      name: user.name,
      emailVerified: user.emailVerified,
      bound: account.accountId,
      at: account.providerId,
    })
    .from(user)
    .leftJoin(account, eq(account.userId, user.userId))
    .where(sql`lower(${user.email}) = ${wanted.email}`);
  if (holder === undefined) return signUp(db, wanted, requestId);
  // Another request of the same sign-up was faster.
  if (holder.bound === wanted.accountId && holder.at === wanted.providerId)
    return { email: wanted.email, name: holder.name };
  if (holder.bound !== null || !holder.emailVerified) return "email_taken";
  return bind(db, wanted, holder, requestId);
}

async function signUp(db: Database, wanted: Wanted, requestId: string): Promise<Resolved> {
  const { email, name, avatarUrl, providerId } = wanted;
  const userId = newId("usr");
  await db.orm.insert(user).values({ userId, email, emailVerified: true, name, avatarUrl });
  await insertAccount(db, userId, wanted);
  await recordAs(db, causeOf(userId, name, requestId), {
    kind: "user.created",
    workspaceId: null,
    target: { type: "user", id: userId },
    after: { provider: providerId, emailVerified: true },
  });
  return { email, name };
}

interface Holder {
  readonly userId: string;
  readonly name: string | null;
}

async function bind(db: Database, wanted: Wanted, { userId, name }: Holder, requestId: string): Promise<Resolved> {
  await insertAccount(db, userId, wanted);
  const [own] = await db.orm
    .select({ workspaceId: workspace.workspaceId, slug: workspace.slug })
    .from(workspace)
    .where(eq(workspace.personalOf, userId));
  await recordAs(db, causeOf(userId, own?.slug ?? name, requestId), {
    kind: "user.identity_bound",
    workspaceId: own?.workspaceId ?? null,
    target: { type: "user", id: userId },
    after: { provider: wanted.providerId },
  });
  return { email: wanted.email, name };
}

/** No token of the provider's is kept: nothing is ever asked in the person's name. */
const insertAccount = (db: Database, userId: string, { providerId, accountId }: Identity) =>
  db.orm.insert(account).values({ id: Bun.randomUUIDv7(), userId, providerId, accountId });

const causeOf = (userId: string, label: string | null, requestId: string) => ({
  // Never the email address: others see the label.
  actor: { type: "user" as const, id: userId, label: label ?? "Someone" },
  surface: "web" as const,
  requestId,
});
