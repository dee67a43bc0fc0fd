// Merging two people's changes of one text, line by line: what only one of them touched is taken over by itself, and what
// both changed is a conflict to be settled. Pure; texts have LF at the ends of lines.
import { diffArrays } from "diff";

export interface Same {
  readonly kind: "same";
  readonly lines: readonly string[];
}

export interface Conflict {
  readonly kind: "conflict";
  /** Each as it stands there; none where it was deleted. */
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

export type Part = Same | Conflict;
export type Choice = "mine" | "theirs" | "both";

/** The parts of the merged text in their order. */
export function mergeTexts(base: string, mine: string, theirs: string): Part[] {
  const [o, a, b] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const [ofMine, ofTheirs] = [changesOf(o, a), changesOf(o, b)];
  const parts: Part[] = [];
  let from = 0;
  for (const { start, end } of places([...ofMine, ...ofTheirs])) {
    parts.push({ kind: "same", lines: o.slice(from, start) });
    parts.push(partAt(o.slice(start, end), within(o, ofMine, start, end), within(o, ofTheirs, start, end)));
    from = end;
  }
  parts.push({ kind: "same", lines: o.slice(from) });
  return parts.filter((part) => part.kind === "conflict" || part.lines.length > 0);
}

/** Lines of the base from `start` up to `end`, and what one side has in their place. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** So many lines may differ before texts are taken to be different as a whole: the time grows with its square. */
const editsMax = 4000;

/** What one side changed, in order and apart. */
function changesOf(base: readonly string[], side: readonly string[]): Change[] {
  const diff = diffArrays([...base], [...side], { maxEditLength: editsMax });
  if (diff === undefined) return [{ start: 0, end: base.length, lines: side }];
  const changes: Change[] = [];
  let at = 0;
  for (const { added, removed, value } of diff) {
    const last = changes.at(-1);
    const follows = last !== undefined && last.end === at;
    const end = added ? at : at + value.length;
    if (added || removed) {
      const lines = added ? value : [];
      if (follows) changes[changes.length - 1] = { ...last, end, lines: [...last.lines, ...lines] };
      else changes.push({ start: at, end, lines });
    }
    at = end;
  }
  return changes;
}

/** Where anything was changed: changes that overlap or touch are one place. */
function places(changes: readonly Change[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const { start, end } of changes.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    const last = found.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
}

/** What a side has in a place. */
function within(base: readonly string[], changes: readonly Change[], start: number, end: number): string[] {
  const lines: string[] = [];
  let from = start;
  for (const change of changes.filter((one) => one.start >= start && one.end <= end)) {
    lines.push(...base.slice(from, change.start), ...change.lines);
    from = change.end;
  }
  return [...lines, ...base.slice(from, end)];
}

function partAt(base: readonly string[], mine: readonly string[], theirs: readonly string[]): Part {
  if (isSame(mine, theirs) || isSame(theirs, base)) return { kind: "same", lines: mine };
  if (isSame(mine, base)) return { kind: "same", lines: theirs };
  return { kind: "conflict", base, mine, theirs };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);

/** The merged text; null where it has conflicts. */
export const mergedText = (parts: readonly Part[]): string | null =>
  parts.every((part) => part.kind === "same") ? parts.flatMap(({ lines }) => lines).join("\n") : null;

/** The lines that a choice stands for; with both, theirs was there first. */
export const chosen = ({ mine, theirs }: Conflict, choice: Choice): readonly string[] =>
  ({ mine, theirs, both: [...theirs, ...mine] })[choice];

/** Text written by hand, as lines: an empty text has none. */
export const linesByHand = (text: string): readonly string[] => (text === "" ? [] : linesOf(text));

/** The whole text with every conflict settled by the lines given for it, in their order. */
export function settledText(parts: readonly Part[], answers: readonly (readonly string[])[]): string {
  let next = 0;
  return parts.flatMap((part) => (part.kind === "same" ? part.lines : (answers[next++] ?? []))).join("\n");
}

const linesOf = (text: string): string[] => text.split("\n");
