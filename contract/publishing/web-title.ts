// The title that the web gives a document which has none: what the document calls itself, else its file's name, else its
// first words. `plinth push` has another rule (inference.ts). Pure.
import { frontMatterOf } from "../front-matter.ts";
import { titleLength } from "../limits.ts";
import type { ArtifactType } from "../schemas/artifact.ts";
import { htmlWords } from "./html-words.ts";
import { fileStem, inferTitle, plainText } from "./inference.ts";

/** In characters. */
const wordsLength = 60;
/** In UTF-16 units: what is read of a component, and of a line of text. */
const readLength = 32 * 1024;
const lineLength = 1000;

interface Named {
  /** In the order in which they count: before the file's name, and after it. */
  readonly own: string | null;
  readonly words: string | null;
}

const namedBy: Readonly<Record<ArtifactType, (content: string) => Named>> = {
  md: (content) => ({ own: inferTitle("-", "md", content), words: wordsOfMarkdown(content) }),
  html(content) {
    const { title, firstH1, firstHeading, text } = htmlWords(content);
    return { own: title ?? firstH1 ?? firstHeading, words: text };
  },
  jsx(content) {
    const code = content.slice(0, readLength).replaceAll(/\/\*[\s\S]{0,2000}?\*\/|(?<=^|[\s;{}()])\/\/.*$/gm, "");
    const name = exportedName(code);
    const isCommon = name === null || commonNames.test(name);
    return { own: null, words: (isCommon ? headingIn(code) : null) ?? name ?? textIn(code) };
  },
};

/** `fileName` is null for a text that was pasted or written. Null where the text has no words. */
export function webTitle(fileName: string | null, type: ArtifactType, content: string): string | null {
  const { own, words } = namedBy[type](content);
  const title = own ?? (fileName === null ? null : fileStem(fileName) || null) ?? (words && firstWords(words));
  return title === null ? null : Array.from(title).slice(0, titleLength).join("");
}

/** As many whole words as a title has, without the punctuation after them; null where there is no letter. */
function firstWords(text: string): string | null {
  const characters = Array.from(text.trim());
  let words = characters.slice(0, wordsLength).join("");
  if (characters.length > wordsLength && !/\s/.test(characters[wordsLength] ?? "")) {
    const end = words.search(/\s\S*$/);
    if (end > 0) words = words.slice(0, end);
  }
  words = words.replace(/[\s.,;:–—-]+$/, "");
  return /[\p{L}\p{N}]/u.test(words) ? words : null;
}

/** Of the first line that has some, without the marks of lists, quotes and tables. */
function wordsOfMarkdown(content: string): string | null {
  const body = frontMatterOf(content)?.body ?? content;
  for (const { 0: line } of body.matchAll(/[^\r\n]+/g)) {
    if (/^ {0,3}(?:`{3,}|~{3,}|<!--)/.test(line)) continue;
    const bare = line
      .slice(0, lineLength)
      .replace(/^[\s>|]*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?/, "")
      .replaceAll("|", " ");
    const words = plainText(bare).replaceAll(/\s+/g, " ");
    if (/[\p{L}\p{N}]/u.test(words)) return words;
  }
  return null;
}

/** In UTF-16 units: an element of code and its content, and elements that are looked at. */
const elementLength = 1500;
const elementsMax = 100;

/** The words of the first of these elements that has no code between its words. */
function firstOf(code: string, names: string): string | null {
  const starts = code.matchAll(new RegExp(`<(${names})(?=[\\s>])`, "g")).take(elementsMax);
  for (const { 1: name = "", index } of starts) {
    const plain = code
      .slice(index, index + elementLength)
      .replaceAll(/=\{\{[^{}]*\}\}|=\{[^{}]*\}/g, "")
      .replaceAll(/\{\s*"([^"{}]*)"\s*\}/g, "$1");
    const end = plain.indexOf(`</${name}>`);
    const inside = end < 0 ? "" : plain.slice(plain.indexOf(">") + 1, end);
    const words = /[{}]/.test(inside) ? null : htmlWords(inside).text;
    if (words !== null && /[\p{L}\p{N}]/u.test(words)) return words;
  }
  return null;
}

const headingIn = (code: string): string | null => firstOf(code, "h1");
const textIn = (code: string): string | null => firstOf(code, "h[2-6]|p|title|button|label|li|td|th|span|div|b|strong");

/** Names that say no more than that it is a component. */
const commonNames = /^(?:my )?(?:app|component|default|home|index|main|page|root)$/i;

const exportForms = [
  /^[ \t]*export\s+default\s+(?:async\s+)?(?:function\s*\*?|class)\s+([\w$]+)/m,
  /^[ \t]*export\s+default\s+(?:[\w$]+\.)?[\w$]+\(\s*(?:function\s+)?([A-Z][\w$]*)/m,
  /^[ \t]*export\s+default\s+([A-Za-z_$][\w$]*)\s*;?\s*$/m,
  /^[ \t]*export\s*\{[^{}]{0,500}?([\w$]+)\s+as\s+default\b/m,
];

/** The name of the default export as words: `SalesReport` is "Sales Report". */
function exportedName(code: string): string | null {
  const [name] = exportForms.flatMap((form) => form.exec(code)?.[1] ?? []);
  return name === undefined
    ? null
    : name
        .replaceAll("_", " ")
        .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ")
        .trim() || null;
}
