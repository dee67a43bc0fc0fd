// The project, and the check whether a slug is free (docs/reference/contract.md §3).
import Type, { type Static } from "typebox";

import { countedArtifacts, treeDocuments } from "../limits.ts";
import { ArtifactType } from "./artifact.ts";
import { FilePath } from "./file.ts";
import { Nullable } from "./shape.ts";
import { ArtifactId, ProjectId, Time, Url, WorkspaceId } from "./text.ts";

export const Project = Type.Object({
  projectId: ProjectId,
  ownerUsername: Type.String(),
  workspaceId: WorkspaceId,
  slug: Type.String(),
  title: Type.String(),
  description: Nullable(Type.String()),
  icon: Type.String(),
  artifactCount: Type.Integer({
    minimum: 0,
    maximum: countedArtifacts,
    description: `How many artifacts of it the caller may see; ${countedArtifacts} stands for so many or more`,
  }),
  url: Url,
  createdAt: Time,
  updatedAt: Time,
});
export type Project = Static<typeof Project>;

export const ProjectDocument = Type.Object({
  artifactId: ArtifactId,
  slug: Type.String(),
  type: ArtifactType,
  title: Type.String(),
  sourcePath: FilePath,
  url: Url,
});
export type ProjectDocument = Static<typeof ProjectDocument>;

// Written out: Type.Pick would bring all of TypeBox's type engine into the command line.
export const DocumentLink = Type.Object({ title: Type.String(), url: Url });

export const ProjectDocuments = Type.Object({
  documents: Type.Array(ProjectDocument, { description: "In the order in which they are read" }),
  isWhole: Type.Boolean({ description: `False where the project has more than ${treeDocuments} of them` }),
});

export const FormerAddresses = Type.Object({
  formerAddresses: Type.Array(
    Type.Object({ address: Type.String({ description: "Without the host" }), url: Url, since: Time }),
    { description: "The latest first" },
  ),
});

export const Availability = Type.Object({
  available: Type.Boolean(),
  reason: Nullable(Type.Enum(["taken", "reserved", "invalid"])),
  suggestion: Nullable(Type.String()),
});
export type Availability = Static<typeof Availability>;

export const SlugPreview = Type.Object({ url: Url, slug: Type.String(), available: Type.Boolean() });
export type SlugPreview = Static<typeof SlugPreview>;
