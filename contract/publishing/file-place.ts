// Where a path among the files beside a document leads, as on GitHub Pages: to a file, with or without `.html`, to the index
// page of a folder, or to the document itself. The service and the frame's guard ask it alike. Pure.

export interface PlacedFiles {
  readonly paths: Pick<ReadonlySet<string>, "has">;
  /** The directory whose index page is the document, with a slash at its end or empty; null where it is no index page. */
  readonly index: string | null;
}

/** `folder`: a directory that is named without the slash at its end, and is reached with it. */
export type FilePlace =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "document" }
  | { readonly kind: "folder" };

/** The page that a folder stands for. */
export const indexPage = "index.html";

/** Null where nothing is. */
export function placeOf(path: string, { paths, index }: PlacedFiles): FilePlace | null {
  if (paths.has(path)) return { kind: "file", path };
  if (index !== null && (path === index || path === index + indexPage)) return { kind: "document" };
  if (path === "" || path.endsWith("/"))
    return paths.has(path + indexPage) ? { kind: "file", path: path + indexPage } : null;
  if (paths.has(`${path}.html`)) return { kind: "file", path: `${path}.html` };
  return `${path}/` === index || paths.has(`${path}/${indexPage}`) ? { kind: "folder" } : null;
}

/** The page of a site that is shown where nothing is. */
export const missingPage = ({ paths, index }: PlacedFiles): string | null => {
  const path = `${index ?? ""}404.html`;
  return paths.has(path) ? path : null;
};

/** The directory of an html document that is an index page: of one without a name in its folder, or with that name. */
export const indexDirectory = (type: string, sourcePath: string | null, base: string): string | null =>
  type === "html" && (sourcePath === null || sourcePath.slice(sourcePath.lastIndexOf("/") + 1) === indexPage)
    ? base
    : null;
