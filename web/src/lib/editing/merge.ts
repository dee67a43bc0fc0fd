// Merging two people's changes of one text, line by line: what only one of them touched is taken over by itself, and what
// both changed is a conflict to be settled. Pure; texts have LF at the ends of lines.
import { diff3Merge } from "node-diff3";

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
  // Most of a text is usually nobody's change; comparing it would take the longest.
  const start = commonLength(o, a, b, (lines, index) => lines[index]);
  const end = commonLength(o.slice(start), a.slice(start), b.slice(start), (lines, index) => lines.at(-1 - index));
  const middle = (lines: readonly string[]) => lines.slice(start, lines.length - end);
  const merged = diff3Merge(middle(a), middle(o), middle(b), { excludeFalseConflicts: true });
  const parts: Part[] = [
    { kind: "same", lines: a.slice(0, start) },
    ...merged.map(({ ok, conflict }): Part =>
      conflict === undefined
        ? { kind: "same", lines: ok ?? [] }
        : { kind: "conflict", base: conflict.o, mine: conflict.a, theirs: conflict.b },
    ),
    { kind: "same", lines: a.slice(a.length - end) },
  ];
  return parts.filter((part) => part.kind === "conflict" || part.lines.length > 0);
}

/** The merged text; null where it has conflicts. */
export const mergedText = (parts: readonly Part[]): string | null =>
  parts.every((part) => part.kind === "same") ? parts.flatMap(({ lines }) => lines).join("\n") : null;

/** The lines that a choice stands for; with both, theirs was there first. */
export const chosen = ({ mine, theirs }: Conflict, choice: Choice): readonly string[] =>
  ({ mine, theirs, both: [...theirs, ...mine] })[choice];

/** What was written by hand, as lines: nothing at all is none. */
export const linesByHand = (text: string): readonly string[] => (text === "" ? [] : linesOf(text));

/** The whole text with every conflict settled by the lines given for it, in their order. */
export function settledText(parts: readonly Part[], answers: readonly (readonly string[])[]): string {
  let next = 0;
  return parts.flatMap((part) => (part.kind === "same" ? part.lines : (answers[next++] ?? []))).join("\n");
}

const linesOf = (text: string): string[] => text.split("\n");

function commonLength(
  o: readonly string[],
  a: readonly string[],
  b: readonly string[],
  at: (lines: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(o.length, a.length, b.length);
  let length = 0;
  while (length < most && at(o, length) === at(a, length) && at(o, length) === at(b, length)) length++;
  return length;
}
