// Exact replacement in a text (docs/reference/contract.md §4), as far as the command line does it itself: every place
// with `--all`, and where in the text a refused one occurs. Sends nothing.
import type { FieldError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";

export type Edit = Input<"version.edit">["edits"][number];

/** How many places are shown of a text that occurs often. */
const shown = 20;

/** Every place of each, one edit after another; or the first edit that finds none. */
export function replaceAll(text: string, edits: readonly Edit[]): { text: string } | { missing: number } {
  let current = text;
  for (const [place, { oldText, newText }] of edits.entries()) {
    if (!current.includes(oldText)) return { missing: place };
    current = current.replaceAll(oldText, () => newText);
  }
  return { text: current };
}

/** The text as the edits before this one leave it. */
export const textBefore = (text: string, edits: readonly Edit[], place: number): string =>
  edits
    .slice(0, place)
    .reduce(
      (current, { oldText, newText, replaceAll: isEvery = false }) =>
        isEvery ? current.replaceAll(oldText, () => newText) : current.replace(oldText, () => newText),
      text,
    );

/** Lines and columns, from 1, of the first places; overlapping ones count. */
export function occurrencesOf(text: string, part: string, path: string): FieldError[] {
  return [...indexesOf(text, part)].slice(0, shown).map((at) => {
    const lines = text.slice(0, at).split(/\r\n|\r|\n/);
    return { path, message: "occurs here", line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
  });
}

/** How often the text holds it, overlapping places counted. */
export const countOccurrences = (text: string, part: string): number => [...indexesOf(text, part)].length;

function* indexesOf(text: string, part: string): Generator<number> {
  if (part === "") return;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) yield at;
}
