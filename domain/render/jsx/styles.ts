// Tailwind's rules for the classes that a jsx document uses, as one stylesheet, for a thread.
// Classes are found as Tailwind itself finds them: every word of the source that may be one.
import { Scanner } from "@tailwindcss/oxide";
import { compile } from "tailwindcss";
import { type FilesBeside, nothingBeside } from "./files-beside.ts";
import { importedSheet, type OwnSheet } from "./own-sheets.ts";
import { componentClasses } from "./component-classes.ts";
import { fadedColours, fades } from "./faded-colours.ts";
import { type DarkBy, loadStylesheet, styleEntry } from "./style-sheets.ts";

/** Of a document with more words, those beyond are taken for prose. */
const MAX_CANDIDATES = 20_000;
/** The scanner's time grows with the square of what has no space in it; a word of more is looked at in parts. */
const UNBROKEN = /\S{1000}/g;
/** Characters of the sheet. */
const MAX_STYLES = 1024 * 1024;

/** The style sheets of a document that are compiled with its classes, and where those lead that they import. */
export interface OwnStyles {
  readonly sheets: readonly OwnSheet[];
  readonly beside: FilesBeside;
}

/**
 * The text of one style element; "" for a document that uses no class, which keeps the browser's own styles. Null where
 * it would be longer than 1 MiB. `modules` are its imports: components have their own classes. @throws Error where one of the
 * given style sheets is wrong
 */
export async function stylesOf(
  source: string,
  modules: readonly string[],
  { sheets, beside }: OwnStyles = { sheets: [], beside: nothingBeside },
): Promise<string | null> {
  const ofComponents = componentClasses(modules);
  const isStyled = sheets.length > 0 || ofComponents.length > 0 || /\bclass(Name|List)?\b/.test(source);
  if (!isStyled) return "";
  const words = new Scanner({ sources: [] }).scanFiles([
    { content: source.replaceAll(UNBROKEN, "$& "), extension: "tsx" },
  ]);
  const own = words.filter(mayBeClass).slice(0, MAX_CANDIDATES);
  const dark = modules.includes("next-themes") ? "class" : darkBy(own);
  const entry = [
    styleEntry(dark, fades(own)),
    ...sheets.map(({ path }) => `@import ${JSON.stringify(ownPrefix + path)};`),
  ];
  const compiler = await compile(entry.join("\n"), {
    loadStylesheet: (id, from) => (isOwn(id, from) ? loadOwn(id, from, { sheets, beside }) : loadStylesheet(id)),
  });
  const sheet = compiler.build([...own, ...ofComponents]);
  if (sheets.length === 0 && !sheet.includes("@layer utilities {")) return "";
  const styles = fades(own) ? fadedColours(sheet, own) : sheet;
  // Escaped, a slash is the same in a string, a name or an address, which is where one can come after "<".
  return styles.length > MAX_STYLES ? null : styles.replaceAll("</", "<\\/");
}

/** So that no path beside a document is one of the sheets that every document has. */
const ownPrefix = "beside:";
const isOwn = (id: string, from: string): boolean => id.startsWith(ownPrefix) || from.startsWith(ownPrefix);

function loadOwn(id: string, from: string, { sheets, beside }: OwnStyles) {
  const named = sheets.find(({ path }) => id === ownPrefix + path);
  const { path, text } = named ?? importedSheet(beside, from.slice(ownPrefix.length), id);
  // What it imports is resolved from its own path.
  return Promise.resolve({ path: ownPrefix + path, base: ownPrefix + path, content: text });
}

let prepared: Promise<unknown> | null = null;

/** Loads what every document with classes needs, once. */
export const prepareStyles = async (): Promise<void> => void (await (prepared ??= stylesOf('class="p-1"', [])));

/** A class of Tailwind's begins with a small letter, or with what leads to one. */
const mayBeClass = (word: string): boolean => /^[a-z@*!\-[]/.test(word);

/** Names of the theme, each with another colour in the dark. */
const TOKENS =
  "background foreground card popover primary secondary muted accent destructive border input ring sidebar";
const token = new RegExp(`(?:^|:)(?:bg|text|border)-(?:${TOKENS.replaceAll(" ", "|")})(?:-foreground)?(?:/|$)`);
/** Grounds, texts and lines whose colour was chosen for a light page. */
const fixedColour =
  /(?:^|:)(?:bg|text|border|from|via|to)-(?:white|black|(?:gray|slate|zinc|neutral|stone)-\d{2,3}|\[#)/;

/**
 * What makes the document dark. It has its own switch where it names the class itself. Else it follows the reader where
 * it has dark styles, or takes its colours from the theme alone.
 */
function darkBy(candidates: readonly string[]): DarkBy {
  if (candidates.includes("dark")) return "class";
  if (candidates.some((candidate) => /(^|:)dark:/.test(candidate))) return "preference";
  const isThemed = candidates.some((candidate) => token.test(candidate));
  return isThemed && !candidates.some((candidate) => fixedColour.test(candidate)) ? "preference" : "class";
}
