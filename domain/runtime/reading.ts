// What markdown documents and the source view load: the stylesheet and its fonts, and the script of a page one reads.
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { stylesheetFiles } from "./stylesheet.ts";

const BROWSER = join(import.meta.dir, "browser");

/** The files by name: `markdown.css`, `markdown.js` and what these load. */
export async function readingFiles(): Promise<Map<string, Uint8Array>> {
  const scripts = await bundle([join(BROWSER, "markdown.ts")]);
  return new Map([...scripts, ...(await stylesheetFiles(join(BROWSER, "markdown.css")))]);
}
