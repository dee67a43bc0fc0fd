// Keeps the packages that an html document loads, without a version that is locked to them: for an instance that will have
// no registry.
import type { Database } from "@plinth/db/connection";

import { reasonOf } from "../packages/reasons.ts";
import { resolvePackages } from "../packages/resolve.ts";
import { bundleFor, referencesOf, relativePathsFor } from "../threads/references.ts";

/** The operator's own work, in a process that does nothing else. */
const work = { owner: "operator", account: "operator", priority: "background" } as const;

export interface Warmed {
  readonly kept: number;
  /** Why the others are missing. */
  readonly missing: readonly string[];
}

export async function warmPackages(db: Database, registry: string, html: string): Promise<Warmed> {
  const { references } = await referencesOf(html, "html", work);
  const resolving = {
    db,
    registry: { url: registry },
    relativePathsOf: relativePathsFor(work),
    bundle: bundleFor(work),
    besideRuntime: false,
  };
  const { entries } = await resolvePackages(resolving, references);
  return {
    kept: entries.filter(({ missing }) => missing === null).length,
    missing: entries.flatMap((entry) => reasonOf(entry)?.reason ?? []),
  };
}
