// The caller's own profile (docs/reference/contract.md §3).
import { entitlementsOf } from "@plinth/contract/plans";
import { pageLimit } from "@plinth/contract/limits";
import type { Input } from "@plinth/contract/registry";
import type { Profile } from "@plinth/contract/schemas/account";
import { scopes } from "@plinth/contract/scopes";

import { isPerson } from "./access/principal.ts";
import type { Context } from "./context.ts";
import { listWorkspaces } from "./workspaces/list.ts";

/** Includes the caller's workspaces on request, so that a page that shows both needs one call. */
export async function getProfile(context: Context, input: Input<"profile.get">): Promise<Profile> {
  const profile = profileOf(context);
  if (input.workspaces !== true) return profile;
  const { workspaces } = await listWorkspaces(context, { limit: pageLimit.max });
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
