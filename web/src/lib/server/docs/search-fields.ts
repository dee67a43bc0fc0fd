// The index and search options of the documentation: the build and the server need the same.
import type { Options } from "minisearch";

export interface IndexedPart {
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
