// Project, and what is said about addresses still free (contract 3).
import Type, { type Static } from "typebox";

import { Nullable } from "./shape.ts";
import { Count, ProjectId, Time, Url, WorkspaceId } from "./text.ts";

export const Project = Type.Object({
  projectId: ProjectId,
  ownerUsername: Type.String(),
  workspaceId: WorkspaceId,
  slug: Type.String(),
  title: Type.String(),
  description: Nullable(Type.String()),
  icon: Type.String(),
  artifactCount: Count,
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
