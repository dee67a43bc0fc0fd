// The files beside a document, which its links lead to within the frame.

export interface OwnFiles {
  /** The address of their root, with a slash at its end. */
  readonly root: string;
  readonly paths: readonly string[];
}

/** From the guard's script element; null where the document has no files. */
export function ownFiles(script: HTMLOrSVGScriptElement | null): OwnFiles | null {
  const text = script?.dataset["files"];
  return text === undefined ? null : (JSON.parse(text) as OwnFiles);
}

/** The absolute address of the file that a link names; null where it names none. */
export function ownFileAt(files: OwnFiles | null, address: string): string | null {
  const url = files && URL.parse(address, document.baseURI);
  if (!url || !url.href.startsWith(files.root)) return null;
  try {
    const path = decodeURIComponent(url.href.slice(files.root.length).replace(/[?#].*$/s, ""));
    return files.paths.includes(path) ? url.href : null;
  } catch {
    return null;
  }
}
