// Paths of files beside a document: relative, of POSIX form, and the same in every file system.
import { filePathBytes } from "../limits.ts";

const encoder = new TextEncoder();

/** The fault of a path, to follow its field's name; null for a path that can be published. */
export const pathProblem = (path: string): string | null => formProblem(path) ?? nameProblem(path);

/** What Windows takes for a device, with any extension. */
const devices = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** The same of names that another system reads as something else; versions from before may have some. */
export function nameProblem(path: string): string | null {
  for (const part of path.split("/")) {
    const name = `\`${escapedName(part)}\``;
    if (/\p{Cf}/u.test(part)) return `must not contain an invisible format character, as ${name} does`;
    if (part.includes(":")) return `must not contain a colon, as ${name} does`;
    if (devices.test(part)) return `must not contain a name that Windows reserves, as ${name} is`;
    if (/[. ]$/.test(part)) return `must not contain a name that ends in a dot or a space, as ${name} does`;
  }
  return null;
}

/** With format characters as `\\u{…}`, so that they cannot change how the text around them is read. */
const escapedName = (name: string): string =>
  name.replaceAll(/\p{Cf}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`);

/** The same of paths that are no path below a folder. */
export function formProblem(path: string): string | null {
  if (path === "") return "must not be empty";
  if (encoder.encode(path).length > filePathBytes) return `must have at most ${filePathBytes} bytes`;
  if (/[\\\p{Cc}]/u.test(path)) return "must not contain a backslash or a control character";
  if (path.normalize("NFC") !== path) return "must be in Unicode's normal form C";
  if (path.startsWith("/")) return "must be relative";
  if (path.split("/").some((part) => part === "" || part === "." || part === ".."))
    return "must not contain an empty part, `.` or `..`";
  return null;
}

/** The directory of a path with a slash at its end; empty for a path without one. */
export const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/**
 * The directory, with a slash at its end, that the paths of a document's files begin with once the document is at its
 * source path; empty where they have it, or where the two are in different directories.
 */
export function directoryAbove(sourcePath: string, documentPath: string): string {
  const [whole, own] = [directoryOf(sourcePath), directoryOf(documentPath)];
  return whole.endsWith(own) ? whole.slice(0, whole.length - own.length) : "";
}

/** A path as part of a URL. */
export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** What the hash of a version's files is taken of. The same files at the same paths have the same text. */
export function manifestText(
  base: string,
  files: readonly { readonly path: string; readonly sha256: string }[],
): string {
  // By code points, which is the order of UTF-8 bytes.
  const sorted = files.toSorted((one, other) => compareCodePoints(one.path, other.path));
  return [`base ${base}\n`, ...sorted.map(({ path, sha256 }) => `${sha256}  ${path}\n`)].join("");
}

function compareCodePoints(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  for (const [index, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
