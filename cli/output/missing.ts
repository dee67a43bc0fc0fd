// The references of a published text that lead nowhere, as notes for standard error, in the words of `push`.
import type { Missing } from "@plinth/contract/schemas/artifact";

import { oneLine } from "../terminal/style.ts";

/** Null where nothing is missing. */
export function missingNote(value: unknown): string | null {
  const { missing } = value as { readonly missing?: Missing | null };
  if (missing === undefined) return null;
  if (missing === null) return "Its files and links could not be checked in time";
  const others = missing.count - missing.references.length;
  const lines = missing.references.map(
    ({ path, line, kind, file }) =>
      `${kind === "file" ? "not found" : "leads nowhere"}: ${oneLine(path)} (${file === undefined ? "" : `${oneLine(file)}, `}line ${line})`,
  );
  return [...lines, ...(others > 0 ? [`  and ${others} more`] : [])].join("\n");
}
