// A list as aligned columns without boxes, no wider than the terminal.
import { oneLine, type Style } from "./style.ts";
import { cut, width } from "./width.ts";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  /** The most columns of the terminal it may take. One that has such a bound gives way where there is no room. */
  readonly most?: number;
  /** Other commands take it as it stands here: it is never cut, and stays when others go. */
  readonly isName?: true;
  /** The address its text leads to. */
  readonly link?: (row: Row) => string;
}

interface Sized<Row> {
  readonly column: Column<Row>;
  readonly texts: readonly string[];
  /** Columns of the terminal: what it takes, and what is left of it where it gives way. */
  readonly width: number;
  readonly least: number;
}

/** The column that other commands take where there is no name. */
const identifier = "ID";
const gap = "  ";

/** Writes the rows below their titles, each with the line that belongs to it; the empty sentence where there are none. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  style: Style,
  empty: string,
  lineBelow: (row: Row) => string | null = () => null,
): string {
  if (rows.length === 0) return empty;
  const natural = columns.map((column) => sized(column, rows));
  const shown = style.isTerminal ? narrowed(thoseThatFit(natural, style.columns), style.columns) : natural;
  const padded = (text: string, columns: number) => text + " ".repeat(columns - width(text));
  const heading = shown.map(({ column, width }) => padded(cut(column.title, width), width));
  const lines = rows.flatMap((row, place) => {
    const cells = shown.map(({ column, texts, width: columns }) => {
      const text = cut(texts[place] ?? "", columns);
      const linked = column.link ? style.link(column.link(row), text) : text;
      return linked + " ".repeat(columns - width(text));
    });
    const below = lineBelow(row);
    return [cells.join(gap).trimEnd(), ...(below === null ? [] : [below])];
  });
  return [style.paint("dim", heading.join(gap).trimEnd()), ...lines].join("\n");
}

function sized<Row>(column: Column<Row>, rows: readonly Row[]): Sized<Row> {
  const most = column.isName ? Infinity : (column.most ?? 80);
  const texts = rows.map((row) => cut(oneLine(column.of(row)), most));
  const natural = Math.max(width(column.title), ...texts.map(width));
  const isFixed = column.most === undefined || column.isName === true;
  return { column, texts, width: natural, least: isFixed ? natural : Math.min(12, natural) };
}

const sum = (widths: readonly number[]): number =>
  widths.reduce((all, one) => all + one, gap.length * Math.max(0, widths.length - 1));

/** Columns at the right go first, but for the name; the first stays in any case. */
function thoseThatFit<Row>(all: readonly Sized<Row>[], room: number): readonly Sized<Row>[] {
  let shown = all;
  const isName = ({ column }: Sized<Row>): boolean =>
    all.some((one) => one.column.isName) ? column.isName === true : column.title === identifier;
  while (sum(shown.map(({ least }) => least)) > room) {
    const last = shown.findLastIndex((one) => !isName(one));
    if (last < 0 || shown.length === 1 || (last === 0 && !all.some((one) => one.column.isName))) break;
    shown = shown.filter((_, place) => place !== last);
  }
  return shown;
}

/** Takes from the widest that may give way, one column of the terminal at a time. */
function narrowed<Row>(all: readonly Sized<Row>[], room: number): readonly Sized<Row>[] {
  const widths = all.map(({ width }) => width);
  while (sum(widths) > room) {
    const [widest] = all
      .map(({ least }, place) => ({ place, now: widths[place] ?? 0, least }))
      // A name alone that is wider than the terminal is cut after all.
      .filter(({ now, least }) => now > least || all.length === 1)
      .toSorted((a, b) => b.now - a.now);
    if (widest === undefined) break;
    widths[widest.place] = widest.now - 1;
  }
  return all.map((one, place) => ({ ...one, width: widths[place] ?? one.width }));
}
