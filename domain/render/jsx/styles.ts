// Tailwind's rules for the classes that a jsx document uses, as one stylesheet, for a thread.
// Classes are found as Tailwind itself finds them: every word of the source that may be one.
import { Scanner } from "@tailwindcss/oxide";
import { compile } from "tailwindcss";
import { readFileSync } from "node:fs";
import { canonicalName } from "@plinth/runtime/module-aliases";
import { moduleSource } from "@plinth/runtime/modules";
import { type FilesBeside, importedPath, nothingBeside } from "./files-beside.ts";
import { type DarkBy, fadedColours, fades, loadStylesheet, styleEntry } from "./style-sheets.ts";

/**
 * Style sheets beside a document that are written for Tailwind: they are compiled with its classes, because no browser knows
 * `@apply` or `@theme`. Any other style sheet is linked as it is.
 */
export interface OwnSheet {
  readonly path: string;
  readonly text: string;
}

const forTailwind =
  /@(?:tailwind|apply|theme|utility|variant|custom-variant|config|plugin|source|reference)\b|@import\s+(?:url\(\s*)?["']?(?:tailwindcss|tw-animate-css)\b/;
/** What every document has already, and what would load code. */
const alreadyThere =
  /@import\s+(?:url\(\s*)?["']?(?:tailwindcss|tw-animate-css)[^;]*;|@tailwind\s[^;]*;|@(?:config|plugin|source|reference)\s[^;{]*;/g;

/** Null for a style sheet that is linked. */
export function ownSheet(path: string, { texts }: FilesBeside): OwnSheet | null {
  const text = texts.get(path);
  if (text === undefined || !forTailwind.test(text)) return null;
  return { path, text: text.replaceAll(alreadyThere, (rule) => rule.replaceAll(/[^\n]/g, " ")) };
}

/** The text of a style sheet that another one imports by its path. @throws Error where there is none */
function importedSheet(beside: FilesBeside, from: string, specifier: string): OwnSheet {
  const relative = /^\.{1,2}\//.test(specifier) ? specifier : `./${specifier}`;
  const path = importedPath(beside, from, relative);
  const text = path === null ? undefined : beside.texts.get(path);
  if (path === null || text === undefined)
    throw new Error(`${JSON.stringify(specifier)} is no style sheet beside the document.`);
  return { path, text };
}

// The classes that the ui components bring with them, read from their sources once in a thread.
const FOLDER = "@/components/ui/";

interface Component {
  readonly classes: readonly string[];
  /** The components it is made of. */
  readonly parts: readonly string[];
}

const components = new Map<string, Component>();

/** All that may be classes in the components among the modules, and in those they are made of. */
function componentClasses(modules: readonly string[]): string[] {
  const classes = new Set<string>();
  const open = modules
    .map(canonicalName)
    .filter((name) => name.startsWith(FOLDER))
    .map((name) => name.slice(FOLDER.length));
  const seen = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const component = components.get(name) ?? readComponent(name);
    components.set(name, component);
    for (const one of component.classes) classes.add(one);
    open.push(...component.parts);
  }
  return [...classes];
}

function readComponent(name: string): Component {
  const content = readFileSync(moduleSource(`${FOLDER}${name}`), "utf8");
  return {
    classes: new Scanner({ sources: [] }).scanFiles([{ content, extension: "tsx" }]),
    parts: [...content.matchAll(/from "(?:@\/components\/ui|\.)\/([a-z-]+)(?:\.tsx)?"/g)].flatMap(
      ([, part]) => part ?? [],
    ),
  };
}

/** Of a document with more words, those beyond are taken for prose. */
const MAX_CANDIDATES = 20_000;
/** The scanner's time grows with the square of what has no space in it; a word of more is looked at in parts. */
const UNBROKEN = /\S{1000}/g;
/** Characters of the sheet. */
const MAX_STYLES = 1024 * 1024;

/** The style sheets of a document that are compiled with its classes, and where those lead that they import. */
interface OwnStyles {
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
