// Turns a source into highlighted HTML, line by line, as a pure function for a thread to call.
// Knows nothing of threads, time limits, documents or storage.
import type { FramedType } from "@plinth/contract/frame";
import { highlightLines, prepareLanguage } from "./highlighter.ts";
import { sourceLines, splitLines } from "./source-lines.ts";
import { timeBudget } from "../time-budget.ts";

/** Well under the thread's limit, past which nothing would be coloured. */
const HIGHLIGHT_MS = 1_200;

/** jsx is written with types as often as without. */
const languages: Readonly<Record<FramedType, string>> = { md: "markdown", html: "html", jsx: "tsx" };

export interface SourceText {
  readonly type: FramedType;
  readonly text: string;
}

export interface HighlightedSource {
  readonly html: string;
  /** Nothing was left plain to keep within the time; only then is it kept. */
  readonly whole: boolean;
}

/** Loads the language of the type, which is not charged to a source. */
export const prepareSource = (type: FramedType): Promise<void> => prepareLanguage(languages[type]);

/** The source as a `<pre class="source-lines">`; what takes too long or is too much is plain. */
export async function renderSource({ type, text }: SourceText): Promise<HighlightedSource> {
  await prepareSource(type);
  const budget = timeBudget(HIGHLIGHT_MS);
  const { lines, ...rest } = splitLines(text);
  const highlighted = await highlightLines(lines, languages[type], budget);
  return { html: sourceLines(highlighted, rest), whole: !budget.wasShort() };
}
