// The documents of a project that were published from a folder, in the order in which they are read.
import { treeDocuments } from "@plinth/contract/limits";
import { compareInReadingOrder } from "@plinth/contract/publishing/reading-order";
import type { Output } from "@plinth/contract/registry";
import type { ProjectDocument } from "@plinth/contract/schemas/project";
import { artifact } from "@plinth/db/schema/artifacts";
import { eq, isNotNull, isNull, sql } from "drizzle-orm";

import type { ShownArtifact } from "../access/resource.ts";
import { visibilityRules } from "../access/visible.ts";
import { newestBy } from "./newest.ts";
import { artifactUrl } from "./present.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { getProject } from "../projects/present.ts";

/** One statement. Of more documents than a tree has, the newest. */
export const listDocuments: JsonHandler<"project.documents"> = async (context, _input, project) => {
  return inReadingOrder(context, { ...project, projectSlug: project.slug });
};

/** For its page also with its documents. */
export const getProjectByPath: JsonHandler<"project.getByPath"> = async (context, input, project) => {
  const address = `${project.ownerUsername}/${project.slug}`;
  const shown = {
    ...(await getProject(context, input, project)),
    ...(address !== `${input.owner}/${input.projectSlug}` && { movedTo: address }),
  };
  return input.withDocuments === true ? { ...shown, documents: await listDocuments(context, input, project) } : shown;
};

/** The documents before and after one of them; undefined where it is the only one, or of no folder. */
export async function neighboursOf(
  context: Context,
  artifact: ShownArtifact,
): Promise<Output<"artifact.getByPath">["neighbours"]> {
  if (artifact.sourcePath === null) return undefined;
  const { documents } = await inReadingOrder(context, artifact);
  const at = documents.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  if (at < 0 || documents.length < 2) return undefined;
  const linkTo = (document: ProjectDocument | undefined) =>
    document === undefined ? null : { title: document.title, url: document.url };
  return { previous: linkTo(documents[at - 1]), next: linkTo(documents[at + 1]) };
}

/** Those that the caller can see, the newest of more than a tree has. */
async function inReadingOrder(
  context: Context,
  place: Pick<ShownArtifact, "projectId" | "ownerUsername" | "projectSlug">,
): Promise<Output<"project.documents">> {
  const conditions = [
    eq(artifact.projectId, place.projectId),
    isNull(artifact.deletedAt),
    isNotNull(artifact.sourcePath),
  ];
  const ids = newestBy(visibilityRules(context), conditions, treeDocuments + 1);
  const { artifactId, slug, type, title, sourcePath } = artifact;
  const rows = await context.db.orm
    .select({ artifactId, slug, type, title, sourcePath })
    .from(sql`(${ids}) AS listed`)
    .innerJoin(artifact, eq(artifactId, sql`listed.artifact_id`))
    .orderBy(sql`listed.artifact_id DESC`);
  const documents = rows
    .slice(0, treeDocuments)
    .map((row): ProjectDocument => ({
      ...row,
      sourcePath: row.sourcePath ?? "",
      url: artifactUrl(context, { ...place, slug: row.slug }),
    }))
    .toSorted((one, other) => compareInReadingOrder(one.sourcePath, other.sourcePath));
  return { documents, isWhole: rows.length <= treeDocuments };
}
