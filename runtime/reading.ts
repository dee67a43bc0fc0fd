// The files that markdown documents and the source view load: the stylesheets and their fonts, and the scripts.
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { mathFiles, stylesheetFiles } from "./stylesheet.ts";

const READING = join(import.meta.dir, "browser/reading");

/** The files by name: `markdown.css`, `markdown.js`, `katex.css`, the worker's `diagram-page.js` and what these load. */
export async function readingFiles(): Promise<Map<string, Uint8Array>> {
  const scripts = await bundle(["markdown.ts", "diagram-page.ts"].map((name) => join(READING, name)));
  return new Map([...scripts, ...(await stylesheetFiles(READING)), ...(await mathFiles())]);
}
