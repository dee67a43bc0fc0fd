// A table of markdown, for the references that are written from code.

/** A bar in a cell is written as itself. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
