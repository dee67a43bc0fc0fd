// Checks that a document that plain Chromium cannot open, markdown or jsx, shows what its source says.
import MarkdownIt from "markdown-it";

import { requiredProp } from "./documents-part.ts";
import { missingFile, textLoss, type Cause, type MissingPackage, type Verdict } from "./documents-compare.ts";
import type { Look } from "./documents-look.ts";
import type { SetDocument } from "./documents-set.ts";

/** The part of a markdown source's words that must be shown. */
const enoughWords = 0.985;

export function sourceVerdict(
  { type, content }: SetDocument,
  look: Look,
  missing: readonly MissingPackage[] = [],
): Verdict {
  const remote = look.imageBoxes.map((detail) => ({ kind: "another site: image", detail }));
  const failed = look.failed.map(({ url, why }) => ({ kind: `blocked: ${why}`, detail: url }));
  const isBeside = ({ detail }: Cause) => /^https?:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(detail);
  const causes = [
    ...missing.map(({ url, code, detail }) => ({ kind: `package: ${code}`, detail: `${url}: ${detail}` })),
    ...look.errors.map((detail) => ({ kind: "page error", detail: detail.split("\n")[0] ?? "" })),
    ...(type === "md" ? markdownCauses(content, look) : jsxCauses(look)),
    ...look.brokenImages.filter(hasHost).map((detail) => ({ kind: "broken image", detail })),
  ];
  const prop = type === "jsx" && causes.length > 0 ? requiredProp(content) : null;
  return {
    causes,
    elsewhere: [...remote, ...failed.filter((cause) => !isBeside(cause))],
    missingFiles: [
      ...look.images.filter((source) => !hasHost(source)).map(missingFile),
      ...failed.filter(isBeside),
      ...(prop === null ? [] : [{ kind: "part of an application", detail: `its component needs ${prop}` }]),
    ],
  };
}

const hasHost = (source: string): boolean => /^(?:[a-z]+:|\/\/)/i.test(source);

function markdownCauses(content: string, look: Look): Cause[] {
  const code = new Set(codeLines(content));
  const raw = look.text.split("\n").filter((line) => /^#{1,6} \S/.test(line) && !code.has(line.trim()));
  const [rawLine] = raw;
  const isRaw = rawLine !== undefined && raw.some((line) => line.startsWith("## "));
  return [
    ...(isRaw ? [{ kind: "raw source", detail: rawLine }] : []),
    ...textLoss(look.text, markdownText(content), enoughWords),
  ];
}

const jsxCauses = ({ text, drawings }: Look): Cause[] =>
  text.trim() === "" && drawings === 0 ? [{ kind: "blank", detail: "neither text nor a drawing" }] : [];

/** Lines of code blocks, which may begin with a number sign. */
const codeLines = (content: string): string[] =>
  parser
    .parse(content, {})
    .filter(({ type }) => type === "fence" || type === "code_block")
    .flatMap((token) => token.content.split("\n").map((line) => line.trim()));

const parser = new MarkdownIt({ html: true, linkify: false });

/** The text of a markdown source that every reader must see; without diagrams, formulas and shortcodes. */
function markdownText(content: string): string {
  const texts: string[] = [];
  const body = content.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "");
  for (const token of parser.parse(body, {})) {
    if (token.type === "fence" && !/^(?:mermaid|math)\b/.test(token.info)) texts.push(token.content);
    if (token.type === "code_block") texts.push(token.content);
    texts.push((token.children ?? []).map(inlineText).join(""));
  }
  return texts.join("\n").replaceAll(/\$\$[\s\S]*?\$\$|\$[^$\n]+\$|:[\w+-]+:|\[\^?[\w-]+\]|\[!\w+\]/g, " ");
}

/** Nothing for markup, so that a word with a part in bold stays one word. */
function inlineText({ type, content }: { readonly type: string; readonly content: string }): string {
  if (type === "text" || type === "code_inline") return content;
  return type.endsWith("break") || /^<br\b/i.test(content) ? "\n" : "";
}
