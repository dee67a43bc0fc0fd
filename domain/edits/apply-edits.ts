// Exact replacements in a text (docs/reference/contract.md §4), and where in it a text occurs or nearly occurs. Pure, and
// loaded in a thread too.
import type { FieldError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";

export type Edit = Input<"version.edit">["edits"][number];

/** A text with its edits, or why there is none. */
export type Edited = { readonly text: string } | { readonly refused: FieldError } | "too large";

/**
 * Places that are counted, and lines that are named: more would take long in a text of one repeated letter. Places that
 * all edits of a request replace: a million take 0.1 s.
 */
const most = { counted: 100, lines: 10, replaced: 1_000_000 } as const;

/**
 * One after another, each on the text that the one before left. The text becomes too large where every place is replaced
 * and the text outgrows the limit, in bytes.
 */
export function applyEdits(text: string, edits: readonly Edit[], limitBytes: number): Edited {
  let current = text;
  let replaced = 0;
  for (const [index, { oldText, newText, replaceAll = false }] of withLineEnds(text, edits).entries()) {
    const at = current.indexOf(oldText);
    if (at < 0) return refused(index, `does not occur in the text${closestLine(current, oldText)}`);
    if (replaceAll) {
      const count = countOf(current, oldText, most.replaced - replaced);
      replaced += count;
      if (replaced > most.replaced) return refused(index, tooManyPlaces);
      // The size is computed first, because a short text in place of each letter can fill the memory.
      if (current.length + count * (newText.length - oldText.length) > limitBytes) return "too large";
      current = current.split(oldText).join(newText);
    } else {
      if (current.includes(oldText, at + 1)) return refused(index, placesOf(current, oldText));
      current = current.slice(0, at) + newText + current.slice(at + oldText.length);
    }
  }
  return { text: current };
}

/**
 * The edits in CRLF where all lines of the text end so: who reads it sees no difference, and writes LF. One that looks for
 * CRLF itself means what it says.
 */
function withLineEnds(text: string, edits: readonly Edit[]): readonly Edit[] {
  if (!edits.some(({ oldText, newText }) => oldText.includes("\n") || newText.includes("\n"))) return edits;
  if (!endsInCrlf(text)) return edits;
  const inCrlf = (lines: string) => lines.replaceAll(/\r?\n/g, "\r\n");
  return edits.map((edit) =>
    edit.oldText.includes("\r") ? edit : { ...edit, oldText: inCrlf(edit.oldText), newText: inCrlf(edit.newText) },
  );
}

function endsInCrlf(text: string): boolean {
  let end = text.indexOf("\n");
  if (end < 0) return false;
  for (; end >= 0; end = text.indexOf("\n", end + 1)) if (text[end - 1] !== "\r") return false;
  return true;
}

const tooManyPlaces =
  `makes more than ${most.replaced.toLocaleString("en")} replacements, with the edits before it: ` +
  "send the whole text as a new version";

const refused = (index: number, message: string): Edited => ({
  refused: { path: `edits.${index}.oldText`, message },
});

/** How often a text occurs, without overlaps; one more than `atMost` where it is more often. */
function countOf(text: string, part: string, atMost: number): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0 && count <= atMost; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/** Overlapping places count. */
function placesOf(text: string, part: string): string {
  const lines = new Set<number>();
  let count = 0;
  let line = 1;
  let before = 0;
  for (let at = text.indexOf(part); at >= 0 && count < most.counted; at = text.indexOf(part, at + 1)) {
    for (let end = text.indexOf("\n", before); end >= 0 && end < at; end = text.indexOf("\n", before)) {
      line++;
      before = end + 1;
    }
    count++;
    lines.add(line);
  }
  const named = [...lines].slice(0, most.lines);
  const more = lines.size > named.length ? " and more" : "";
  const times = count === most.counted ? `${count} times or more` : `${count} times`;
  return (
    `occurs ${times} in the text (${named.length === 1 ? "line" : "lines"} ${named.join(", ")}${more}): ` +
    "give more of the text around it, or send replaceAll: true"
  );
}

/** UTF-16 units of the text that are compared, and of a line that is shown. */
const compared = { text: 1_000_000, line: 200 } as const;
/** Of the pairs of letters that two lines have, the part that they share. */
const likeness = 0.5;

/** The line most like the first line of the text that was to be replaced; empty where none is like it. */
function closestLine(text: string, wanted: string): string {
  const line = wanted.split("\n").find((each) => each.trim() !== "") ?? "";
  const pairs = pairsOf(line);
  if (pairs.size === 0) return "";
  let best = { likeness: 0, number: 0, text: "" };
  for (const [index, each] of text.slice(0, compared.text).split("\n").entries()) {
    const like = likenessOf(pairs, pairsOf(each));
    if (like > best.likeness) best = { likeness: like, number: index + 1, text: each };
  }
  if (best.likeness < likeness) return "";
  const shown = best.text.length > compared.line ? `${best.text.slice(0, compared.line).toWellFormed()}…` : best.text;
  return `; the closest line is ${best.number}: ${JSON.stringify(shown)}`;
}

/** Spaces do not count, because they are the most frequent difference. */
function pairsOf(line: string): ReadonlySet<string> {
  const letters = line.slice(0, compared.line).replaceAll(/\s+/g, "");
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < letters.length; at++) pairs.add(letters.slice(at, at + 2));
  return pairs;
}

function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (other.size === 0) return 0;
  let both = 0;
  for (const pair of other) if (one.has(pair)) both++;
  return (2 * both) / (one.size + other.size);
}
