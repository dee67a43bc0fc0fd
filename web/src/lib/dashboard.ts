// The types of the artifacts, projects and workspaces that the dashboard's components show.
import type { Actor } from "@plinth/contract/schemas/actor";
import { countedArtifacts } from "@plinth/contract/limits";
import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import type { BulkAction, BulkOutcome } from "./bulk-outcome.ts";
import type { Outcome } from "./form-outcome.ts";

/** What the dashboard's forms answer. */
export type DashboardForm =
  | Outcome<BulkAction, BulkOutcome>
  | Outcome<"rename" | "createProject" | "editProject" | "deleteProject" | "addDemo" | "favorite", unknown>
  | Outcome<"address", { path: string }>
  | null;

export interface DashboardArtifact {
  artifactId: string;
  path: string;
  projectSlug: string;
  slug: string;
  type: ArtifactType;
  title: string;
  version: number;
  isPublic: boolean;
  /** When its latest version was published, or it was created where the list is in that order. */
  time: string;
  /** Of the latest version, in words. */
  author: { kind: Actor["type"]; words: string };
  permissions: Artifact["permissions"];
  /** Of the visitor. */
  isFavorite: boolean;
}

export interface DashboardProject {
  projectId: string;
  slug: string;
  title: string;
  description: string | null;
  icon: string;
  artifactCount: number;
}

export interface DashboardWorkspace {
  slug: string;
  name: string;
  mayPublish: boolean;
  administers: boolean;
}

/** Whether one of the bar's actions is offered for it. */
export const isSelectable = ({ permissions }: DashboardArtifact, mayPublish: boolean): boolean =>
  permissions.manageAccess || permissions.delete || (permissions.edit && mayPublish);

/** How many artifacts a project has, as far as they are counted. */
export const countedTo = (count: number): string => (count < countedArtifacts ? String(count) : `${countedArtifacts}+`);
