// The title and description that a markdown file's front matter gives. YAML alone; what can't be read says nothing.
import { frontMatterOf } from "@plinth/contract/front-matter";
import { noteLength, titleLength } from "@plinth/contract/limits";
import { isScalar, parseDocument, type Document } from "yaml";

/** Characters; more than that is no description of a document. */
const MAX_LENGTH = 32_768;

export interface Described {
  readonly title: string | null;
  readonly description: string | null;
}

const nothing: Described = { title: null, description: null };

/** Front matter that is no YAML is no error here: it is only where a title may be taken from. */
export function described(content: string): Described {
  const matter = frontMatterOf(content);
  if (matter?.format !== "yaml" || matter.text.length > MAX_LENGTH) return nothing;
  // Every scalar as it is written: a title may be a year or "yes". No alias is followed, so none can grow.
  const document = parseDocument(matter.text, { schema: "failsafe", logLevel: "silent" });
  if (document.errors.length > 0) return nothing;
  return { title: field(document, "title", titleLength), description: field(document, "description", noteLength) };
}

function field(document: Document.Parsed, name: string, length: number): string | null {
  const node = "get" in (document.contents ?? {}) ? document.get(name, true) : null;
  if (!isScalar(node) || typeof node.value !== "string") return null;
  const text = node.value.replaceAll(/\s+/g, " ").trim();
  return text === "" ? null : Array.from(text).slice(0, length).join("").trim();
}
