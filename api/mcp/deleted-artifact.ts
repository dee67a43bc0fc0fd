// `undelete_artifact` by the address that the artifact had: its deletion freed the address, so that the list of what was
// deleted is looked at.
import type { Output } from "@plinth/contract/registry";
import { pageLimit } from "@plinth/contract/limits";
import { invalid } from "@plinth/domain/input";

import type { Arguments } from "./arguments.ts";
import { perform, type Exchange } from "./exchange.ts";

/** Pages of the list that are read. */
const mostPages = 10;

/** The arguments with the identifier of the one that was deleted at the address, where an address is given. @throws AppError */
export async function withDeletedId(exchange: Exchange, given: Arguments): Promise<Arguments> {
  const { artifactId } = given.input;
  const [owner, project, slug, ...more] = typeof artifactId === "string" ? artifactId.toLowerCase().split("/") : [];
  if (slug === undefined || more.length > 0 || given.errors.length > 0) return given;
  const found: Output<"artifact.listMine">["artifacts"] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const input = { deleted: true, limit: pageLimit.max, ...(cursor !== null && { cursor }) };
    const { value } = await perform(exchange, "artifact.listMine", { input, errors: [] });
    const { artifacts, nextCursor } = value as Output<"artifact.listMine">;
    found.push(
      ...artifacts.filter((one) => one.ownerUsername === owner && one.projectSlug === project && one.slug === slug),
    );
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  const [only, ...others] = found;
  // Then the address names what is there, or nothing.
  if (only === undefined) return given;
  if (others.length === 0) return { ...given, input: { ...given.input, artifactId: only.artifactId } };
  const all = found.map(({ artifactId: id, title }) => `${id} (${JSON.stringify(title)})`).join(", ");
  throw invalid([{ path: "artifactId", message: `names ${found.length} deleted artifacts: ${all}; send an id` }]);
}
