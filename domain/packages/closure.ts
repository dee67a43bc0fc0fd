// The files of a package that belong together: those that are wanted, and all that these name relative to themselves.
import type { PackageText } from "./find/relative-urls.ts";
import { packageLimits } from "./limits.ts";
import { isScriptPath, isStylePath } from "./media-types.ts";
import { PackageProblem } from "./problem.ts";
import type { PackageFiles } from "./unpack.ts";

/** Asks a child process for what each of the texts names relative to itself. */
export type RelativePathsOf = (texts: readonly PackageText[]) => Promise<readonly (readonly string[])[]>;

const decoder = new TextDecoder();

/**
 * The wanted files with what they name, and the companions, which are kept unread: they are hundreds of files.
 * @throws PackageProblem where they are larger than a document may have
 */
export async function closure(
  { wanted, companions }: { readonly wanted: readonly string[]; readonly companions: readonly string[] },
  files: PackageFiles,
  relativePathsOf: RelativePathsOf,
): Promise<PackageFiles> {
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  const unread = new Set(companions);
  for (let level = [...new Set([...wanted, ...companions])]; level.length > 0;) {
    const texts: PackageText[] = [];
    for (const path of level) {
      const bytes = files.get(path);
      if (bytes === undefined || kept.has(path)) continue;
      kept.set(path, bytes);
      size += bytes.length;
      if (size > packageLimits.documentBytes)
        throw new PackageProblem("too-large", "The package's files are too large");
      if (unread.has(path)) continue;
      if (isScriptPath(path) || isStylePath(path)) texts.push({ path, text: decoder.decode(bytes) });
    }
    level = texts.length === 0 ? [] : [...new Set((await relativePathsOf(texts)).flat())];
  }
  return kept;
}
