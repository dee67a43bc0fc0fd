// Code as HTML whose classes say what each piece is, within bounds of length and time.
// Knows languages and lines; nothing of documents, and not what the classes look like.
import { createHighlighterCore, type GrammarState, type HighlighterCore, type ThemedToken } from "shiki/core";
import { createOnigurumaEngine } from "shiki/engine/oniguruma";
import { bundledLanguages } from "shiki/langs";
import { escapeHtml } from "../escape-html.ts";
import { classOfColor, classTheme } from "./highlight-theme.ts";
import type { TimeBudget } from "../time-budget.ts";

/** Characters; a longer line is data, not code, and costs more than in proportion. */
const MAX_LINE = 2_000;
/** Characters of one text; what follows is plain. */
const MAX_LENGTH = 500_000;
/** Lines between two looks at the clock. */
const CHUNK_LINES = 5;

const languages: Readonly<Record<string, (typeof bundledLanguages)[keyof typeof bundledLanguages]>> = bundledLanguages;

let starting: ReturnType<typeof createOnigurumaEngine> | null = null;
const engine = () => (starting ??= createOnigurumaEngine(import("shiki/wasm")));

/**
 * One per language: a grammar colours embedded code with the other languages loaded in its highlighter, and the result
 * must not depend on earlier sources.
 */
const highlighters = new Map<string, Promise<HighlighterCore>>();

function highlighterOf(name: string, load: (typeof languages)[string]): Promise<HighlighterCore> {
  const made =
    highlighters.get(name) ?? createHighlighterCore({ themes: [classTheme], langs: [load], engine: engine() });
  highlighters.set(name, made);
  return made;
}

/** Makes ready what every language needs. */
export const prepareHighlighter = async (): Promise<void> => void (await engine());

/** Whether the language is known, by its name or an alias, in any case. */
export const isHighlighted = (language: string): boolean => Object.hasOwn(languages, language.toLowerCase());

/** Each line as HTML; plain where language, length or time allow no more. */
export async function highlightLines(
  lines: readonly string[],
  language: string,
  budget: TimeBudget,
): Promise<readonly string[]> {
  const name = language.toLowerCase();
  const load = Object.hasOwn(languages, name) ? languages[name] : undefined;
  if (load === undefined || budget.isSpent()) return lines.map(escapeHtml);
  const shiki = await highlighterOf(name, load);
  const written: string[] = [];
  let state: GrammarState | undefined;
  let length = 0;
  while (written.length < lines.length) {
    if (length > MAX_LENGTH) break;
    const chunk = lines.slice(written.length, written.length + CHUNK_LINES).join("\n");
    const tokens = withinBudget(budget, (tokenizeTimeLimit) =>
      shiki.codeToTokensBase(chunk, {
        lang: name,
        theme: classTheme.name ?? "",
        tokenizeMaxLineLength: MAX_LINE,
        tokenizeTimeLimit,
        ...(state && { grammarState: state }),
      }),
    );
    state = shiki.getLastGrammarState(tokens);
    length += chunk.length;
    for (const line of tokens) written.push(lineHtml(line));
    // Asked after the lines as well: the last of them may have been cut short.
    if (budget.isSpent()) break;
  }
  return [...written, ...lines.slice(written.length).map(escapeHtml)];
}

/**
 * The library cuts a line short after so much wall time, and does not say so. What may have been cut short on a busy
 * machine, with processor time left, is done again with more wall time.
 */
function withinBudget<Result>(budget: TimeBudget, work: (wallMs: number) => Result): Result {
  for (let factor = 1; ; factor *= 4) {
    const [wallMs, started] = [budget.left() * factor, performance.now()];
    const result = work(wallMs);
    if (performance.now() - started < wallMs || budget.isSpent()) return result;
  }
}

/** Neighbours of one class are one span; spaces go with what stands before them. */
function lineHtml(tokens: readonly ThemedToken[]): string {
  let html = "";
  let text = "";
  let current: string | null = null;
  const close = () => {
    html +=
      current === null || text.trim() === "" ? escapeHtml(text) : `<span class="${current}">${escapeHtml(text)}</span>`;
    text = "";
  };
  for (const { content, color } of tokens) {
    const className: string | null = content.trim() === "" ? current : classOfColor(color);
    if (className !== current) close();
    current = className;
    text += content;
  }
  close();
  return html;
}
