// Finds the metadata before a markdown document: a YAML mapping between `---` lines, TOML pairs between `+++` lines, or
// nothing between either. This is the one place that decides it; everything else at the top of a document is Markdown
// (docs/decisions/rendering.md, "Front matter").
import { FAILSAFE_SCHEMA, load, YAMLException } from "js-yaml";

import { textUpTo } from "./text-bytes.ts";

const opening = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n/;
const closing = { "---": /^(?:---|\.\.\.)[ \t]*\r?(?:\n|$)/gm, "+++": /^\+\+\+[ \t]*\r?(?:\n|$)/gm } as const;

/**
 * In UTF-16 units, with its delimiters. A longer block is Markdown, because the decision is made in the server's own
 * process, for texts of any length.
 */
const longest = 65_536;
/** Longer YAML is not parsed, but told by its lines. */
const parsedLength = 16_384;

interface FrontMatter {
  /** Of YAML, with every scalar as a string; empty where it has a mistake, is too long, or there is none. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The document's front matter; null where there is none or it has no end. */
export function frontMatterOf(source: string): FrontMatter | null {
  const found = find(source);
  return found && { fields: found.fields, body: source.slice(found.end) };
}

const encoder = new TextEncoder();
const byteOrderMark = "\uFEFF";

/** Where the text after the front matter and the byte order mark begins in the document's UTF-8. */
export function bodyOffset(bytes: Uint8Array): number {
  const from = textUpTo(bytes, 0, bytes.length, 1) === byteOrderMark ? 3 : 0;
  if (!/^(?:---|\+\+\+)/.test(textUpTo(bytes, from, bytes.length, 3))) return from;
  // One unit more tells that the text goes on.
  const start = textUpTo(bytes, 0, bytes.length, longest + 1);
  const found = find(start);
  return found === null ? from : encoder.encode(start.slice(0, found.end)).length;
}

/** The fields, and the offset behind the closing delimiter, in UTF-16 units. */
function find(source: string): { readonly fields: FrontMatter["fields"]; readonly end: number } | null {
  const [begin, mark] = opening.exec(source) ?? [];
  if (begin === undefined || (mark !== "---" && mark !== "+++")) return null;
  const pattern = closing[mark];
  pattern.lastIndex = begin.length;
  const found = pattern.exec(source.slice(0, longest + 1));
  if (!found) return null;
  const end = found.index + found[0].length;
  if (end > longest) return null;
  const text = source.slice(begin.length, found.index);
  const fields = mark === "---" ? fieldsOfYaml(text) : areEntries(withoutStrings(text), toml) ? {} : null;
  return fields && { fields, end };
}

/** A numbered list, a link definition or a placeholder, whose first words YAML would take for a key. */
const markdownFirst = /^(?:[ \t]*(?:#.*)?\r?\n)*(?:\d{1,9}[.)][ \t]|\[|\{\{)/;

function fieldsOfYaml(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === "") return {};
  if (markdownFirst.test(text)) return null;
  if (text.length > parsedLength) return areEntries(text, yaml) ? {} : null;
  try {
    const value = load(text, { schema: FAILSAFE_SCHEMA });
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch (error) {
    // A nesting too deep to parse is a mistake too.
    if (!(error instanceof YAMLException || error instanceof RangeError)) throw error;
    return areEntries(text, yaml) ? {} : null;
  }
}

interface Lines {
  readonly entry: RegExp;
  /** A line that continues the value of an entry above it. */
  readonly rest: RegExp;
}

const yaml: Lines = {
  entry: /^(?:[\p{L}_$][\p{L}\p{N}_.$-]*|"[^"]+"|'[^']+')[ \t]*:(?:[ \t]|$)/u,
  rest: /^(?:[ \t]|-(?:[ \t]|$)|[\]}])/,
};

const toml: Lines = {
  entry: /^[ \t]*(?:(?:[\w.-]+|"[^"]+"|'[^']+')[ \t]*=|\[\[?[^[\]]+\]\]?[ \t]*(?:#|$))/,
  rest: /^[ \t"'\d[\]{}+-]/,
};

/** TOML whose strings of several lines are empty. */
const withoutStrings = (text: string): string => text.replaceAll(/"""[\s\S]*?"""|'''[\s\S]*?'''/g, '""');

/**
 * Whether each line is an entry, a comment, blank or the rest of a value. Generators forgive mistakes (`title: A: B`,
 * `author: @ann`, tabs), and Markdown would show the block as a large heading. A key is one word here, because a
 * sentence with a colon is prose.
 */
function areEntries(text: string, { entry, rest }: Lines): boolean {
  let isInEntry = false;
  for (const whole of text.split("\n")) {
    const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    if (/^[ \t]*(?:#|$)/.test(line)) continue;
    if (entry.test(line)) isInEntry = true;
    else if (!isInEntry || !rest.test(line)) return false;
  }
  // Comments alone are empty TOML; between `---` they are headings of Markdown.
  return isInEntry || entry === toml.entry;
}
