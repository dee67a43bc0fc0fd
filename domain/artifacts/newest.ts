// The identifiers of the newest artifacts that a caller may see, as part of a statement. What it costs must not depend
// on how much there is that they may not see, nor on what PostgreSQL believes about the tables: each rule of access is
// followed by its own index, newest first, and only so far as a page needs.
import { artifact, project } from "@plinth/db/schema/artifacts";
import { workspace } from "@plinth/db/schema/accounts";
import { sql, type SQL } from "drizzle-orm";

import { uuidsIn, type VisibilityRule } from "../access/visible.ts";

export const all = (conditions: readonly SQL[]): SQL => sql.join([...conditions], sql` AND `);
// Written into the text, since PostgreSQL plans for a tenth of the table where it does not know the number.
export const first = (count: number): SQL => sql.raw(`LIMIT ${count}`);

export const workspaceOf = (owner: string): SQL =>
  sql`(SELECT ${workspace.workspaceId} FROM ${workspace} WHERE ${workspace.slug} = ${owner})`;

export const ofOwner = (owner: string): SQL => sql`${artifact.workspaceId} = ${workspaceOf(owner)}`;

/** In the one project of an owner with that slug: every rule's index has the newest of one project too. */
export const ofProject = (slug: string, owner: string): SQL => sql`${artifact.projectId} = ${projectOf(slug, owner)}`;

export const projectOf = (slug: string, owner: string): SQL => sql`(
    SELECT ${project.projectId} FROM ${project}
    WHERE ${project.slug} = ${slug} AND ${project.workspaceId} = ${workspaceOf(owner)} AND ${project.deletedAt} IS NULL)`;

/** In the projects with that slug, whosever they are. */
export const ofProjects = (slug: string): SQL => sql`${artifact.projectId} = ANY (ARRAY(${projectsOf(slug)}))`;

export const projectsOf = (slug: string): SQL =>
  sql`SELECT ${project.projectId} FROM ${project} WHERE ${project.slug} = ${slug}`;

/** Created by the person with that username, or by a key or an agent of theirs. */
export const ofAuthor = (username: string): SQL => sql`${artifact.creatorId} = ${personOf(username)}`;

export const personOf = (username: string): SQL =>
  sql`(SELECT ${workspace.personalOf} FROM ${workspace} WHERE ${workspace.slug} = ${username})`;

/** Each rule's newest, then the newest of those. */
export function newestBy(rules: readonly VisibilityRule[], conditions: readonly SQL[], count: number): SQL {
  const walks = rules.map((rule) => {
    const newest = (where: SQL) => sql`SELECT ${artifact.artifactId} FROM ${artifact}
      WHERE ${all([where, ...conditions])} ORDER BY ${artifact.artifactId} DESC ${first(count)}`;
    if ("where" in rule)
      return sql`(${rule.isOrdered ? newest(rule.where) : newestOf([rule.where], conditions, count)})`;
    return sql`(SELECT n.artifact_id FROM (SELECT ${uuidsIn(rule.ids)} AS id) AS named
      CROSS JOIN LATERAL (${newest(sql`${rule.column} = named.id`)}) AS n)`;
  });
  return sql`SELECT artifact_id FROM (${sql.join(walks, sql` UNION ALL `)}) AS walked
    GROUP BY artifact_id ORDER BY artifact_id DESC ${first(count)}`;
}

/**
 * The newest of a few that are all looked up, where no index has them newest first: those of all projects of a name, say.
 * Only the first conditions find them; for any other PostgreSQL might look all of a large project up beside.
 */
export function newestOf(few: readonly SQL[], conditions: readonly SQL[], count: number): SQL {
  // OFFSET 0 keeps those out of it, and order and limit, for which PostgreSQL might walk all artifacts instead.
  return sql`SELECT artifact_id FROM (SELECT * FROM ${artifact} WHERE ${all(few)} OFFSET 0) AS artifact
    ${conditions.length === 0 ? sql`` : sql`WHERE ${all(conditions)}`} ORDER BY artifact_id DESC ${first(count)}`;
}

/** All of a few, in no order. */
export const everyOf = (few: readonly SQL[]): SQL =>
  sql`SELECT artifact_id FROM (SELECT * FROM ${artifact} WHERE ${all(few)} OFFSET 0) AS artifact`;
