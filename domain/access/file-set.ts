// The files beside a version, in the statements that read them with the version.
import { listOf, readerOf, selectOf, type RawRow } from "@plinth/db/rows";

import type { FileSetRow } from "./resource.ts";
import { fileSetColumns } from "./row-columns.ts";

/** Of a table `file_set` by the alias `s`. */
export const fileSetSelect = selectOf(fileSetColumns, { file_set: "s" }, "files_");

/** Of a subquery that has selected them. */
export const fileSetList = (alias: string): string => listOf(fileSetColumns, alias, "files_");

export interface FileSetColumns extends Omit<RawRow<typeof fileSetColumns, "files_">, "files_file_set_id"> {
  /** Null where there are no files. */
  readonly files_file_set_id: string | null;
}

const readFileSet = readerOf(fileSetColumns, "files_");

export const fileSetOf = (row: FileSetColumns): FileSetRow | null =>
  row.files_file_set_id === null ? null : readFileSet(row);
