// A list as aligned columns without boxes, no wider than the terminal.
import { oneLine, type Style } from "./style.ts";
import { cut, width } from "./width.ts";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  /** The most columns of the terminal it may take. One that has such a bound gives way where there is no room. */
  readonly most?: number;
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

/** The column that other commands take, which stays when others go. */
const identifier = "ID";
const gap = "  ";

/** Writes the rows below their titles; the empty sentence where there are none. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], style: Style, empty: string): string {
  if (rows.length === 0) return empty;
  const natural = columns.map((column) => sized(column, rows));
  const shown = style.isTerminal ? narrowed(thoseThatFit(natural, style.columns), style.columns) : natural;
  const padded = (text: string, columns: number) => text + " ".repeat(columns - width(text));
  const heading = shown.map(({ column, width }) => padded(cut(column.title, width), width));
  const lines = rows.map((row, place) =>
    shown.map(({ column, texts, width: columns }) => {
      const text = cut(texts[place] ?? "", columns);
      const linked = column.link ? style.link(column.link(row), text) : text;
      return linked + " ".repeat(columns - width(text));
    }),
  );
  return [style.paint("dim", heading.join(gap).trimEnd()), ...lines.map((cells) => cells.join(gap).trimEnd())].join(
    "\n",
  );
}

function sized<Row>(column: Column<Row>, rows: readonly Row[]): Sized<Row> {
  const texts = rows.map((row) => cut(oneLine(column.of(row)), column.most ?? 80));
  const natural = Math.max(width(column.title), ...texts.map(width));
  return { column, texts, width: natural, least: column.most === undefined ? natural : Math.min(12, natural) };
}

const sum = (widths: readonly number[]): number =>
  widths.reduce((all, one) => all + one, gap.length * Math.max(0, widths.length - 1));

/** Columns at the right go first, but for the identifier; the first stays in any case. */
function thoseThatFit<Row>(all: readonly Sized<Row>[], room: number): readonly Sized<Row>[] {
  let shown = all;
  while (sum(shown.map(({ least }) => least)) > room) {
    const last = shown.findLastIndex(({ column }) => column.title !== identifier);
    if (last <= 0) break;
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
      .filter(({ now, least }) => now > least)
      .toSorted((a, b) => b.now - a.now);
    if (widest === undefined) break;
    widths[widest.place] = widest.now - 1;
  }
  return all.map((one, place) => ({ ...one, width: widths[place] ?? one.width }));
}
