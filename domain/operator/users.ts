// Users made by the operator, each with a personal workspace (contract 1).
import { AppError } from "@plinth/contract/errors";
import { usernameLength } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";
import { newId } from "@plinth/db/columns";
import { violatedConstraint } from "@plinth/db/connection";
import { membership, user, workspace } from "@plinth/db/schema/accounts";
import { like } from "drizzle-orm";

import { isReserved, nextFree } from "../addresses.ts";
import type { Context } from "../context.ts";
import { canonicalEmail } from "../email.ts";
import { invalid } from "../input.ts";
import { record } from "../records/audit.ts";

/** @throws slug_conflict, email_conflict, invalid_request for a reserved name */
export async function createUser(
  context: Context,
  input: Input<"operator.createUser">,
): Promise<Output<"operator.createUser">> {
  const { username, name = null, plan = context.config.defaultPlan, emailVerified = true } = input;
  if (isReserved(username)) throw invalid([{ path: "username", message: "is reserved" }]);
  const userId = newId("usr");
  const workspaceId = newId("wsp");
  const email = canonicalEmail(input.email);
  try {
    await context.db.transaction(async (db) => {
      await db.orm.insert(user).values({ userId, email, emailVerified, name });
      const personal = { workspaceId, slug: username, name: name ?? username, kind: "personal" as const, plan };
      await db.orm.insert(workspace).values({ ...personal, personalOf: userId });
      await db.orm.insert(membership).values({ workspaceId, userId, role: "admin" });
      const inside = { ...context, db };
      await record(inside, {
        kind: "user.created",
        workspaceId,
        target: { type: "user", id: userId },
        after: { username, plan, emailVerified },
      });
      await record(inside, {
        kind: "workspace.created",
        workspaceId,
        target: { type: "workspace", id: workspaceId },
        after: { slug: username, kind: "personal", plan },
      });
    });
  } catch (error) {
    throw await taken(context, username, error);
  }
  return { userId, username, workspaceId, plan };
}

async function taken(context: Context, username: string, error: unknown): Promise<unknown> {
  const constraint = violatedConstraint(error);
  if (constraint === "user_email") return new AppError("email_conflict", "A user with this email address exists");
  if (constraint !== "workspace_slug") return error;
  const rows = await context.db.orm
    .select({ slug: workspace.slug })
    .from(workspace)
    .where(like(workspace.slug, `${username.slice(0, usernameLength.max - 8)}%`));
  const suggestion = nextFree(username, new Set(rows.map((row) => row.slug)), usernameLength.max);
  return new AppError("slug_conflict", `The name ${username} is taken`, { suggestion, hint: "Take another username" });
}
