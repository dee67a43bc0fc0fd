// The images and links of a markdown document, those of the html in it included.
import createMarkdownIt, { type MarkdownIt } from "markdown-it";

import { frontMatterOf } from "../../front-matter.ts";
import { withCallouts } from "../markdown/callouts.ts";
import { withWikiSyntax } from "../markdown/wiki-syntax.ts";

import { markdownHtmlReferences } from "./html-references.ts";
import type { Reference } from "./reference.ts";

type Token = ReturnType<MarkdownIt["parse"]>[number];

const parser = createMarkdownIt({ html: true });
// Fragments do not count here.
withWikiSyntax(parser, (heading) => heading);
withCallouts(parser);
// As they are written, entities and escapes decoded; which of them are paths is another module's to say.
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;
// A footnote has the form of a reference definition.
parser.core.ruler.after("block", "footnotes", ({ env }) => {
  const { references = {} } = env as { references?: Record<string, unknown> };
  for (const label of Object.keys(references)) if (label.startsWith("^")) delete references[label];
});

export function markdownReferences(source: string): Reference[] {
  const body = frontMatterOf(source)?.body ?? source;
  const skipped = source.slice(0, source.length - body.length).split("\n").length - 1;
  const found: Reference[] = [];
  let line = 1;
  for (const token of parser.parse(body, {})) {
    // The cells of a table have no line; their row has.
    if (token.map) line = token.map[0] + 1 + skipped;
    if (token.type === "html_block") found.push(...htmlIn(token.content, line));
    else if (token.children) found.push(...inlineReferences(token.children, line));
  }
  return found;
}

function inlineReferences(tokens: readonly Token[], firstLine: number): Reference[] {
  const found: Reference[] = [];
  let line = firstLine;
  for (const token of tokens) {
    const url = String(token.attrGet(token.type === "image" ? "src" : "href") ?? "");
    if (token.type === "softbreak" || token.type === "hardbreak") line++;
    else if (token.type === "image") found.push({ url, line, use: "load", from: "file" });
    else if (token.type === "link_open") found.push({ url, line, use: "link", from: "file" });
    else if (token.type === "html_inline") {
      found.push(...htmlIn(token.content, line));
      line += token.content.split("\n").length - 1;
    }
  }
  return found;
}

const htmlIn = (html: string, line: number): Reference[] =>
  /<(?:a|img|source|video|audio|track)\s/i.test(html) ? markdownHtmlReferences(html, line) : [];
