// Style sheets beside a document that are written for Tailwind: they are compiled with its classes, because no browser knows
// `@apply` or `@theme`. Any other style sheet is linked as it is.
import { type FilesBeside, importedPath } from "./files-beside.ts";

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
export function importedSheet(beside: FilesBeside, from: string, specifier: string): OwnSheet {
  const relative = /^\.{1,2}\//.test(specifier) ? specifier : `./${specifier}`;
  const path = importedPath(beside, from, relative);
  const text = path === null ? undefined : beside.texts.get(path);
  if (path === null || text === undefined)
    throw new Error(`${JSON.stringify(specifier)} is no style sheet beside the document.`);
  return { path, text };
}
