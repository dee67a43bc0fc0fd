// The references of a document that lead nowhere, as lines of a tool's answer. Their paths are quoted, because anyone may have
// written them.
import type { Missing } from "@plinth/contract/schemas/artifact";

import { counted, partsOf, quoted } from "./item-lines.ts";

/** Lines to add; none where nothing is missing. Null says that it is not known. */
export function missingLines(missing: Missing | null | undefined): string[] {
  if (missing === undefined || missing?.count === 0) return [];
  if (missing === null)
    return ["It could not be checked in time for missing files and dead links: get_artifact_preview names them."];
  const others = missing.count - missing.references.length;
  return [
    `${counted(missing.count, "reference")} lead${missing.count === 1 ? "s" : ""} nowhere:`,
    ...missing.references.map(lineOf),
    ...(others > 0 ? [`- ${others} more`] : []),
  ];
}

const lineOf = ({ path, line, kind, file }: Missing["references"][number]): string =>
  `- ${partsOf(
    quoted(path),
    `${file === undefined ? "" : `${quoted(file)}, `}line ${line}`,
    kind === "file" ? "no such file is published with it" : "no document is there",
  )}`;
