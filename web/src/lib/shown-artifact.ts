// The fields of an artifact that its page shows and its menus act on.
import type { Artifact } from "@plinth/contract/schemas/artifact";

export type ShownArtifact = Pick<
  Artifact,
  "artifactId" | "ownerUsername" | "projectSlug" | "slug" | "title" | "latestVersion" | "url"
>;
