// The documents that a relative link can lead to, as the service resolves it: by source path with and without extension, by
// the first page of a folder, in any case, and by slug. Looks up nothing.
import { knownExtensions } from "../document-type.ts";

/** What there is in a project, in the form of `foldedPath`. */
export interface LinkTargets {
  readonly paths: ReadonlySet<string>;
  readonly slugs: ReadonlySet<string>;
}

/** What a link may mean: each path and the slug lead to a document. */
interface LinkMeanings {
  readonly paths: readonly string[];
  readonly slug: string;
}

export const foldedPath = (path: string): string => path.normalize("NFC").toLowerCase();

/** Of a path from the root of the project; null for a path that leaves it. */
export function meaningsOf(target: string): LinkMeanings | null {
  const path = target.replace(/\/+$/, "");
  if (/^\.\.(?:\/|$)/.test(path)) return null;
  const { paths, stem } = waysTo(path === "." ? "" : path);
  return {
    paths: [...new Set(paths.map(foldedPath))],
    slug: stem.slice(stem.lastIndexOf("/") + 1).toLowerCase(),
  };
}

/** Whether a link to that path leads to one of them. */
export function isAmong(target: string, { paths, slugs }: LinkTargets): boolean {
  const meanings = meaningsOf(target);
  return meanings !== null && (meanings.paths.some((path) => paths.has(path)) || slugs.has(meanings.slug));
}

function waysTo(path: string): { paths: string[]; stem: string } {
  const stem = withoutExtension(path);
  const folder = path === "" ? "" : `${path}/`;
  const paths = [
    path,
    ...knownExtensions.flatMap((extension) => [path + extension, stem + extension]),
    ...knownExtensions.flatMap((extension) => ["README", "index"].map((name) => folder + name + extension)),
  ];
  return { paths, stem };
}

const extensions = new Set(knownExtensions);

const withoutExtension = (path: string): string => {
  const dot = path.lastIndexOf(".");
  return dot > 0 && extensions.has(path.slice(dot).toLowerCase()) ? path.slice(0, dot) : path;
};
