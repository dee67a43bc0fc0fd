// Code as HTML whose classes say what each piece is, within bounds of length and time.
// Knows languages and lines; nothing of documents, and not what the classes look like.
import {
  createHighlighterCore,
  type GrammarState,
  type HighlighterCore,
  type ThemedToken,
  type ThemeRegistrationRaw,
} from "shiki/core";
import { createOnigurumaEngine } from "shiki/engine/oniguruma";
import { bundledLanguages } from "shiki/langs";
import { escapeHtml } from "../escape-html.ts";
import type { TimeBudget } from "../time-budget.ts";

// The one theme of highlighted code: not colours but names of classes, which the stylesheet colours for light and dark.
// The highlighter only knows colours, so each class travels as one.

/** Later rules win where two are as specific; scopes are TextMate's. */
const scopes: readonly (readonly [className: string, scopes: string])[] = [
  ["t-comment", "comment, punctuation.definition.comment, string.comment"],
  ["t-string", "string, punctuation.definition.string, constant.character, constant.other.symbol, markup.inline.raw"],
  ["t-regexp", "string.regexp, constant.character.escape, constant.other.character-class, source.regexp"],
  ["t-number", "constant.numeric, constant.language, support.constant, keyword.other.unit, constant.other.color"],
  [
    "t-keyword",
    "keyword, storage, storage.type, storage.modifier, variable.language, keyword.operator.new, keyword.operator.expression, " +
      "keyword.operator.logical.python, punctuation.definition.keyword, entity.name.function.preprocessor, meta.preprocessor",
  ],
  ["t-operator", "keyword.operator, storage.type.function.arrow, keyword.operator.type"],
  [
    "t-function",
    "entity.name.function, support.function, meta.function-call.generic, entity.name.command, variable.function",
  ],
  [
    "t-type",
    "entity.name.type, entity.name.class, entity.name.namespace, entity.other.inherited-class, support.type, support.class, " +
      "storage.type.built-in, storage.type.java, storage.type.generic.java, storage.type.cs",
  ],
  ["t-variable", "variable, variable.parameter, support.variable, variable.other.constant, constant.other"],
  [
    "t-property",
    "variable.other.property, variable.other.object.property, support.type.property-name, meta.object-literal.key, punctuation.support.type.property-name, " +
      "variable.object.property, entity.name.tag.yaml, support.type.vendored.property-name, keyword.key.toml, variable.key",
  ],
  ["t-tag", "entity.name.tag, support.class.component, entity.name.tag.css, entity.other.attribute-name.class.css"],
  ["t-attribute", "entity.other.attribute-name"],
  ["t-punctuation", "punctuation, meta.brace, meta.delimiter, punctuation.definition.tag"],
  ["t-inserted", "markup.inserted, meta.diff.header.to-file, punctuation.definition.inserted"],
  ["t-deleted", "markup.deleted, meta.diff.header.from-file, punctuation.definition.deleted"],
  [
    "t-heading",
    "markup.heading, entity.name.section, meta.diff.range, meta.diff.header, punctuation.definition.heading",
  ],
  ["t-emphasis", "markup.italic, punctuation.definition.italic"],
  ["t-strong", "markup.bold, punctuation.definition.bold"],
  ["t-link", "markup.underline.link, string.other.link, constant.other.reference.link"],
];

const PLAIN = "#000000";
const colorOf = (index: number): string => `#${(index + 1).toString(16).padStart(6, "0").toUpperCase()}`;

const classes = new Map(scopes.map(([className], index) => [colorOf(index), className]));

/** The class of a token by the colour the theme gave it; null for plain text. */
const classOfColor = (color: string | undefined): string | null => classes.get(color?.toUpperCase() ?? "") ?? null;

const classTheme: ThemeRegistrationRaw = {
  name: "plinth-classes",
  type: "light",
  fg: PLAIN,
  bg: "#FFFFFF",
  settings: [
    { settings: { foreground: PLAIN, background: "#FFFFFF" } },
    ...scopes.map(([, scope], index) => ({ scope, settings: { foreground: colorOf(index) } })),
    // What stands in a string or between tags is code again.
    { scope: "meta.template.expression, meta.embedded, meta.jsx.children", settings: { foreground: PLAIN } },
  ],
};

/** Characters; a longer line is data, not code, and costs more than in proportion. */
const MAX_LINE = 2_000;
/** Of one text; what follows is plain. */
export interface HighlightBounds {
  readonly characters: number;
  readonly lines: number;
}
const MAX: HighlightBounds = { characters: 500_000, lines: Infinity };
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

/** Loads a language, so that no budget is charged for it. */
export async function prepareLanguage(language: string): Promise<void> {
  const load = loaderOf(language);
  if (load !== undefined) await highlighterOf(language.toLowerCase(), load);
}

const loaderOf = (language: string): (typeof languages)[string] | undefined =>
  isHighlighted(language) ? languages[language.toLowerCase()] : undefined;

/** Each line as HTML; plain where language, length or time allow no more. */
export async function highlightLines(
  lines: readonly string[],
  language: string,
  budget: TimeBudget,
): Promise<readonly string[]> {
  if (loaderOf(language) === undefined) return lines.map(escapeHtml);
  const written = await highlight(lines, language, budget);
  return [...written, ...lines.slice(written.length).map(escapeHtml)];
}

/** The first lines of a known language as HTML, as many as length and time allow. */
export async function highlight(
  lines: readonly string[],
  language: string,
  budget: TimeBudget,
  most: HighlightBounds = MAX,
): Promise<readonly string[]> {
  const load = loaderOf(language);
  if (load === undefined || budget.isSpent()) return [];
  const name = language.toLowerCase();
  const shiki = await highlighterOf(name, load);
  const written: string[] = [];
  let state: GrammarState | undefined;
  let length = 0;
  while (written.length < lines.length) {
    if (length > most.characters || written.length >= most.lines) break;
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
  return written;
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
