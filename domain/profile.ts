// The caller's own profile (docs/reference/contract.md §3).
import { eq, sql } from "drizzle-orm";
import { entitlementsOf } from "@plinth/contract/plans";
import { pageLimit } from "@plinth/contract/limits";
import type { Input } from "@plinth/contract/registry";
import type { Profile } from "@plinth/contract/schemas/account";
import { scopes } from "@plinth/contract/scopes";
import { newId } from "@plinth/db/columns";
import { user, workspace } from "@plinth/db/schema/accounts";

import { isPerson } from "./access/principal.ts";
import { transact, type Context } from "./context.ts";
import { listWorkspaces } from "./workspaces/list.ts";
import { callerRequest } from "./access/load-request.ts";
import { unauthenticated } from "./access/refusals.ts";
import { requireUnrestrictedPerson } from "./access/require.ts";
import { changedFields } from "./audit/changed-fields.ts";
import { ownsInstance } from "./identity/owner.ts";
import { record } from "./audit/audit.ts";
import { insertPersonal } from "./workspaces/create.ts";
import { keepFormerName, naming } from "./workspaces/names.ts";

/** Includes the caller's workspaces on request, so that a page that shows both needs one call. */
export async function getProfile(context: Context, input: Input<"profile.get">): Promise<Profile> {
  const profile = profileOf(context);
  if (input.workspaces !== true) return profile;
  const { workspaces } = await listWorkspaces(context, { limit: pageLimit.max }, null);
  return { ...profile, workspaces };
}

export function profileOf({ principal, plan: held }: Context): Profile {
  if (!isPerson(principal)) throw new Error("only people have a profile");
  const { plan, seatsBought } = held ?? { plan: "free", seatsBought: null };
  return {
    userId: principal.userId,
    username: principal.username,
    email: principal.email,
    emailVerified: principal.emailVerified,
    name: principal.name,
    avatarUrl: principal.avatarUrl,
    workspaceId: principal.personalWorkspaceId,
    plan,
    entitlements: entitlementsOf(plan, seatsBought),
    credential: {
      type: principal.type === "user" ? "session" : principal.type,
      scopes: [...(principal.scopes ?? scopes)],
      label: principal.label,
    },
  };
}

/** @throws slug_conflict, invalid_request where the username was changed too often, forbidden */
export async function updateProfile(context: Context, { username, name }: Input<"profile.update">): Promise<Profile> {
  const { userId } = requireUnrestrictedPerson(context);
  if (username === undefined) {
    await transact(context, async (inside) => {
      await setPersonal(inside, userId, await setName(inside, userId, name));
    });
  } else {
    await naming(context, username, async (inside) =>
      setUsername(inside, userId, await setName(inside, userId, name), username),
    );
  }
  const { person, personalPlan } = await context.load("nothing", callerRequest(context.call));
  if (person === null) throw unauthenticated("The credential is not valid");
  const profile = profileOf({ ...context, principal: person, plan: personalPlan });
  if (username === undefined) return profile;
  return { ...profile, ownsInstance: await ownsInstance(context.db, context.config, userId) };
}

/** Returns the user's name, and changes it where another is given. Locks the user's row against a concurrent change. */
async function setName({ db }: Context, userId: string, wanted: string | undefined): Promise<string | null> {
  const [row] = await db.orm
    .update(user)
    .set({ updatedAt: sql`now()`, ...(wanted === undefined ? {} : { name: wanted }) })
    .where(eq(user.userId, userId))
    .returning({ name: user.name });
  if (row === undefined) throw new Error("the user is gone");
  return row.name;
}

type Personal = typeof workspace.$inferSelect;

/** Expects to run in `naming`. */
async function setUsername(inside: Context, userId: string, name: string | null, slug: string): Promise<Personal> {
  const own = await setPersonal(inside, userId, name, slug);
  if (own !== null) return own;
  const { defaultPlan: plan } = inside.config;
  return insertPersonal(inside, userId, { workspaceId: newId("wsp"), slug, name: name ?? slug, plan });
}

/** Renames the personal workspace; null where there is none. */
async function setPersonal(
  inside: Context,
  userId: string,
  name: string | null,
  username?: string,
): Promise<Personal | null> {
  const { db } = inside;
  const [own] = await db.orm.select().from(workspace).where(eq(workspace.personalOf, userId)).for("no key update");
  if (own === undefined) return null;
  const { workspaceId } = own;
  const slug = username ?? own.slug;
  const { before, after, changed } = changedFields(own, { slug, name: name ?? slug });
  if (!changed) return own;
  if (slug !== own.slug) await keepFormerName(db, workspaceId, { former: own.slug, next: slug });
  const [row] = await db.orm.update(workspace).set(after).where(eq(workspace.workspaceId, workspaceId)).returning();
  const target = { type: "workspace", id: workspaceId };
  await record(inside, { kind: "workspace.updated", workspaceId, target, before, after });
  return row ?? own;
}
