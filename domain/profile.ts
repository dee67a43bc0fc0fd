// The caller's own profile (contract 3).
import { entitlementsOf } from "@plinth/contract/plans";
import type { Profile } from "@plinth/contract/schemas/account";
import { scopes } from "@plinth/contract/scopes";

import { isPerson } from "./access/principal.ts";
import type { Context } from "./context.ts";

export function getProfile({ principal, plan: held }: Context): Profile {
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
