// Builds the documentation: reads its sources, renders every page and indexes their texts for the search. It runs when
// the web app is built, and in `bun run dev`. A checkout without `docs/` has the generated pages alone.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

import MiniSearch from "minisearch";
import { errorWords } from "@plinth/contract/error-words";
import { AppError, type ErrorCode, errorCodes, toProblem } from "@plinth/contract/errors";
import { describedOperations } from "@plinth/contract/openapi";
import { errorsOf } from "@plinth/contract/operation-errors";

import type { Documentation, DocsPage } from "../src/lib/server/docs/documentation.ts";
import { searchFields } from "../src/lib/server/docs/search-docs.ts";
import { commandLink, commandPages } from "./command-pages.ts";
import { commandSource, contents, type ContentsSection, replaced, root, type SourcePage } from "./contents.ts";
import { createHighlight, renderMarkdown } from "./markdown.ts";
import { operationUrl, restPages, table } from "./rest-pages.ts";

// The pages of the error codes: a table of all, and one page for each, to which a problem's `type` leads.
const codes = Object.keys(errorCodes) as ErrorCode[];
const instance = "https://plinth.example.com";
/** Codes of so many operations are not listed. */
const listed = 12;

function errorPages(): SourcePage[] {
  return [
    { path: "errors", label: "Error codes", isOfInstance: true, markdown: overview() },
    ...codes.map((code) => ({
      path: `errors/${code}`,
      label: code,
      isOfInstance: true as const,
      isUnlisted: true as const,
      markdown: page(code),
    })),
  ];
}

const overview = (): string =>
  [
    "# Error codes",
    "A refused request is answered with a problem object (RFC 9457, `application/problem+json`). `code` never changes, so " +
      "programs can rely on it. `detail` says what was wrong this time, `hint` what to do next, and `errors` names each " +
      "field. `requestId` finds the request in the operator's log.",
    `\`\`\`json\n${example("slug_conflict", "The slug week-47 is taken in ada/reports")}\n\`\`\``,
    'MCP returns the same object as `_meta["plinth/problem"]`, and the command line prints it as `{"error": {…}}`; its ' +
      "exit codes are in [Command line](/docs/cli#exit-codes).",
    table(
      ["Code", "Status", "Meaning", "What to do"],
      codes.map((code) => [
        `[\`${code}\`](/docs/errors/${code})`,
        String(errorCodes[code].status),
        errorWords[code].meaning,
        errorWords[code].next,
      ]),
    ),
  ].join("\n\n");

function page(code: ErrorCode): string {
  const { status, title } = errorCodes[code];
  const { meaning, next } = errorWords[code];
  const operations = describedOperations.filter((op) => errorsOf(op).includes(code));
  return [
    `# ${title}`,
    `Status ${status}, code \`${code}\`. ${meaning}`,
    "## What to do",
    next,
    "The answer's `detail` says what was wrong this time, `hint` what to do next, and `errors` names each field. Its " +
      "`requestId` finds the request in the operator's log.",
    ...(operations.length === 0 || operations.length > listed
      ? []
      : [
          "## Operations that answer it",
          operations.map((op) => `- [${op.summary}](${operationUrl(op)}) \`${op.method} ${op.path}\``).join("\n"),
        ]),
    "[All error codes](/docs/errors)",
  ].join("\n\n");
}

const example = (code: ErrorCode, detail: string): string =>
  JSON.stringify(
    toProblem(new AppError(code, detail, { suggestion: "week-47-2" }), "0f6f2d0c9b7e4e5f", instance),
    null,
    2,
  );

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
