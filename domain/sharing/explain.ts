// Explains why a person has access or not: the matching rules of the decision, in plain words. About a person without
// access it says nothing, so that it does not disclose whether an account exists.
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { AccessExplanation } from "@plinth/contract/schemas/artifact";
import { shareLink } from "@plinth/db/schema/artifacts";
import { and, eq, sql } from "drizzle-orm";

import { artifactGrounds, type Rule } from "../access/decide.ts";
import { roleIn, type Person } from "../access/principal.ts";
import type { ArtifactRow } from "../access/resource.ts";
import { personByEmail } from "../access/load-caller.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { canonicalEmail } from "../email.ts";

// The condition for live share links in Drizzle's queries: neither revoked nor expired, by the database's clock.
export const isLive = sql`(${shareLink.revokedAt} IS NULL
  AND (${shareLink.expiresAt} IS NULL OR ${shareLink.expiresAt} > now()))`;

type Reason = AccessExplanation["because"][number];

export const explainAccess: JsonHandler<"access.explain"> = async ({ db }, input, artifact) => {
  const email = canonicalEmail(input.email);
  const person = await personByEmail(db, email);
  const grounds = artifactGrounds(person, artifact);
  const permitted = new Set(grounds.flatMap(({ permissions }) => permissions));
  const canView = permitted.has("read");
  return {
    email,
    canView,
    canEdit: permitted.has("update"),
    because: canView
      ? grounds
          .filter(({ permissions }) =>
            permissions.some((permission) => permission === "read" || permission === "update"),
          )
          .map(({ rule }) => ({ rule, detail: sentences[rule](person, artifact) }))
      : [withoutGround(person, artifact, await countLiveLinks(db, artifact.artifactId))],
  };
};

const roleNames: Readonly<Record<WorkspaceRole, string>> = {
  admin: "an admin",
  member: "a member",
  viewer: "a viewer",
  billing_admin: "a billing admin",
};

const sentences: Readonly<Record<Rule, (person: Person, artifact: ArtifactRow) => string>> = {
  role(person, { workspaceId, ownerUsername }) {
    const role = roleIn(person, workspaceId);
    if (person.personalWorkspaceId === workspaceId || role === null) return "It is in their own workspace";
    return `They are ${roleNames[role]} of ${ownerUsername}`;
  },
  creator: () => "They made it",
  public_view: () => "Anyone with the URL can see it",
  public_edit: () => "Anyone who is signed in can edit it",
  allowlist: () => "Their address is on the allowlist; they sign in with it verified",
  share_link: () => "They hold a share link",
};

function withoutGround(person: Person, artifact: ArtifactRow, liveLinks: number): Reason {
  const byLink = linksAlone(liveLinks);
  if (artifact.viewerEmails.includes(canonicalEmail(person.email))) {
    const detail = "Their address is on the allowlist, but it is not verified for their account";
    return { rule: "unverified_email", detail: `${detail}${byLink}` };
  }
  const place = `a member of ${artifact.ownerUsername}`;
  return { rule: "not_listed", detail: `They are neither ${place} nor on the allowlist, and it is private${byLink}` };
}

function linksAlone(count: number): string {
  if (count === 0) return "; no share link is open";
  return count === 1
    ? "; 1 share link gives access to anyone who has it"
    : `; ${count} share links give access to anyone who has one of them`;
}

const countLiveLinks = (db: Context["db"], artifactId: string): Promise<number> =>
  db.orm.$count(shareLink, and(eq(shareLink.artifactId, artifactId), isLive));
