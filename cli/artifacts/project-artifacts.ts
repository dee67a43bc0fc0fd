// All artifacts of a project that the caller can see, and the project that a line is about.
import type { Client } from "@plinth/contract/client";
import type { Artifact } from "@plinth/contract/schemas/artifact";

import { eachItem } from "../request/list-pages.ts";

export interface ProjectName {
  /** The caller's own account where none is named. */
  readonly owner: string | undefined;
  readonly projectSlug: string;
}

/** Newest first. @throws ProblemError */
export async function projectArtifacts({ owner, projectSlug }: ProjectName, client: Client): Promise<Artifact[]> {
  const input = { owner: owner ?? (await ownName(client)), project: projectSlug };
  const artifacts: Artifact[] = [];
  for await (const artifact of eachItem(client, "artifact.list", input, "artifacts", () => {}))
    artifacts.push(artifact as Artifact);
  return artifacts;
}

export const ownName = async (client: Client): Promise<string> => (await client.call("profile.get", {})).username ?? "";
