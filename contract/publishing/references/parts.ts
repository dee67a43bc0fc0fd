// Combines the references of several documents with their files. Separate from collect.ts, which the command line loads
// only to collect.
import type { DocumentFiles, ReferencePlace } from "./collect.ts";

/** A URL that a document has several times is told once. */
export function onceEach<Place extends ReferencePlace>(places: readonly Place[]): Place[] {
  const listed = new Map<string, Place>();
  for (const place of places) {
    const key = `${place.file ?? ""}\0${place.url}`;
    if (!listed.has(key)) listed.set(key, place);
  }
  return [...listed.values()];
}

/**
 * Of these documents, by their paths, those that are published as files of others: others import them, or load them as
 * pages that no document links to.
 */
export function partsAmong(
  found: ReadonlyMap<string, Pick<DocumentFiles, "imports" | "pages" | "links">>,
): ReadonlySet<string> {
  const parts = new Set<string>();
  for (const [path, own] of found) {
    const others = [...found].filter(([other]) => other !== path);
    const isImported = others.some(([other, { imports }]) => imports.has(path) && !own.imports.has(other));
    const isLoaded = others.some(([other, { pages }]) => pages.has(path) && !own.pages.has(other));
    const isLinked = others.some(([, { links }]) => links.some(({ target }) => target === path));
    if (isImported || (isLoaded && !isLinked)) parts.add(path);
  }
  return parts;
}
