// The files that markdown documents and the source view load: the stylesheets and their fonts, and the scripts.
import { basename, dirname, join } from "node:path";
import { readFile } from "node:fs/promises";
import { bundle } from "./bundle.ts";

/**
 * Puts stylesheets together with the faces of their fonts; the font files stay files, so that a browser loads the few
 * it needs.
 */
const FACES = "@plinth/platform/fonts/fonts.css";

const PARTS = ["palette", "reading", "blocks", "contents", "code", "source", "print"];

/** `markdown.css`, of our own parts, and every font file it names, by file name. */
async function stylesheetFiles(folder: string): Promise<Map<string, Uint8Array>> {
  const faces = await withFonts(FACES);
  const parts = await Promise.all(PARTS.map((name) => readFile(join(folder, `${name}.css`), "utf8")));
  const styles = [faces.styles, ...parts].join("\n");
  return new Map([...faces.fonts, ["markdown.css", new TextEncoder().encode(styles)]]);
}

/** `katex.css` and its fonts, for documents that have math. */
async function mathFiles(): Promise<Map<string, Uint8Array>> {
  const { styles, fonts } = await withFonts("katex/dist/katex.min.css");
  return fonts.set("katex.css", new TextEncoder().encode(styles));
}

// A package's stylesheet with its woff2 files beside it; older formats are left out, as every browser reads this one.
async function withFonts(specifier: string): Promise<{ styles: string; fonts: Map<string, Uint8Array> }> {
  const path = Bun.resolveSync(specifier, import.meta.dir);
  const source = (await readFile(path, "utf8")).replaceAll(/,url\([^)]+\.(?:woff|ttf)\) format\("\w+"\)/g, "");
  const fonts = new Map<string, Uint8Array>();
  for (const [, file = ""] of source.matchAll(/url\("?([^")]+\.woff2)"?\)/g)) {
    fonts.set(basename(file), await readFile(join(dirname(path), file)));
  }
  return { styles: source.replaceAll(/url\("?[^")]*\/([\w-]+\.woff2)"?\)/g, "url($1)"), fonts };
}

const READING = join(import.meta.dir, "browser/reading");

/** The files by name: `markdown.css`, `markdown.js`, `katex.css`, the worker's `diagram-page.js` and what these load. */
export async function readingFiles(): Promise<Map<string, Uint8Array>> {
  const scripts = await bundle(["markdown.ts", "diagram-page.ts"].map((name) => join(READING, name)));
  return new Map([...scripts, ...(await stylesheetFiles(READING)), ...(await mathFiles())]);
}
