// A comparison as rows: lines one under another or side by side, with a head before each stretch of them. Pure.
import type { Diff } from "@plinth/contract/schemas/artifact";
import type { Layout } from "./address.ts";

export type Hunk = Diff["hunks"][number];

export interface Line {
  readonly kind: "context" | "add" | "delete";
  /** Line numbers, from 1; null on the side where it isn't. */
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
  /** The line whose place it took, or that took its place. */
  readonly other: string | null;
}

/** Before a hunk, or after the last one: where it begins, and how many lines are folded away there. */
export interface Head {
  /** Of gaps: that before the first hunk is 0. */
  readonly gap: number;
  readonly hunk: Hunk | null;
  /** Null where only the text itself tells. */
  readonly folded: number | null;
}

export type Row =
  | { readonly head: Head }
  | { readonly line: Line }
  | { readonly left: Line | null; readonly right: Line | null };

interface Unfolding {
  /** Lines shown of each gap, by its number. */
  readonly shown: ReadonlyMap<number, number>;
  /** Of the later version, without line breaks; null until they have been loaded. */
  readonly lines: readonly string[] | null;
}

/** Beyond so many rows a page shows no more. */
export const mostRows = 100_000;
/** Side by side two lines are one row: so many lines are as many rows as a page shows, or all that there are. */
export const mostLines = 2 * mostRows;

const begin = (start: number, count: number): number => (count === 0 ? start + 1 : start);

interface Gap {
  /** The first line folded away, on both sides. */
  readonly before: number;
  readonly after: number;
  readonly count: number | null;
}

function gapBefore(hunks: readonly Hunk[], at: number, lines: readonly string[] | null): Gap {
  const last = hunks[at - 1];
  const before = last === undefined ? 1 : begin(last.oldStart, last.oldLines) + last.oldLines;
  const after = last === undefined ? 1 : begin(last.newStart, last.newLines) + last.newLines;
  const next = hunks[at];
  if (next !== undefined) return { before, after, count: begin(next.newStart, next.newLines) - after };
  return { before, after, count: lines === null ? tailOf(last) : Math.max(0, lines.length - after + 1) };
}

/** A hunk has three lines of context after its last change, if there are as many. */
function tailOf(last: Hunk | undefined): number | null {
  if (last === undefined) return 0;
  const changed = last.lines.findLastIndex(({ kind }) => kind !== "context");
  return last.lines.length - 1 - changed < 3 ? 0 : null;
}

export function rowsOf(hunks: readonly Hunk[], layout: Layout, { shown, lines }: Unfolding, isWhole: boolean): Row[] {
  const rows: Row[] = [];
  const push = (line: Line) => rows.push(layout === "split" ? { left: line, right: line } : { line });
  for (let at = 0; at <= hunks.length && rows.length < mostRows; at++) {
    const hunk = hunks[at] ?? null;
    if (hunk === null && !isWhole) break;
    const gap = gapBefore(hunks, at, lines);
    const unfolded = lines === null ? 0 : Math.min(shown.get(at) ?? 0, gap.count ?? 0);
    const folded = gap.count === null ? null : gap.count - unfolded;
    const unfold = (first: number) => {
      for (let n = first; n < first + unfolded; n++) {
        const text = lines?.[gap.after + n - 1] ?? "";
        push({ kind: "context", before: gap.before + n, after: gap.after + n, text, other: null });
      }
    };
    // At the end of the text what is unfolded follows what is there; elsewhere it leads to what comes.
    if (hunk === null) unfold(0);
    if (hunk === null ? folded !== 0 : folded !== 0 || at === 0 || unfolded === 0)
      rows.push({ head: { gap: at, hunk, folded } });
    if (hunk === null) break;
    unfold((gap.count ?? 0) - unfolded);
    if (layout === "split") pushSplit(rows, linesOf(hunk));
    else for (const line of linesOf(hunk)) rows.push({ line });
  }
  return rows.slice(0, mostRows);
}

/** With their numbers; what was taken out and what came in its place know each other. */
export function linesOf(hunk: Hunk): Line[] {
  const given = hunk.lines.flatMap(({ kind, text }) => text.split("\n").map((one) => ({ kind, text: one })));
  const made: Line[] = [];
  let before = begin(hunk.oldStart, hunk.oldLines);
  let after = begin(hunk.newStart, hunk.newLines);
  for (let at = 0; at < given.length;) {
    const deleted = runOf(given, at, "delete");
    const added = runOf(given, at + deleted, "add");
    if (deleted + added === 0) {
      made.push({ kind: "context", before: before++, after: after++, text: given[at++]?.text ?? "", other: null });
      continue;
    }
    const pairs = Math.min(deleted, added);
    for (let n = 0; n < deleted; n++) {
      const other = n < pairs ? (given[at + deleted + n]?.text ?? null) : null;
      made.push({ kind: "delete", before: before++, after: null, text: given[at + n]?.text ?? "", other });
    }
    for (let n = 0; n < added; n++) {
      const other = n < pairs ? (given[at + n]?.text ?? null) : null;
      made.push({ kind: "add", before: null, after: after++, text: given[at + deleted + n]?.text ?? "", other });
    }
    at += deleted + added;
  }
  return made;
}

function runOf(lines: readonly { kind: Line["kind"] }[], start: number, kind: Line["kind"]): number {
  let length = 0;
  while (lines[start + length]?.kind === kind) length++;
  return length;
}

function pushSplit(rows: Row[], lines: readonly Line[]): void {
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (line === undefined) return;
    const deleted = runOf(lines, at, "delete");
    const added = runOf(lines, at + deleted, "add");
    if (deleted + added === 0) {
      rows.push({ left: line, right: line });
      at++;
      continue;
    }
    for (let n = 0; n < Math.max(deleted, added); n++) {
      const left = n < deleted ? (lines[at + n] ?? null) : null;
      const right = n < added ? (lines[at + deleted + n] ?? null) : null;
      rows.push({ left, right });
    }
    at += deleted + added;
  }
}

/** The beginning of a comparison: so many lines of it, and of their text. */
export function portionOf(
  hunks: readonly Hunk[],
  lines: number,
  characters: number,
): { hunks: Hunk[]; isWhole: boolean } {
  const portion: Hunk[] = [];
  let [roomLines, room] = [lines, characters];
  for (const hunk of hunks) {
    const kept: Hunk["lines"] = [];
    for (const { kind, text } of hunk.lines) {
      if (roomLines <= 0 || room <= 0) break;
      // Where one entry stands for a great many lines.
      const part = text.length > room ? text.slice(0, room) : text;
      const first = part.split("\n", roomLines).join("\n");
      kept.push({ kind, text: first });
      roomLines -= first.split("\n").length;
      room -= first.length;
      if (first !== text) roomLines = 0;
    }
    if (kept.length > 0) portion.push({ ...hunk, lines: kept });
    if (kept.length < hunk.lines.length || roomLines <= 0) {
      const isWhole =
        portion.length === hunks.length &&
        kept.length === hunk.lines.length &&
        kept.at(-1)?.text === hunk.lines.at(-1)?.text;
      return { hunks: portion, isWhole };
    }
  }
  return { hunks: portion, isWhole: true };
}
