// Finds the artifact of a local file in a project: by its source path, else by the slug that a push would give it.
import { sep } from "node:path";

import type { Artifact } from "@plinth/contract/schemas/artifact";

/** The longest source path that the absolute path ends with, so that any working directory finds it. */
export function artifactOfFile(
  path: string,
  slugs: readonly string[],
  artifacts: readonly Artifact[],
): Artifact | null {
  const local = path.split(sep).join("/").normalize("NFC");
  const bySource = artifacts.filter(({ sourcePath }) => sourcePath && local.endsWith(`/${sourcePath}`));
  const [found] = bySource.toSorted((one, other) => (other.sourcePath?.length ?? 0) - (one.sourcePath?.length ?? 0));
  return found ?? artifacts.find(({ slug, sourcePath }) => !sourcePath && slugs.includes(slug)) ?? null;
}
