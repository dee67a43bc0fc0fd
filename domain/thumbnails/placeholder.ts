// The placeholder for a missing screenshot: type and title as an SVG without scripts and references. The title is hostile
// text.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { screenshotSizes } from "./renderer.ts";

const typeNames: Readonly<Record<ArtifactType, string>> = { md: "Markdown", html: "HTML", jsx: "JSX" };

/** In pixels of the large size; the small one is the same drawing. */
const { width, height } = screenshotSizes.large;
const margin = 96;
const fontSize = 64;
const lineHeight = 80;
const lines = 4;
/** Estimated widths, as a share of the font size, because there is no font here to measure. */
const wideCharacter = 1.05;
const character = 0.5;

interface Shown {
  readonly type: ArtifactType;
  readonly title: string;
  /** The line below: a screenshot is pending, or there is none. */
  readonly note: string;
}

/** The dark theme's colors, for a page that is dark: a style here takes precedence over the attributes below. */
const dark = [
  "<style>@media (prefers-color-scheme:dark){",
  '[fill="#faf9f6"]{fill:#1b1a17}[fill="#b93815"]{fill:#ff8a5c}[fill="#5f5b52"]{fill:#aba69b}',
  '[fill="#1b1a17"]{fill:#efede7}[stroke]{stroke:#2c2a26}}</style>',
].join("");

/** @param pixels the width */
export function placeholder({ type, title, note }: Shown, pixels: number): string {
  const text = wrapped(title)
    .map((line, n) => `<tspan x="${margin}" dy="${n === 0 ? 0 : lineHeight}">${escaped(line)}</tspan>`)
    .join("");
  const sans = `font-family="Geist, ui-sans-serif, system-ui, sans-serif"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${pixels}" height="${(pixels * height) / width}" role="img">`,
    `<title>${escaped(plain(title))}</title>`,
    dark,
    `<rect width="${width}" height="${height}" fill="#faf9f6"/>`,
    `<rect x="${margin}" y="${margin}" width="56" height="6" fill="#b93815"/>`,
    `<text x="${margin}" y="166" ${sans} font-size="30" fill="#5f5b52">${typeNames[type]}</text>`,
    `<text y="290" font-family="Newsreader, ui-serif, Georgia, serif" font-size="${fontSize}" fill="#1b1a17">${text}</text>`,
    `<line x1="${margin}" y1="632" x2="${width - margin}" y2="632" stroke="#e2dfd7" stroke-width="2"/>`,
    `<text x="${margin}" y="684" ${sans} font-size="26" fill="#5f5b52">${escaped(note)}</text>`,
    "</svg>",
  ].join("");
}

/** As many lines as fit, broken between words, and within a word that is longer than a line. */
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
/** Characters that most fonts draw about as wide as high. */
const wide =
  /[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60WM@%]/u;

const segments = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);
const widthOfOne = (segment: string): number => (wide.test(segment) ? wideCharacter : character);
const widthOf = (text: string): number => segments(text).reduce((sum, segment) => sum + widthOfOne(segment), 0);

/** The longest beginning of the text that fits; at least one character. */
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
 * One line that is valid in XML, without bidi controls and without more combining marks on a character than fit.
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
