// A mutant: one small change of a source file that a test should notice.
export type Operator = "negate" | "guard" | "call" | "compare" | "logic" | "bound" | "return" | "sql";

/** One replacement of a part of a source text, `start` to `end` in UTF-16 units. */
export interface Edit {
  readonly operator: Operator;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Mutant extends Edit {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** The source line as it is, without indentation. */
  readonly before: string;
  /** The text that was replaced, on one line. */
  readonly replaced: string;
}

export function mutantOf(file: string, source: string, edit: Edit): Mutant {
  const from = source.lastIndexOf("\n", edit.start - 1) + 1;
  const to = source.indexOf("\n", edit.start);
  return {
    ...edit,
    file,
    line: source.slice(0, edit.start).split("\n").length,
    before: source.slice(from, to < 0 ? undefined : to).trim(),
    replaced: oneLine(source.slice(edit.start, edit.end)),
  };
}

export const apply = (source: string, { start, end, text }: Edit): string =>
  source.slice(0, start) + text + source.slice(end);

/** Whether the mutant's place is still where it was. */
export const isInPlace = (source: string, { start, end, replaced }: Mutant): boolean =>
  oneLine(source.slice(start, end)) === replaced;

export const described = ({ file, line, operator, replaced, text }: Mutant): string =>
  `${file}:${line} ${operator}: ${replaced} -> ${oneLine(text) || "(nothing)"}`;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, 160);
