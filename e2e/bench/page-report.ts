// Page figures as lines of the report, each beside its budget.
import { pageBudgets, scriptBudget } from "../harness/page-budgets.ts";
import { largeBudget, type LargeFigure } from "./large-pages.ts";
import type { PageFigure } from "./pages.ts";

export interface Line {
  readonly figure: string;
  readonly product: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly target: string;
  readonly met: boolean | null;
  readonly statements: string;
}

/** For a page: its weight and calls, when it is shown, and how it responds. */
export const pageLines = (pages: readonly PageFigure[]): Line[] =>
  pages.flatMap((page): Line[] => {
    const name = `page ${page.path}, ${page.viewer}`;
    const script = scriptBudget(page.path);
    const { styles, calls, deep, largestPaint, layoutShift, interaction } = pageBudgets;
    return [
      line(
        `${name}, weight`,
        `script ${kilobytes(page.script)}, CSS ${kilobytes(page.styles)}, ${page.requests} requests`,
        `≤ ${kilobytes(script)}, ≤ ${kilobytes(styles)}`,
        page.script <= script && page.styles <= styles,
      ),
      line(
        `${name}, of the API`,
        `${page.calls} calls, ${page.deep} deep`,
        `≤ ${calls}, ≤ ${deep}`,
        page.calls <= calls && page.deep <= deep,
      ),
      line(
        `${name}, drawn (4× slower)`,
        `LCP ${Math.round(page.largestPaint)} ms, CLS ${page.layoutShift.toFixed(3)}`,
        `≤ ${largestPaint} ms, ≤ ${layoutShift}`,
        page.largestPaint <= largestPaint && page.layoutShift <= layoutShift,
      ),
      line(
        `${name}, INP (4× slower)`,
        `${Math.round(page.slowest)} ms${page.slowestPress === "" ? "" : ` (${page.slowestPress})`}`,
        `≤ ${interaction} ms`,
        page.slowest <= interaction,
      ),
    ];
  });

export const largeLines = (figures: readonly LargeFigure[]): Line[] =>
  figures.map(({ name, slowness, event, drawn, computed }) =>
    line(
      `much, ${name}${slowness === 1 ? "" : ` (${slowness}× slower)`}`,
      `event ${Math.round(event)} ms, answer drawn after ${Math.round(drawn)} ms, computed ${Math.round(computed)} ms`,
      `≤ ${largeBudget} ms each`,
      event <= largeBudget && drawn <= largeBudget,
    ),
  );

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;

const line = (figure: string, product: string, target: string, met: boolean): Line => ({
  figure,
  product,
  baseline: "",
  ratio: "",
  target,
  met,
  statements: "",
});
