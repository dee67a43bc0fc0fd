// The shared namespace of users, personal workspaces and teams: names that are taken, reserved names, and former names
// that still lead to their former owner.
import { AppError, type FieldError } from "@plinth/contract/errors";
import { formerNames, usernameLength } from "@plinth/contract/limits";
import { reservedNames } from "@plinth/contract/reserved-names";
import type { Database } from "@plinth/db/connection";
import { violatedConstraint } from "@plinth/db/connection";
import { formerName, workspace } from "@plinth/db/schema/accounts";
import { and, count, eq, gt, ne, sql } from "drizzle-orm";

import { among, nextFree } from "../addresses.ts";
import { transact, type Context } from "../context.ts";
import { invalid } from "../input.ts";

/** Validates a requested name of any kind of account (docs/reference/contract.md §2, "Limits"). */
export const nameProblems = (path: string, name: string | undefined): FieldError[] =>
  name !== undefined && reservedNames.has(name) ? [{ path, message: "is reserved" }] : [];

class HeldName extends Error {}

/**
 * Runs the statement that names a workspace in one transaction. It runs before the check of former names: the unique
 * index holds a name until its owner gives it up, and from then on it is a former name.
 * @throws slug_conflict
 */
export async function naming<Result extends { readonly workspaceId: string }>(
  context: Context,
  name: string,
  work: (inside: Context) => Promise<Result>,
): Promise<Result> {
  try {
    return await transact(context, async (inside, db) => {
      const result = await work(inside);
      await requireUnheld(db, result.workspaceId, name);
      return result;
    });
  } catch (error) {
    if (error instanceof HeldName || violatedConstraint(error) === "workspace_slug") throw await taken(context, name);
    throw error;
  }
}

/** A former name is its workspace's, which alone can take it back. */
async function requireUnheld(db: Database, workspaceId: string, name: string): Promise<void> {
  await db.orm.delete(formerName).where(and(eq(formerName.slug, name), eq(formerName.workspaceId, workspaceId)));
  const [held] = await db.orm.select().from(formerName).where(eq(formerName.slug, name));
  if (held !== undefined) throw new HeldName();
}

async function taken(context: Context, name: string): Promise<AppError> {
  const suggestion = await nextFree(
    name,
    async (candidates) => {
      const { orm } = context.db;
      const live = orm.select({ slug: workspace.slug }).from(workspace).where(among(workspace.slug, candidates));
      const former = orm.select({ slug: formerName.slug }).from(formerName).where(among(formerName.slug, candidates));
      return [...reservedNames, ...(await live.union(former)).map((row) => row.slug)];
    },
    usernameLength.max,
  );
  return new AppError("slug_conflict", `The name ${name} is taken`, { suggestion, hint: "Choose another name" });
}

/**
 * Keeps a name that a workspace gives up. Expects the workspace to be locked.
 * @throws invalid_request where it gave up as many lately, so that no user reserves names by the dozen
 */
export async function keepFormerName(
  db: Database,
  workspaceId: string,
  { former, next }: { readonly former: string; readonly next: string },
): Promise<void> {
  const others = and(eq(formerName.workspaceId, workspaceId), ne(formerName.slug, next));
  const [kept] = await db.orm
    .select({ names: count() })
    .from(formerName)
    .where(and(others, gt(formerName.since, sql`now() - make_interval(days => ${formerNames.days})`)));
  if ((kept?.names ?? 0) >= formerNames.max) {
    const message = `was changed ${formerNames.max} times in ${formerNames.days} days; go back to a former one or wait`;
    throw invalid([{ path: "username", message }]);
  }
  await db.orm.insert(formerName).values({ slug: former, workspaceId });
}
