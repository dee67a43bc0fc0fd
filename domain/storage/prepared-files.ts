// The files that a version gets, ready to be written with it.
import type { FilesSummary, GivenFile } from "@plinth/contract/schemas/file";

/** A new set of files. */
export interface PreparedFiles {
  /** A bare UUID. */
  readonly fileSetId: string;
  /** The directory of the document among its files, with a slash at its end, or empty. */
  readonly base: string;
  readonly files: readonly GivenFile[];
  readonly summary: FilesSummary & { readonly sha256: string };
}

/** What becomes of the files: a new set, none, or those of the version before. */
export type ChosenFiles = PreparedFiles | "none" | "kept";
