// Puts the markdown stylesheet together with the faces of its fonts; the font files stay files, so
// that a browser loads the few it needs.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const FACES = [
  "@fontsource-variable/newsreader/wght.css",
  "@fontsource-variable/newsreader/wght-italic.css",
  "@fontsource-variable/geist/wght.css",
  "@fontsource-variable/geist-mono/wght.css",
];

/** Gives the stylesheet and every font file it names, by file name. */
export async function stylesheetFiles(source: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  let styles = "";
  for (const specifier of FACES) {
    const path = Bun.resolveSync(specifier, import.meta.dir);
    const faces = await readFile(path, "utf8");
    for (const [, name] of faces.matchAll(/url\(\.\/files\/([\w-]+\.woff2)\)/g)) {
      if (name) files.set(name, await readFile(join(dirname(path), "files", name)));
    }
    styles += faces.replaceAll("url(./files/", "url(");
  }
  styles += await readFile(source, "utf8");
  return files.set("markdown.css", new TextEncoder().encode(styles));
}
