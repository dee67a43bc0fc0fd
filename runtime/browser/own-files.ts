// The files beside a document, which its links lead to within the frame.
import { placeOf, type FilePlace } from "@plinth/contract/publishing/file-place";

export interface OwnFiles {
  /** The address of their root, with a slash at its end. */
  readonly root: string;
  readonly paths: ReadonlySet<string>;
  /** The directory whose index page is the document; null where it is no index page. */
  readonly index: string | null;
}

/** What a link names among the files. */
export interface OwnFile {
  readonly url: string;
  /** It opens in the frame. */
  readonly isPage: boolean;
}

/** From the guard's script element; null where the document has no files. */
export function ownFiles(script: HTMLOrSVGScriptElement | null): OwnFiles | null {
  const text = script?.dataset["files"];
  if (text === undefined) return null;
  const { paths, ...files } = JSON.parse(text) as Omit<OwnFiles, "paths"> & { paths: readonly string[] };
  return { ...files, paths: new Set(paths) };
}

/** The file that a link names, at its absolute address; null where it names none. */
export function ownFileAt(files: OwnFiles | null, address: string): OwnFile | null {
  const url = files && URL.parse(address, document.baseURI);
  if (!url || !url.href.startsWith(files.root)) return null;
  try {
    const path = decodeURIComponent(url.href.slice(files.root.length).replace(/[?#].*$/s, ""));
    const place = placeOf(path, files);
    // A folder is reached with a slash, from which the relative addresses of its page lead.
    if (place?.kind === "folder") url.pathname += "/";
    return place && { url: url.href, isPage: isPage(place) };
  } catch {
    return null;
  }
}

const isPage = (place: FilePlace): boolean => place.kind !== "file" || /\.html?$/i.test(place.path);
