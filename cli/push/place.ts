// The artifacts of a folder's files, and its links, before anything is published.
import type { Artifact } from "@plinth/contract/schemas/artifact";

import type { Context } from "../command/context.ts";
import { checkLinks, type LinkReport } from "./links.ts";
import type { Push } from "./push.ts";
import { reconcile } from "./reconcile.ts";
import type { PushFlags } from "./request.ts";

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
