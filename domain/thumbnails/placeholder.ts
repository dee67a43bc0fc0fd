// What stands where there is no picture: type and title on paper, as an SVG that nothing can run in or load from. The
// title is other people's text.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { pictureSizes } from "./painter.ts";

const typeNames: Readonly<Record<ArtifactType, string>> = { md: "Markdown", html: "HTML", jsx: "JSX" };

/** In pixels of the large size; the small one is the same drawing. */
const { width, height } = pictureSizes.large;
const margin = 96;
const fontSize = 64;
const lineHeight = 80;
const lines = 4;
/** Of the font's size: there is no font here to measure with, so wide ones are counted as wide and the rest as most are. */
const wideCharacter = 1.05;
const character = 0.5;

interface Shown {
  readonly type: ArtifactType;
  readonly title: string;
  /** Said below: that a picture will come, or that none could be taken. */
  readonly note: string;
}

/** Of the size whose width is given. */
export function placeholder({ type, title, note }: Shown, pixels: number): string {
  const text = wrapped(title)
    .map((line, n) => `<tspan x="${margin}" dy="${n === 0 ? 0 : lineHeight}">${escaped(line)}</tspan>`)
    .join("");
  const sans = `font-family="Geist, ui-sans-serif, system-ui, sans-serif"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${pixels}" height="${(pixels * height) / width}" role="img">`,
    `<title>${escaped(plain(title))}</title>`,
    `<rect width="${width}" height="${height}" fill="#faf9f6"/>`,
    `<rect x="${margin}" y="${margin}" width="56" height="6" fill="#b93815"/>`,
    `<text x="${margin}" y="166" ${sans} font-size="30" fill="#5f5b52">${typeNames[type]}</text>`,
    `<text y="290" font-family="Newsreader, ui-serif, Georgia, serif" font-size="${fontSize}" fill="#1b1a17">${text}</text>`,
    `<line x1="${margin}" y1="632" x2="${width - margin}" y2="632" stroke="#e2dfd7" stroke-width="2"/>`,
    `<text x="${margin}" y="684" ${sans} font-size="26" fill="#5f5b52">${escaped(note)}</text>`,
    "</svg>",
  ].join("");
}

/** As many lines as there is room for, broken between words, and within one that is longer than a line. */
function wrapped(title: string): string[] {
  const room = (width - 2 * margin) / fontSize;
  const made: string[] = [];
  let line = "";
  let used = 0;
  for (const word of plain(title).split(" ")) {
    let rest = word;
    if (line !== "" && used + character + widthOf(word) <= room) {
      line += ` ${word}`;
      used += character + widthOf(word);
      continue;
    }
    if (line !== "") made.push(line);
    while (widthOf(rest) > room) {
      const head = headOf(rest, room);
      made.push(head);
      rest = rest.slice(head.length);
    }
    line = rest;
    used = widthOf(rest);
  }
  if (line !== "") made.push(line);
  if (made.length <= lines) return made;
  const last = headOf(made[lines - 1] ?? "", room - 1);
  return [...made.slice(0, lines - 1), `${last.trimEnd()}…`];
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** What most fonts draw about as wide as high. */
const wide =
  /[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60WM@%]/u;

const segments = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);
const widthOfOne = (segment: string): number => (wide.test(segment) ? wideCharacter : character);
const widthOf = (text: string): number => segments(text).reduce((sum, segment) => sum + widthOfOne(segment), 0);

/** The beginning of a text that is no wider; at least a character. */
function headOf(text: string, room: number): string {
  let head = "";
  let used = 0;
  for (const segment of segments(text)) {
    used += widthOfOne(segment);
    if (head !== "" && used > room) break;
    head += segment;
  }
  return head;
}

/**
 * One line of what XML can hold, without what turns the direction of the text after it or heaps marks on one character
 * until they cover the rest.
 */
const plain = (text: string): string =>
  segments(text.toWellFormed().replace(/[\p{Cc}\p{Bidi_Control}\ufffe\uffff\s]+/gu, " "))
    .map((segment) => segment.slice(0, 32).toWellFormed())
    .join("")
    .trim();

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => entities[found] ?? found);
