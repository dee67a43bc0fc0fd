// The check of English: counts the refused words in comments, test names, markdown and the texts of the web app, and compares them with the
// number that each file may still have (`scripts/prose-allowed.json`). It reads files and runs nothing, and must not
// judge code or strings.
import { readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { parseSync } from "oxc-parser";

import { blank, readSources, withoutFences } from "./citations.ts";
import { refusedSubject, refusedWords } from "./refused-words.ts";
import { root } from "./step.ts";

export interface Refusal {
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** How many refused words each file has; a file without an entry has none. */
export type Counts = Readonly<Record<string, number>>;

const allowedPath = "scripts/prose-allowed.json";
const lowerCommand = "bun scripts/prose.ts --lower";

const alone = (pattern: string): string => `(?<![\\w-])(?:${pattern.replaceAll(" ", "\\s+")})(?![\\w-])`;
const matchers = [
  ...refusedWords.map(({ pattern, instead }) => ({ expression: new RegExp(alone(pattern), "gi"), instead })),
  { expression: new RegExp(alone(refusedSubject.pattern), "g"), instead: refusedSubject.instead },
];
/** A file that has none of the words anywhere is not parsed: parsing takes most of the time. */
const anyWord = new RegExp(refusedWords.map(({ pattern }) => alone(pattern)).join("|"), "i");
const anySubject = new RegExp(alone(refusedSubject.pattern));

/** The refused words in the prose of a file, in the order of its lines. */
export function refusals(path: string, text: string): Refusal[] {
  const unmarked = withoutMarks(text);
  const head = extname(path) === ".md" ? [] : headRefusal(text);
  if (!anyWord.test(unmarked) && !anySubject.test(unmarked)) return head;
  const prose = withoutNames(proseOf(path, text));
  const words = matchers
    .flatMap(({ expression, instead }) =>
      [...prose.matchAll(expression)].map(({ 0: word, index }) => ({ at: index, word, instead })),
    )
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, word, instead }) => ({
      line: prose.slice(0, at).split("\n").length,
      word: word.replaceAll(/\s+/g, " "),
      instead,
    }));
  return [...head, ...words];
}

/** A file says what it is in its first comment; a question leaves its reader to find the answer. */
function headRefusal(text: string): Refusal[] {
  const [head = "", word] =
    /^(?:#![^\n]*\n)?(?:\/\/|\/\*+|<!--|#|--)\s+(What|Whether|How|Who|Which)\b/.exec(text) ?? [];
  if (word === undefined) return [];
  return [{ line: head.split("\n").length, word, instead: "the subject of the file and what it does" }];
}

/** A comment mark at the start of a line would separate the words of a phrase. */
const withoutMarks = (text: string): string =>
  text.replaceAll(/^[ \t]*(?:\/\/|\/?\*+|#|--)(?=\s)/gm, (mark) => " ".repeat(mark.length));

const names = [
  // Code in backticks, within one paragraph.
  /(`+)(?:[^`\n]|\n(?![ \t]*\n))+?\1/g,
  // The cited headings of a document, which are quoted literally.
  /(?<=\.md[^"\n]{0,40}(?:\n[^"\n]{0,10})?(?:"[^"]*",? and )?)"[^"]*"/g,
  // The name of an HTML tag: GitHub selects a dark image only by the element `picture`.
  /(?<=<\/?)[a-z][\w-]*(?=[\s>])/g,
  // Targets of links, then URLs, paths and file names.
  /(?<=\]\()[^)\s]+/g,
  /[\w.@-]*(?:\/[\w.@-]+)+\/?|[\w-]+\.(?:ts|tsx|js|svelte|sql|css|sh|md|json|png|webp)\b/g,
];

/** Blanks names of code and files. Positions stay, so that a match has its line. */
const withoutNames = (prose: string): string => names.reduce((text, name) => text.replaceAll(name, blank), prose);

/** The prose of a file at its positions; the rest is blank. */
function proseOf(path: string, text: string): string {
  const kind = extname(path);
  if (kind === ".md") return withoutFences(text);
  const prose = withoutMarks(keepOnly(text, spansOf(kind, path, text)));
  // The backticks of a message are quotes and have no code between them.
  return isMessages(path) ? prose.replaceAll("`", " ") : prose;
}

const isMessages = (path: string): boolean => path.startsWith("web/src/messages/");

type Span = readonly [start: number, end: number];

function spansOf(kind: string, path: string, text: string): Span[] {
  if (isMessages(path)) return [...scriptComments(path, text), ...shownTexts(text)];
  if (kind === ".ts" || kind === ".tsx") return [...scriptComments(path, text), ...testNames(text)];
  if (kind === ".css") return matchesOf(/\/\*[\s\S]*?\*\//g, text);
  if (kind === ".sql") return matchesOf(/--[^\n]*|\/\*[\s\S]*?\*\//g, text);
  if (kind === ".sh") return matchesOf(/(?<=^|\s)#(?!!)[^\n]*/gm, text);
  if (kind !== ".svelte") return [];
  const scripts = [...text.matchAll(/(?<=<script[^>]*>)[\s\S]*?(?=<\/script>)/g)].flatMap(({ 0: script, index }) =>
    scriptComments("script.ts", script).map(([start, end]): Span => [start + index, end + index]),
  );
  return [
    ...scripts,
    ...matchesOf(/<!--[\s\S]*?-->/g, text),
    ...matchesOf(/^[ \t]*\/\*[\s\S]*?\*\//gm, text),
    // What an element shows: from a tag to the next one.
    ...matchesOf(/(?<=[\w"'}/]>)[^<>{}]+(?=[<{])/g, text),
  ];
}

/** The strings of messages, each with its quotes: no word reaches into the next one. */
const shownTexts = (text: string): Span[] => matchesOf(/"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, text);

const scriptComments = (path: string, text: string): Span[] =>
  parseSync(path, text).comments.map(({ start, end }) => [start, end]);

/** The first argument of a test, a suite or an `.each(…)` table. Found by a pattern, because parsing takes too long. */
function testNames(text: string): Span[] {
  const call = /(?:(?<![.\w])(?:test|describe|it)(?:\.\w+)*|[\])]\))\(\s*(?=(["'`])((?:\\.|(?!\1)[^\\])*)\1\s*,)/g;
  return [...text.matchAll(call)].map(({ 0: before, 2: name = "", index }) => {
    const start = index + before.length + 1;
    return [start, start + name.length];
  });
}

const matchesOf = (pattern: RegExp, text: string): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => [index, index + match.length]);

function keepOnly(text: string, spans: readonly Span[]): string {
  let kept = "";
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    if (start < kept.length) continue;
    kept += blank(text.slice(kept.length, start)) + text.slice(start, end);
  }
  return kept + blank(text.slice(kept.length));
}

/** The faults, a line for each: every word of a file with too many, and every file with too few. */
export function proseFaults(found: ReadonlyMap<string, readonly Refusal[]>, allowed: Counts): string[] {
  const paths = [...new Set([...found.keys(), ...Object.keys(allowed)])].toSorted();
  return paths.flatMap((path) => {
    const words = found.get(path) ?? [];
    const most = allowed[path] ?? 0;
    const count = `${path} has ${words.length} refused words and may have ${most}`;
    if (words.length < most) return [`${count}: run ${lowerCommand}`];
    if (words.length === most) return [];
    return [...words.map(({ line, word, instead }) => `${path}:${line}: "${word}": write ${instead}`), count];
  });
}

/** The counts after `--lower`. No count is raised, but a moved file inherits the count of its old path. */
export function lowered(found: ReadonlyMap<string, readonly Refusal[]>, allowed: Counts): Counts {
  const counts = new Map([...found].map(([path, { length }]) => [path, Math.min(length, allowed[path] ?? 0)]));
  let free = sum(Object.entries(allowed).flatMap(([path, most]) => (found.has(path) ? [] : [most])));
  for (const [path, { length }] of found) {
    if (allowed[path] !== undefined) continue;
    const taken = Math.min(length, free);
    free -= taken;
    counts.set(path, taken);
  }
  return Object.fromEntries(
    [...counts].filter(([, count]) => count > 0).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The refused words of a checkout, by file. Migrations are excluded: a migration that has landed never changes. */
export function findRefusals(checkout: string): ReadonlyMap<string, readonly Refusal[]> {
  const texts = [...readSources(checkout).texts].filter(([path]) => !path.startsWith("db/migrations/"));
  return new Map(texts.map(([path, text]) => [path, refusals(path, text)]));
}

export const readAllowed = (): Counts => JSON.parse(readFileSync(join(root, allowedPath), "utf8")) as Counts;

if (import.meta.main) {
  const found = findRefusals(root);
  if (process.argv.includes("--lower")) {
    writeFileSync(join(root, allowedPath), `${JSON.stringify(lowered(found, readAllowed()), null, 2)}\n`);
  }
  const faults = proseFaults(found, readAllowed());
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
