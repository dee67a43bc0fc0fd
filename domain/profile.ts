// The caller's own profile (contract 3).
import { entitlements } from "@plinth/contract/plans";
import type { Profile } from "@plinth/contract/schemas/account";
import { scopes } from "@plinth/contract/scopes";

import { isPerson } from "./access/principal.ts";
import type { Context } from "./context.ts";

export function getProfile({ principal, plan: personalPlan }: Context): Profile {
  if (!isPerson(principal)) throw new Error("only people have a profile");
  const plan = personalPlan ?? "free";
  return {
    userId: principal.userId,
    username: principal.username,
    email: principal.email,
    emailVerified: principal.emailVerified,
    name: principal.name,
    avatarUrl: principal.avatarUrl,
    workspaceId: principal.personalWorkspaceId,
    plan,
    entitlements: entitlements[plan],
    credential: {
      type: principal.type === "user" ? "session" : principal.type,
      scopes: [...(principal.scopes ?? scopes)],
      label: principal.label,
    },
  };
}
