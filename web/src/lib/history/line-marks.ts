// A line of a comparison as it is drawn: its words, those that changed, and what hides in it.
import type { Line } from "./rows.ts";
import { type Segment, shownLine } from "./visible-text.ts";
import { wordMarks } from "./text-marks.ts";

interface DrawnLine {
  readonly segments: readonly Segment[];
  /** Characters beyond what is shown of a line. */
  readonly leftOut: number;
}

export function drawnLine({ kind, text, other }: Line): DrawnLine {
  // That lines end as on Windows is said where it is what changed.
  const bare = text.endsWith("\r") && (other === null || other.endsWith("\r")) ? text.slice(0, -1) : text;
  if (other === null || kind === "context") return shownLine(bare, []);
  const marks = kind === "delete" ? wordMarks(text, other)?.before : wordMarks(other, text)?.after;
  return shownLine(bare, marks ?? []);
}
