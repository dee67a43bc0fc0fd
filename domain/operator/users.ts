// Users made by the operator, each with a personal workspace (docs/reference/contract.md §1).
import { AppError } from "@plinth/contract/errors";
import { newId } from "@plinth/db/columns";
import { violatedConstraint } from "@plinth/db/connection";
import { user } from "@plinth/db/schema/accounts";

import type { JsonHandler } from "../json-handler.ts";
import { canonicalEmail } from "../email.ts";
import { record } from "../audit/audit.ts";
import { insertPersonal } from "../workspaces/create.ts";
import { naming } from "../workspaces/names.ts";

/** @throws slug_conflict, email_conflict */
export const createUser: JsonHandler<"operator.createUser"> = async (context, input) => {
  const { username, name = null, plan = context.config.defaultPlan, emailVerified = true } = input;
  const userId = newId("usr");
  const workspaceId = newId("wsp");
  const email = canonicalEmail(input.email);
  try {
    await naming(context, username, async (inside) => {
      await inside.db.orm.insert(user).values({ userId, email, emailVerified, name });
      await record(inside, {
        kind: "user.created",
        workspaceId,
        target: { type: "user", id: userId },
        after: { username, plan, emailVerified },
      });
      return insertPersonal(inside, userId, { workspaceId, slug: username, name: name ?? username, plan });
    });
  } catch (error) {
    if (violatedConstraint(error) !== "user_email") throw error;
    throw new AppError("email_conflict", "A user with this email address exists");
  }
  return { userId, username, workspaceId, plan };
};
