// The search of the documentation: parts of pages, the best first, with the words around a match.
import MiniSearch, { type Options } from "minisearch";

import { loadDocs } from "./docs.ts";

// The index and search options of the documentation: the build and the server need the same.
interface IndexedPart {
  /** The URL of the part. */
  readonly id: string;
  readonly page: string;
  readonly section: string;
  readonly heading: string;
  readonly text: string;
}

export const searchFields: Options<IndexedPart> = {
  fields: ["heading", "page", "text"],
  storeFields: ["page", "section", "heading", "text"],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};

interface FoundPart {
  readonly url: string;
  readonly heading: string;
  readonly page: string;
  readonly section: string;
  /** Plain text in parts; every second one matches. */
  readonly snippet: readonly string[];
}

/** Characters of a query; what follows is not searched for. */
export const docsQueryLength = 100;
const maxWords = 8;
const maxResults = 30;
const snippetLength = 180;

let loading: Promise<MiniSearch<IndexedPart>> | undefined;
const loadIndex = () =>
  (loading ??= loadDocs().then(({ index }) => MiniSearch.loadJSON<IndexedPart>(index, searchFields)));

/** Finds parts that have every word; where there are none, those that have some. */
export async function searchDocs(query: string): Promise<FoundPart[]> {
  const words = query.slice(0, docsQueryLength).split(/\s+/).filter(Boolean).slice(0, maxWords).join(" ");
  if (words === "") return [];
  const index = await loadIndex();
  const every = index.search(words);
  const found = every.length > 0 ? every : index.search(words, { combineWith: "OR" });
  return found.slice(0, maxResults).map((result) => ({
    url: String(result.id),
    heading: String(result["heading"]),
    page: String(result["page"]),
    section: String(result["section"]),
    snippet: snippetOf(String(result["text"]).replaceAll(/\s+/g, " "), result.terms),
  }));
}

function snippetOf(text: string, terms: readonly string[]): string[] {
  const pattern = new RegExp(`(${terms.map((term) => RegExp.escape(term)).join("|")})`, "gi");
  const first = Math.max(text.search(pattern), 0);
  const from = first < snippetLength / 2 ? 0 : text.indexOf(" ", first - snippetLength / 2) + 1;
  const cut = text.slice(from, from + snippetLength);
  const whole = from + snippetLength < text.length ? `${cut.slice(0, cut.lastIndexOf(" "))} …` : cut;
  return `${from > 0 ? "… " : ""}${whole}`.split(pattern);
}
