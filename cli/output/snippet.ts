// The snippet of a search result, on one line of the terminal, with the matched words highlighted.
import type { FoundArtifact } from "@plinth/contract/schemas/artifact";

import { withoutControls, type Style } from "../terminal/style.ts";
import { cut, width } from "../terminal/width.ts";

const indent = "  ";

/** In bold on a terminal, and as long as its line. */
export function snippetText(
  snippet: NonNullable<FoundArtifact["snippet"]>,
  { paint, isTerminal, columns }: Style,
): string {
  let left = isTerminal ? columns - indent.length : Number.POSITIVE_INFINITY;
  let line = indent;
  for (const { text, isMatch } of snippet) {
    if (left <= 0) break;
    const plain = withoutControls(text).replaceAll(/\s+/g, " ");
    const shown = cut(plain, left);
    line += paint(isMatch ? "bold" : "dim", shown);
    left -= width(shown);
  }
  return line;
}
