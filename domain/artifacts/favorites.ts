// A person's favorites, and what others share with them: each list has only what its reader may see at that moment.
import { AppError } from "@plinth/contract/errors";
import type { Input, Output } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";
import { artifact as artifacts, favorite } from "@plinth/db/schema/artifacts";
import { and, eq, isNull, not, sql, type SQL } from "drizzle-orm";

import { isPerson, type Principal, requirePerson } from "../access/principal.ts";
import type { ArtifactRow } from "../access/resource.ts";
import { conditionOf, guestRules, ownRule, visibleArtifacts } from "../access/visible.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { artifactPage } from "./artifact-page.ts";
import { everyOf } from "./newest.ts";
import { placed } from "./ordered.ts";

/** A list looks at so many favorites at most, those that were added last. */
const listedAtMost = 1_000;

export const addFavorite: JsonHandler<"favorite.add"> = async ({ db, principal }, _input, { artifactId }) => {
  await db.orm
    .insert(favorite)
    .values({ userId: accountOf(principal), artifactId })
    .onConflictDoNothing();
  return {};
};

export const removeFavorite: JsonHandler<"favorite.remove"> = async ({ db, principal }, _input, { artifactId }) => {
  await db.orm
    .delete(favorite)
    .where(and(eq(favorite.userId, accountOf(principal)), eq(favorite.artifactId, artifactId)));
  return {};
};

/** Whether the artifact is a favorite of the caller. */
export async function isFavorite({ db, principal }: Context, { artifactId }: ArtifactRow): Promise<boolean> {
  if (!isPerson(principal)) return false;
  const mine = and(eq(favorite.userId, principal.userId), eq(favorite.artifactId, artifactId));
  return (await db.orm.select({ artifactId: favorite.artifactId }).from(favorite).where(mine)).length > 0;
}

/** @throws invalid_request for a cursor that is not of this list */
export function listFavorites(context: Context, input: Input<"favorite.list">): Promise<Output<"favorite.list">> {
  const user = uuidOf("usr", requirePerson(context.principal).userId);
  const mine = sql`${artifacts.artifactId} = ANY (ARRAY(
    SELECT ${favorite.artifactId} FROM ${favorite} WHERE ${favorite.userId} = ${user}
    ORDER BY ${favorite.createdAt} DESC LIMIT ${sql.raw(String(listedAtMost))}))`;
  return listed(context, input, [mine, visibleArtifacts(context)]);
}

/** @throws invalid_request for a cursor that is not of this list */
export const listSharedArtifacts: JsonHandler<"artifact.listShared"> = async (context, input) => {
  const rules = guestRules(context).map(conditionOf);
  if (rules.length === 0) return { artifacts: [], nextCursor: null };
  const own = ownRule(context.principal);
  return listed(context, input, [
    sql`(${sql.join(rules, sql` OR `)})`,
    isNull(artifacts.deletedAt),
    ...(own === null ? [] : [not(conditionOf(own))]),
  ]);
};

const listed = (context: Context, input: Input<"favorite.list">, conditions: readonly SQL[]) =>
  artifactPage(context, input, "updated", (after, count) => placed(everyOf(conditions), "updated", after, count));

/** The holder of a share link alone has no account to keep it for. @throws forbidden */
function accountOf(principal: Principal): string {
  if (!isPerson(principal))
    throw new AppError("forbidden", "A share link alone cannot make an artifact a favorite", {
      hint: "Ask the person who shared this with you to give your account access",
    });
  return principal.userId;
}
