// The files of a package that belong together: those that are wanted, all that these name relative to themselves, and what
// their scripts ask for at run time.
import type { Listing } from "./choose-file.ts";
import { companionsOf } from "./companions.ts";
import type { PackageText } from "./find/relative-urls.ts";
import { packageLimits } from "./limits.ts";
import type { LockedFile } from "./lock.ts";
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

/** The empty path is that of the whole package. */
export const isFolder = (path: string): boolean => path === "" || path.endsWith("/");

/** A chosen file or folder; all of a folder, or what parsers find of it. */
export interface Chosen {
  readonly path: string;
  readonly isWhole: true | undefined;
}

/** The paths that belong to the chosen ones, though no parser finds them. */
export function besideChosen(
  of: Pick<LockedFile, "name" | "version">,
  chosen: readonly Chosen[],
  { paths }: Listing,
): string[] {
  const whole = chosen.filter(({ isWhole }) => isWhole === true).map(({ path }) => path);
  const inFolders = paths.filter((path) => whole.some((folder) => path.startsWith(folder)));
  const known = companionsOf(
    of,
    chosen.map(({ path }) => path),
    paths,
  );
  return [...new Set([...known, ...inFolders])];
}

/** A folder that a script names is kept up to this many bytes: a whole package of sources is no document's. */
const folderBytes = 16 * 1024 * 1024;

export const isSmall = (folder: string, files: PackageFiles): boolean =>
  [...files].reduce((sum, [path, bytes]) => (path.startsWith(folder) ? sum + bytes.length : sum), 0) <= folderBytes;
