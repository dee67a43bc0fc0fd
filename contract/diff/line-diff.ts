// The shape of a line diff, as docs/reference/contract.md §3 has it. Types alone.

export interface DiffLine {
  kind: "context" | "add" | "delete";
  /** The line without its newline; a carriage return before that stays. */
  text: string;
  /** The last line of its file, and no newline ends it. Left out of API answers. */
  unterminated?: true;
}

/** Starts are 1-based; where a side has no lines, its start is the line before, as in unified diffs. */
export interface DiffHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: DiffLine[];
}

export interface LineDiff {
  stats: { additions: number; deletions: number };
  hunks: DiffHunk[];
  /** The exact diff would have taken too long or too much: one block replaces another. */
  coarse: boolean;
}
