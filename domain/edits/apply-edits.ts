// Exact replacements in a text (docs/reference/contract.md §4), and where in it a text occurs or nearly occurs.
import type { FieldError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";

import { invalid } from "../input.ts";
import { contentTooLarge } from "../storage/size.ts";

type Edit = Input<"version.edit">["edits"][number];

/** Places that are counted, and lines that are named. More would take long in a text of one repeated letter. */
const most = { counted: 100, lines: 10 } as const;

/**
 * One after another, each on the text that the one before left.
 * @throws invalid_request, content_too_large where every place is replaced and the text outgrows the limit
 */
export function applyEdits(text: string, edits: readonly Edit[], limitBytes: number): string {
  return edits.reduce((current, edit, index) => replaced(current, edit, index, limitBytes), text);
}

function replaced(text: string, { oldText, newText, replaceAll = false }: Edit, index: number, limitBytes: number) {
  const at = text.indexOf(oldText);
  if (at < 0) throw invalid([problem(index, `does not occur in the text${closestLine(text, oldText)}`)]);
  if (replaceAll) return everywhere(text, oldText, newText, limitBytes);
  if (text.includes(oldText, at + 1)) throw invalid([problem(index, placesOf(text, oldText))]);
  return text.slice(0, at) + newText + text.slice(at + oldText.length);
}

const problem = (index: number, message: string): FieldError => ({ path: `edits.${index}.oldText`, message });

/** The size is computed first, because a short text in place of each letter can fill the memory. */
function everywhere(text: string, oldText: string, newText: string, limitBytes: number): string {
  let count = 0;
  for (let at = text.indexOf(oldText); at >= 0; at = text.indexOf(oldText, at + oldText.length)) count++;
  if (text.length + count * (newText.length - oldText.length) > limitBytes) throw contentTooLarge(limitBytes);
  return text.replaceAll(oldText, () => newText);
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
