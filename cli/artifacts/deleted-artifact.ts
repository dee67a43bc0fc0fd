// Finds the deleted artifact of `owner/project/slug` in the trash, because deletion frees the address itself.
import { pageLimit } from "@plinth/contract/limits";
import type { Input } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";

import type { ArtifactPath } from "./artifact-name.ts";
import type { Context } from "../command/context.ts";
import { clientFailure, usage } from "../failure/failure.ts";

/** Pages of the trash that are read, 100 artifacts each. */
const mostPages = 100;

/** The identifier of the one deleted there; of the one that is there where none was. @throws Failure, ProblemError */
export async function deletedArtifactIdOf(path: ArtifactPath, context: Context): Promise<string> {
  if (context.settings.dryRun)
    throw usage("--dry-run sends nothing, and so cannot ask for the artifact's identifier", {
      hint: "Give the identifier",
      next: "plinth artifact list --deleted",
    });
  const client = await context.api();
  const found: Artifact[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const input: Input<"artifact.listMine"> = {
      deleted: true,
      limit: pageLimit.max,
      ...(cursor !== undefined && { cursor }),
    };
    const { artifacts, nextCursor } = await client.call("artifact.listMine", input);
    found.push(...artifacts.filter((one) => isAt(one, path)));
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  const [only, ...others] = found;
  if (only === undefined) return (await client.call("artifact.getByPath", path)).artifactId;
  if (others.length === 0) return only.artifactId;
  const all = found.map(({ artifactId, title }) => `${artifactId} ("${title}")`).join(", ");
  throw clientFailure("slug_conflict", `${found.length} deleted artifacts had that address: ${all}`, {
    hint: "Give the identifier of the one you want back",
    next: `plinth artifact undelete ${only.artifactId}`,
  });
}

const isAt = ({ ownerUsername, projectSlug, slug }: Artifact, path: ArtifactPath): boolean =>
  ownerUsername === path.owner && projectSlug === path.projectSlug && slug === path.slug;
