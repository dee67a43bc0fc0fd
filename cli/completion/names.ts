// The names that completion offers from the instance: projects, and artifacts by their addresses.
import { pageLimit } from "@plinth/contract/limits";

import type { Context } from "../command/context.ts";
import type { NameKind } from "./tables.ts";

/** At most one page: a person does not choose from more. @throws Failure, ProblemError */
export async function namesOf(kind: NameKind, prefix: string, context: Context): Promise<string[]> {
  const client = await context.api();
  const limit = pageLimit.max;
  const names = async (): Promise<string[]> => {
    if (kind === "artifact") {
      const [owner, project] = prefix.split("/").length === 3 ? prefix.split("/") : [];
      const { artifacts } =
        owner && project
          ? await client.call("artifact.list", { owner, project, limit })
          : await client.call("artifact.listMine", { limit });
      return artifacts.map(({ ownerUsername, projectSlug, slug }) => `${ownerUsername}/${projectSlug}/${slug}`);
    }
    const { projects } = await client.call("project.listMine", { limit });
    return projects.map(({ ownerUsername, slug }) => (kind === "project" ? `${ownerUsername}/${slug}` : slug));
  };
  // A shell puts them on the line as they are.
  return [...new Set(await names())].filter((name) => name.startsWith(prefix) && /^[a-z0-9/-]+$/.test(name));
}
