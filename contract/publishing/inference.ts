// Infers type, title and description of a published file where the caller gives none (docs/reference/contract.md §7);
// slug.ts infers the slug. `plinth push` and the publish page use the same functions. Pure.
import { frontMatterOf } from "../front-matter.ts";
import { titleLength } from "../limits.ts";
import type { ArtifactType } from "../schemas/artifact.ts";
import { described } from "./described.ts";

const types: Readonly<Record<string, ArtifactType>> = {
  ".md": "md",
  ".markdown": "md",
  ".html": "html",
  ".htm": "html",
  ".jsx": "jsx",
  ".tsx": "jsx",
};

export const knownExtensions: readonly string[] = Object.keys(types);

/** The type by the file extension; null for an unknown extension. */
export const inferType = (name: string): ArtifactType | null => types[extension(name).toLowerCase()] ?? null;

/**
 * The title: Markdown front matter, else the first heading, else the file name without its extension; null for standard
 * input without either.
 */
export function inferTitle(name: string, type: ArtifactType, content: string): string | null {
  const given = type === "md" ? (described(content).title ?? firstHeading(content)) : null;
  const title = given ?? (name === "-" ? null : stem(name));
  return title === null ? null : Array.from(title).slice(0, titleLength).join("");
}

/** The description in Markdown front matter; null where there is none. */
export const inferDescription = (type: ArtifactType, content: string): string | null =>
  type === "md" ? described(content).description : null;

/** The last part of a path with `/` or `\\`. */
const fileName = (path: string): string => /[^/\\]*$/.exec(path.replace(/[/\\]+$/, ""))?.[0] ?? "";

/** The extension with its dot; empty where the whole name is an extension. */
const extension = (path: string): string => /[^.](\.[^.]*)$/.exec(fileName(path))?.[1] ?? "";

const stem = (path: string): string => {
  const name = fileName(path);
  return name.slice(0, name.length - extension(name).length);
};

/** The text of the first heading outside code, comments and front matter. */
export function firstHeading(content: string): string | null {
  const text = frontMatterOf(content)?.body ?? content.replace(/^\uFEFF/, "");
  const lines = text.split(/\r\n|\r|\n/);
  let fence: string | null = null;
  let comment = false;
  let above = "";
  for (const line of lines) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      above = "";
      continue;
    }
    if (comment || /^ {0,3}<!--/.test(line)) {
      comment = !line.includes("-->");
      continue;
    }
    const hashes = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/.exec(line);
    const underlined = /^ {0,3}(=+|-+)[ \t]*$/.test(line) && above !== "";
    const text = hashes
      ? plainText((hashes[1] ?? "").replace(/(^|[ \t])#+[ \t]*$/, ""))
      : underlined
        ? plainText(above)
        : "";
    if (text !== "") return text;
    // Only a paragraph can be underlined into a heading.
    above = /^( {4}|\t| {0,3}(>|[-+*][ \t]|\d+[.)][ \t]|\||#))/.test(line) ? "" : line.trim();
  }
  return null;
}

/** Much longer than a title, and short enough for patterns that backtrack. */
const headingLength = 1000;

/** Removes inline marks: a title is not Markdown. */
function plainText(inline: string): string {
  return inline
    .slice(0, headingLength)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<\/?[A-Za-z][^>]*>/g, "")
    .replaceAll(/(\*\*|__|~~|`+)(.+?)\1/g, "$2")
    .replaceAll(/(?<![\p{L}\p{N}])([*_])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, "$2")
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
    .trim();
}
