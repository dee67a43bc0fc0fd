// Why a file that a document refers to is left out, to follow the file's name.
import { filesLimits } from "../../limits.ts";

const { fileBytes, files, versionBytes } = filesLimits;
const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`;

export const leftOutReasons = {
  rooted: "its path begins at the root of a site",
  type: "files of its type are not published",
  size: `it is larger than ${megabytes(fileBytes)}`,
  count: `a version has at most ${files} files`,
  total: `the files of a version have at most ${megabytes(versionBytes)}`,
  unreadable: "it cannot be read",
  hidden: "it is hidden",
  packages: "it is in node_modules",
  folderLink: "it is a link to a folder",
  unnamed: "nothing in the document names it",
  /** After "its path". */
  sameName: "is that of another file in Unicode's normal form C",
} as const;
