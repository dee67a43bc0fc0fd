// The files of a package that belong together: those that are wanted, and all that these name relative to themselves.
import type { PackageText } from "./find/relative-urls.ts";
import { packageLimits } from "./limits.ts";
import { isScriptPath, isStylePath } from "./media-types.ts";
import { PackageProblem } from "./problem.ts";
import type { PackageFiles } from "./unpack.ts";

/** Asks a child process for what each of the texts names relative to itself. */
export type RelativePathsOf = (texts: readonly PackageText[]) => Promise<readonly (readonly string[])[]>;

const decoder = new TextDecoder();

/** @throws PackageProblem where they are larger than a document may have */
export async function closure(
  wanted: Iterable<string>,
  files: PackageFiles,
  relativePathsOf: RelativePathsOf,
): Promise<PackageFiles> {
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  for (let level = [...new Set(wanted)]; level.length > 0;) {
    const texts: PackageText[] = [];
    for (const path of level) {
      const bytes = files.get(path);
      if (bytes === undefined || kept.has(path)) continue;
      kept.set(path, bytes);
      size += bytes.length;
      if (size > packageLimits.documentBytes)
        throw new PackageProblem("too-large", "The package's files are too large");
      if (isScriptPath(path) || isStylePath(path)) texts.push({ path, text: decoder.decode(bytes) });
    }
    level = texts.length === 0 ? [] : [...new Set((await relativePathsOf(texts)).flat())];
  }
  return kept;
}
