// Infers type, title and description of a published file where the caller gives none (docs/reference/contract.md §7);
// slug.ts infers the slug. `plinth push` and the publish page use the same functions, but for titles (web-title.ts). Pure.
import { titleLength } from "../limits.ts";
import type { ArtifactType } from "../schemas/artifact.ts";
import { extension, fileName } from "./document-type.ts";
import { described, type Described } from "./described.ts";
import { markdownHeadings } from "./markdown-headings.ts";
import { withoutMarks } from "./markdown/without-marks.ts";

/**
 * The title: Markdown front matter, else the first heading, else the file name without its extension; null for standard
 * input without either.
 */
export function inferTitle(name: string, type: ArtifactType, content: string): string | null {
  const given = type === "md" ? (described(content).title ?? firstHeading(content)) : null;
  const title = given ?? (name === "-" ? null : fileStem(name));
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

/** The name of a file without its folder and extension. */
export const fileStem = (path: string): string => {
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
export function plainText(inline: string): string {
  return withoutMarks(inline.slice(0, headingLength))
    .replaceAll("\n", " ")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<\/?[A-Za-z][^>]*>/g, "")
    .replaceAll(/(\*\*|__|~~|`+)(.+?)\1/g, "$2")
    .replaceAll(/(?<![\p{L}\p{N}])([*_])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, "$2")
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
    .trim();
}
