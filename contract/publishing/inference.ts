// Infers type, title and description of a published file where the caller gives none (docs/reference/contract.md §7);
// slug.ts infers the slug. `plinth push` and the publish page use the same functions. Pure.
import { titleLength } from "../limits.ts";
import type { ArtifactType } from "../schemas/artifact.ts";
import { extension, fileName } from "./document-type.ts";
import { described, type Described } from "./described.ts";
import { markdownHeadings } from "./markdown-headings.ts";

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

/** Where the Markdown front matter publishes the document, and whether privately. */
export const inferPlace = (
  type: ArtifactType,
  content: string,
): Pick<Described, "slug" | "projectSlug" | "isPrivate"> =>
  type === "md" ? described(content) : { slug: null, projectSlug: null, isPrivate: false };

/** The title that an html document gives itself; null where it has none. It is only a suggestion. */
export function ownTitleOf(type: ArtifactType, content: string): string | null {
  if (type !== "html") return null;
  const start = content
    .slice(0, htmlHeadLength)
    .replaceAll(/<!--[\s\S]*?-->|<(script|style|svg)\b[\s\S]*?<\/\1>/gi, "");
  const found = /<title\b[^>]*>([^<]*)<\/title>/i.exec(start)?.[1] ?? "";
  const title = found
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (entity, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? entity;
      const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
    })
    .replaceAll(/\s+/g, " ")
    .trim();
  return title === "" ? null : Array.from(title).slice(0, titleLength).join("");
}

/** UTF-16 units; a title stands before the content. */
const htmlHeadLength = 64 * 1024;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  middot: "·",
  hellip: "…",
  copy: "©",
};

const stem = (path: string): string => {
  const name = fileName(path);
  return name.slice(0, name.length - extension(name).length);
};

const encoder = new TextEncoder();

/** The text of the first heading that has some. */
export function firstHeading(content: string): string | null {
  for (const { written } of markdownHeadings(encoder.encode(content.replaceAll(/\r\n?/g, "\n")))) {
    const text = plainText(written);
    if (text !== "") return text;
  }
  return null;
}

/** Much longer than a title, and short enough for patterns that backtrack. */
const headingLength = 1000;

/** Removes inline marks: a title is not Markdown. */
function plainText(inline: string): string {
  return inline
    .slice(0, headingLength)
    .replaceAll("\n", " ")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<\/?[A-Za-z][^>]*>/g, "")
    .replaceAll(/(\*\*|__|~~|`+)(.+?)\1/g, "$2")
    .replaceAll(/(?<![\p{L}\p{N}])([*_])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, "$2")
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
    .trim();
}
