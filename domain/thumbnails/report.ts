// What a page said, as it is kept: hostile text, cut and made such that the database can hold it.
import { pageReportLimits } from "@plinth/contract/limits";
import type { PageReport } from "@plinth/contract/schemas/artifact";

export function boundedReport({ errors, console }: PageReport): PageReport {
  const { messages } = pageReportLimits;
  return {
    errors: errors.slice(0, messages).map((error) => ({ ...error, message: bounded(error.message) })),
    console: console.slice(0, messages).map((line) => ({ ...line, text: bounded(line.text) })),
  };
}

/** No character is cut in two, and NUL is none that PostgreSQL knows. */
const bounded = (text: string): string =>
  text
    .slice(0, pageReportLimits.characters)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed()
    .replaceAll("\0", "\ufffd");
