// A list as aligned columns without boxes.
import { cut, oneLine, width, type Style } from "./style.ts";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  /** The most columns of the terminal it may take. */
  readonly most?: number;
}

/** Writes the rows below their titles; the empty sentence where there are none. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], style: Style, empty: string): string {
  if (rows.length === 0) return empty;
  const cells = rows.map((row) => columns.map(({ of, most }) => cut(oneLine(of(row)), most ?? 80)));
  const widths = columns.map(({ title }, place) =>
    Math.max(width(title), ...cells.map((row) => width(row[place] ?? ""))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, place) => (place === row.length - 1 ? cell : cell + " ".repeat((widths[place] ?? 0) - width(cell))))
      .join("  ")
      .trimEnd();
  const heading = style.paint("dim", line(columns.map(({ title }) => title)));
  return [heading, ...cells.map(line)].join("\n");
}
