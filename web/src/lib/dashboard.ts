// What the dashboard's components know of the things they show.
import { countedArtifacts } from "@plinth/contract/limits";
import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import type { BulkAction, BulkOutcome } from "./bulk-outcome.ts";
import type { Outcome } from "./form-outcome.ts";

/** What the dashboard's forms answer. */
export type DashboardForm =
  | Outcome<BulkAction, BulkOutcome>
  | Outcome<"rename" | "createProject" | "editProject" | "deleteProject" | "addDemo", unknown>
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
  /** When it last changed, or was made where the list goes by that. */
  time: string;
  author: { isPerson: boolean; label: string; onBehalfOf?: string };
  permissions: Artifact["permissions"];
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
