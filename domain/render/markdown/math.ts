// Formulas as HTML and MathML by KaTeX, within bounds; a formula that can't be set is shown as it was written.
import { ParseError, renderToString } from "katex";
import { formulaAsWritten } from "./pieces.ts";

/** Characters of one formula. */
const MAX_LENGTH = 5_000;
/** Of one that makes macros, each use of which may be as long as the formula. */
const MAX_LENGTH_WITH_MACROS = 500;
const macros = /\\(?:[gex]?def|let|futurelet|global|long|(?:re|provide)?newcommand|providecommand)(?![a-z])/i;

const options = {
  trust: false,
  strict: "ignore",
  throwOnError: true,
  maxExpand: 200,
  /** In em: no rule covers the page. */
  maxSize: 30,
} as const;

/** A formula's HTML: safe to write as it is. */
export function mathHtml(formula: string, { display }: { display: boolean }): string {
  const source = formula.trim();
  const longest = macros.test(source) ? MAX_LENGTH_WITH_MACROS : MAX_LENGTH;
  if (source.length > longest) return formulaAsWritten(source, `The formula is longer than ${longest} characters`);
  try {
    // Options and macros are each formula's own: what one defines, the next doesn't know.
    return renderToString(source, { ...options, displayMode: display, macros: {} });
  } catch (error) {
    if (error instanceof ParseError) return formulaAsWritten(source, error.message);
    // Nested too deeply for its recursion.
    if (error instanceof RangeError) return formulaAsWritten(source, "The formula is nested too deeply");
    throw error;
  }
}
