// The columns of the schema that rows are made of: what is read of each resource, and what a new artifact is given. A
// column that the schema gets is in its row, so it is written down nowhere else.
import { columnsNamed, columnsWithout } from "@plinth/db/rows";
import { workspace } from "@plinth/db/schema/accounts";
import { artifact, fileSet, project, version } from "@plinth/db/schema/artifacts";

/** Without the columns of billing, which has its own statements. */
export const workspaceColumns = columnsWithout(
  workspace,
  "personalOf",
  "planGranted",
  "planBought",
  "seatsBought",
  "planKept",
  "planKeptUntil",
  "planHolderId",
);

export const projectColumns = {
  ...columnsWithout(project, "deletedAt"),
  ownerUsername: workspace.slug,
  plan: workspace.plan,
};

/** Of an artifact, without the columns that retention alone reads. */
export const shownColumns = {
  ...columnsWithout(artifact, "oldestSupersededAt", "prunedThrough"),
  ownerUsername: workspace.slug,
  projectSlug: project.slug,
  /** Of the latest version. */
  latestBy: version.createdBy,
  latestAt: version.createdAt,
};

export const keepingColumns = {
  plan: workspace.plan,
  planKept: workspace.planKept,
  planKeptUntil: workspace.planKeptUntil,
};

/** With the plans that decide its retention. */
export const artifactColumns = { ...shownColumns, ...keepingColumns };

/** A version is read with its artifact and its files, which have the others. */
export const versionColumns = columnsWithout(version, "artifactId", "fileSet");

export const fileSetColumns = { ...columnsWithout(fileSet, "artifactId", "fileCount"), count: fileSet.fileCount };

/** What a publish gives a new artifact. The other columns have their default, or the statement sets them. */
export const givenColumns = columnsNamed(
  artifact,
  "artifactId",
  "projectId",
  "workspaceId",
  "slug",
  "type",
  "title",
  "description",
  "sourcePath",
  "publicView",
  "publicEdit",
  "viewerEmails",
  "creatorId",
);
