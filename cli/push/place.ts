// The artifacts of a folder's files, and its links, before anything is published.
import type { Artifact } from "@plinth/contract/schemas/artifact";
import type { Client } from "@plinth/contract/client";

import type { Context } from "../command/context.ts";
import { checkLinks, type LinkReport } from "./links.ts";
import type { Push } from "./push.ts";
import { type PushFlags, withPathSlug } from "./request.ts";
import { projectArtifacts } from "../artifacts/project-artifacts.ts";

// Matches a folder's files with its project: the artifacts of the same source paths, files that were renamed, and
// artifacts whose file is missing (docs/reference/contract.md §3, "Artifact"). Changes nothing.
interface Reconciled {
  readonly pushes: readonly Push[];
  /** All artifacts of the project that the caller can see. */
  readonly artifacts: readonly Artifact[];
  /** Those with a source path whose file the folder does not have. */
  readonly gone: readonly Artifact[];
}

async function reconcile(pushes: readonly [Push, ...Push[]], client: Client): Promise<Reconciled> {
  const { ownerUsername: owner, projectSlug } = pushes[0].body;
  const artifacts = await projectArtifacts({ owner, projectSlug }, client);
  const byPath = new Map(artifacts.flatMap((one) => (one.sourcePath ? [[one.sourcePath, one] as const] : [])));
  const paths = new Set(pushes.map(({ body }) => body.sourcePath));
  const left = new Set([...byPath].flatMap(([path, artifact]) => (paths.has(path) ? [] : [artifact])));
  const known = pushes.map((push) => withKnown(push, byPath.get(push.body.sourcePath ?? "")));
  const moved = await withMoved(known, left, client);
  const slugs = new Map(artifacts.map((artifact) => [artifact.slug, artifact]));
  return { pushes: await withFreeSlugs(moved, slugs), artifacts, gone: [...left] };
}

const withKnown = (push: Push, artifact: Artifact | undefined): Push =>
  artifact === undefined ? push : { ...push, known: artifact };

/**
 * A new file with the text of an artifact whose file is gone was renamed; so was one with its slug, which was edited
 * too. Takes these artifacts out of `left`.
 */
async function withMoved(pushes: readonly Push[], left: Set<Artifact>, client: Client): Promise<Push[]> {
  const isNew = ({ known }: Push) => known === undefined;
  if (left.size === 0 || !pushes.some(isNew)) return [...pushes];
  const hashes = new Map<Artifact, string>();
  for (const artifact of left) {
    const { versions } = await client.call("version.list", { artifactId: artifact.artifactId, limit: 1 });
    hashes.set(artifact, versions[0]?.sha256 ?? "");
  }
  const take = (push: Push, isSame: (artifact: Artifact) => boolean): Push => {
    if (!isNew(push)) return push;
    const same = [...left].filter((artifact) => artifact.type === push.body.type && isSame(artifact));
    const named = same.find(({ sourcePath }) => nameOf(sourcePath) === nameOf(push.body.sourcePath)) ?? same[0];
    if (named) left.delete(named);
    return withKnown(push, named);
  };
  const bySlug =
    ({ body, isTitleSlug }: Push) =>
    (artifact: Artifact) =>
      isTitleSlug && artifact.slug === body.slug;
  return pushes
    .map((push) => take(push, (artifact) => hashes.get(artifact) === push.source.sha256))
    .map((push) => take(push, bySlug(push)));
}

const nameOf = (path: string | null | undefined): string => /[^/]*$/.exec(path ?? "")?.[0] ?? "";

/** A new file whose title has the slug of another file's artifact gets the slug of its path. */
const withFreeSlugs = (pushes: readonly Push[], slugs: ReadonlyMap<string, Artifact>): Promise<Push[]> =>
  Promise.all(
    pushes.map(async (push) => {
      const other = push.known === undefined && push.isTitleSlug ? slugs.get(push.body.slug) : undefined;
      return other?.sourcePath ? withPathSlug(push) : push;
    }),
  );

export interface Placed {
  readonly pushes: readonly [Push, ...Push[]];
  readonly gone: readonly Artifact[];
  /** Null where no folder is pushed with those in it. */
  readonly links: LinkReport | null;
}

/** Finds the artifacts of the files of a folder by their source paths. */
export async function place(read: readonly [Push, ...Push[]], flags: PushFlags, context: Context): Promise<Placed> {
  if (!flags.recursive || !read.some(({ body }) => body.sourcePath !== undefined))
    return { pushes: read, gone: [], links: null };
  const { pushes, artifacts, gone } = await reconcile(read, await context.api());
  const removed = new Set(flags.prune ? gone : []);
  const others = artifacts.filter((artifact) => !removed.has(artifact));
  const [first = read[0], ...rest] = pushes;
  return { pushes: [first, ...rest], gone, links: checkLinks(pushes, others, context.io.directory) };
}
