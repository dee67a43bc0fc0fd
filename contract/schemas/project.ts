// The project, and the check whether a slug is free (docs/reference/contract.md §3).
import Type, { type Static } from "typebox";

import { countedArtifacts } from "../limits.ts";
import { Nullable } from "./shape.ts";
import { ProjectId, Time, Url, WorkspaceId } from "./text.ts";

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

export const Availability = Type.Object({
  available: Type.Boolean(),
  reason: Nullable(Type.Enum(["taken", "reserved", "invalid"])),
  suggestion: Nullable(Type.String()),
});
export type Availability = Static<typeof Availability>;

export const SlugPreview = Type.Object({ url: Url, slug: Type.String(), available: Type.Boolean() });
export type SlugPreview = Static<typeof SlugPreview>;
