// Builds the documentation: reads its sources, renders every page and indexes their texts for the search. It runs when
// the web app is built, and in `bun run dev`. A checkout without `docs/` has the generated pages alone.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

import MiniSearch from "minisearch";

import type { Documentation, DocsPage } from "../src/lib/server/docs/documentation.ts";
import { searchFields } from "../src/lib/server/docs/search-fields.ts";
import { commandLink, commandPages } from "./command-pages.ts";
import { commandSource, contents, replaced, root, type ContentsSection, type SourcePage } from "./contents.ts";
import { errorPages } from "./error-pages.ts";
import { createHighlight } from "./highlight.ts";
import { renderMarkdown } from "./markdown.ts";
import { restPages } from "./rest-pages.ts";

/** What generated documents say to those who change the repository. */
const generatedBy = /^Written by `bun run [^.]*\.\s+/m;

export async function buildDocs(): Promise<Documentation> {
  const highlight = await createHighlight();
  const sections = contents.map((section) => ({ title: section.title, pages: pagesOf(section) }));
  const urls = new Map(
    contents.flatMap(({ pages }) => pages.map(({ source, path }) => [source, urlOf(path)] as const)),
  );
  const pages: DocsPage[] = [];
  const index = new MiniSearch(searchFields);
  for (const { title: section, pages: sources } of sections)
    for (const { path, label, markdown, source, isOfInstance, isUnlisted } of sources) {
      const linkOf = (href: string) => resolveLink(href, source, urls);
      const rendered = renderMarkdown(markdown, linkOf, highlight);
      const { title, html, headings, parts } = rendered;
      pages.push({
        url: urlOf(path),
        label,
        title: title || label,
        section,
        description: firstWords(parts.find(({ text }) => text.trim() !== "")?.text ?? ""),
        headings: headings.filter(({ level }) => level <= (path.startsWith("rest/") ? 2 : 3)),
        html,
        markdown: withAbsoluteLinks(markdown, linkOf),
        isOfInstance: isOfInstance ?? false,
        isListed: isUnlisted === undefined,
      });
      for (const { id, heading, text } of parts) {
        if (heading === "" && text === "") continue;
        index.add({
          id: `${urlOf(path)}${id && `#${id}`}`,
          page: title,
          section,
          heading: heading || title,
          text,
        });
      }
    }
  return { pages, index: JSON.stringify(index) };
}

const urlOf = (path: string): string => (path === "" ? "/docs" : `/docs/${path}`);

function pagesOf({ pages, generated }: ContentsSection): SourcePage[] {
  const written = pages.flatMap(({ source, ...page }): SourcePage[] => {
    const markdown = readSource(source);
    return markdown === null ? [] : [{ ...page, source, markdown }];
  });
  return [...written, ...generatedPages(generated)];
}

function generatedPages(kind: ContentsSection["generated"]): SourcePage[] {
  switch (kind) {
    case "rest":
      return restPages();
    case "errors":
      return errorPages();
    case "cli": {
      const reference = readSource(commandSource);
      return reference === null ? [] : commandPages(reference).map((page) => ({ ...page, source: commandSource }));
    }
    case undefined:
      return [];
  }
}

/**
 * The text of a file without the sections that are other pages, or of one section with its heading as the title;
 * null where the file is missing.
 */
function readSource(source: string): string | null {
  const [file = "", section] = source.split("#");
  const path = join(root, file);
  if (!existsSync(path)) return null;
  const text = readFileSync(path, "utf8").replace(generatedBy, "");
  const sections = text.split(/^(?=## )/m);
  const isAt = (part: string, name: string) => part.startsWith(`## ${name}\n`);
  if (section === undefined)
    return sections.filter((part) => !ownPages(file).some((name) => isAt(part, name))).join("");
  const found = sections.find((part) => isAt(part, section))?.slice("## ".length);
  return found === undefined ? null : `# ${found}`;
}

/** The sections of a file that are pages. */
const ownPages = (file: string): string[] =>
  contents
    .flatMap(({ pages }) => pages.map(({ source }) => source.split("#")))
    .flatMap(([of, section]) => (of === file && section !== undefined ? [section] : []));

/** The URL of a link in a source; null for files that are not part of the documentation. */
function resolveLink(href: string, source: string | undefined, urls: ReadonlyMap<string, string>): string | null {
  if (source === commandSource && href.startsWith("#")) return commandLink(href) ?? `/docs/cli${href}`;
  if (/^(?:https?:|mailto:|#|\/)/.test(href)) return href;
  const [file = "", fragment] = href.split("#");
  const path = posix.join(dirname(source ?? ""), file);
  const whole = fragment === undefined ? path : `${path}#${fragment}`;
  const other = replaced[whole];
  if (other !== undefined) return other;
  const url = replaced[path] ?? urls.get(path);
  return url === undefined ? null : fragment === undefined ? url : `${url}#${fragment}`;
}

const withAbsoluteLinks = (markdown: string, linkOf: (href: string) => string | null): string =>
  markdown.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (all, text: string, href: string) => {
    const url = linkOf(href);
    return url === null ? text : url === href ? all : `[${text}](${url})`;
  });

/** For search engines and link previews: whole words, at most so many characters. */
function firstWords(text: string, length = 155): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  if (words.length <= length) return words;
  const cut = words.slice(0, length);
  return `${cut.slice(0, cut.lastIndexOf(" "))}…`;
}
