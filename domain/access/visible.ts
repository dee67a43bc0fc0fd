// The rules of decide.ts as SQL, for lists: which artifacts a principal may see. A test holds both together. And the
// rule of credentials, which only SQL says: which of them a principal may see and end.
import { countedArtifacts } from "@plinth/contract/limits";
import { uuidOf } from "@plinth/db/columns";
import { credential } from "@plinth/db/schema/accounts";
import { artifact, project } from "@plinth/db/schema/artifacts";
import { and, arrayContains, eq, gt, inArray, isNull, or, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

import { canonicalEmail } from "../email.ts";
import type { AccessContext } from "./call.ts";
import { administeredWorkspaces, isPerson, ownWorkspaces, type Person, type Principal } from "./principal.ts";

/**
 * One rule that makes artifacts visible. Each rule has its own index (newest.ts); with all rules in one condition,
 * PostgreSQL would scan the whole instance.
 */
export type VisibilityRule =
  /** A condition whose index has them newest first, or in no order. */
  | { readonly where: SQL; readonly isOrdered: boolean }
  /** Those with one of these in a column, whose index has them newest first for each. */
  | { readonly column: PgColumn; readonly ids: readonly string[] };

/** The rules that make artifacts visible to the caller, deleted ones apart: public, own, listed and linked artifacts. */
export function visibilityRules({ principal, grants }: Pick<AccessContext, "principal" | "grants">): VisibilityRule[] {
  return [publicRule, ownRule(principal), ...guestRules({ principal, grants })].filter((rule) => rule !== null);
}

/** The rules that make single artifacts visible to the caller: an allowlist, a share link. */
export const guestRules = ({ principal, grants }: Pick<AccessContext, "principal" | "grants">): VisibilityRule[] =>
  [allowlistRule(principal), shareLinkRule(grants)].filter((rule) => rule !== null);

/** Public artifacts. */
export const publicRule: VisibilityRule = { where: sql`${artifact.publicView}`, isOrdered: true };

/** Artifacts of the workspaces that the principal belongs to. */
export function ownRule(principal: Principal): VisibilityRule | null {
  return ruleBy(
    artifact.workspaceId,
    ownWorkspaces(principal).map((workspaceId) => uuidOf("wsp", workspaceId)),
  );
}

/** Artifacts whose allowlist names the principal. */
function allowlistRule(principal: Principal): VisibilityRule | null {
  if (!isPerson(principal) || !principal.emailVerified) return null;
  // Written as the index on it is, which leaves out the artifacts without an allowlist.
  const named = sql`cardinality(${artifact.viewerEmails}) > 0
    AND ${arrayContains(artifact.viewerEmails, [canonicalEmail(principal.email)])}`;
  const held = principal.heldTo === null ? sql`` : sql` AND ${eq(artifact.workspaceId, principal.heldTo)}`;
  return { where: sql`${named}${held}`, isOrdered: false };
}

/** Artifacts of share links. */
function shareLinkRule(grants: AccessContext["grants"]): VisibilityRule | null {
  return ruleBy(
    artifact.artifactId,
    grants.map(({ artifactId }) => uuidOf("art", artifactId)),
  );
}

const ruleBy = (column: PgColumn, ids: readonly string[]): VisibilityRule | null =>
  ids.length === 0 ? null : { column, ids };

export const conditionOf = (rule: VisibilityRule): SQL =>
  "where" in rule ? sql`(${rule.where})` : sql`${rule.column} = ANY (ARRAY(SELECT ${uuidsIn(rule.ids)}))`;

/** Whether the caller may read an artifact: the same rules as one condition, on rows that were found some other way. */
export function visibleArtifacts(context: Pick<AccessContext, "principal" | "grants">): SQL {
  const rules = visibilityRules(context).map(conditionOf);
  return sql`(${artifact.deletedAt} IS NULL AND (${sql.join(rules, sql` OR `)}))`;
}

/**
 * The number of artifacts that the caller can see in the project of the surrounding statement's row. Each rule is
 * counted by its own index and only up to the largest count that is shown, so a huge project costs no more. Private
 * artifacts of other workspaces are searched among those that an allowlist or a link shows the caller, which are few.
 */
export function visibleInProject({ principal, grants }: Pick<AccessContext, "principal" | "grants">): SQL {
  const kept = sql`${artifact.deletedAt} IS NULL`;
  const count = (more: SQL) => sql`(SELECT count(*) FROM (
      SELECT FROM ${artifact} WHERE ${artifact.projectId} = ${project.projectId} AND ${kept} AND ${more} ${countedAtMost}
    ) AS counted)`;
  const others = guestRules({ principal, grants }).map(conditionOf);
  const hidden = others.map(
    (rule) => sql`(SELECT ${artifact.artifactId}, ${artifact.projectId} FROM ${artifact}
      WHERE ${rule} AND ${kept} AND NOT ${artifact.publicView} OFFSET 0)`,
  );
  const own = ownWorkspaces(principal).map((workspaceId) => uuidOf("wsp", workspaceId));
  const ofOthers =
    hidden.length === 0
      ? count(sql`${artifact.publicView}`)
      : sql`least(${countedArtifacts}::int, ${count(sql`${artifact.publicView}`)} + (
        SELECT count(*) FROM (${sql.join(hidden, sql` UNION `)}) AS hidden WHERE hidden.project_id = ${project.projectId}))`;
  return sql`CASE WHEN ${project.workspaceId} = ANY (ARRAY(SELECT ${uuidsIn(own)}))
    THEN ${count(sql`${artifact.workspaceId} = ${project.workspaceId}`)}
    ELSE ${ofOthers} END`;
}

// Written into the text, since PostgreSQL plans for a tenth of the table where it does not know the number.
const countedAtMost = sql.raw(`LIMIT ${countedArtifacts}`);

/** A row for each id. Statements with any number of ids have the same text. */
export const uuidsIn = (ids: readonly string[]): SQL =>
  sql`json_array_elements_text(${JSON.stringify(ids)}::text::json)::uuid`;

/** Credentials that are not revoked yet, expired ones included. A rotated key has a revocation time in the future. */
export const notRevoked = (): SQL =>
  or(isNull(credential.revokedAt), gt(credential.revokedAt, sql`now()`)) ?? sql`false`;

/** Credentials without an expiry, or with one in the future. */
export const notExpired = (): SQL =>
  or(isNull(credential.expiresAt), gt(credential.expiresAt, sql`now()`)) ?? sql`false`;

/** The person's own credentials; to one that is held to a workspace, those alone that are held to it as well. */
export function ownCredentials({ userId, heldTo }: Person): SQL {
  const held = heldTo === null ? undefined : eq(credential.workspaceId, heldTo);
  return and(eq(credential.userId, userId), held) ?? sql`false`;
}

/** The person's own, and those held to the workspaces they administer. */
export function managedCredentials(person: Person): SQL {
  const administered = administeredWorkspaces(person);
  const held = administered.length === 0 ? undefined : inArray(credential.workspaceId, administered);
  return or(ownCredentials(person), held) ?? sql`false`;
}
