// A further attempt at a lock: what an earlier one pinned stays, however many versions were released since. Pure.
import { mapUrl } from "./cdn/map-url.ts";
import { isFileWanted } from "./cdn/package-file.ts";
import type { LockEntry, PackageLock } from "./lock.ts";
import type { Reference } from "./reference.ts";

const keyOf = ({ url, use }: Pick<Reference, "url" | "use">): string => `${use} ${url}`;

/** Modules of a bundle are made together, so that what they share is there once. */
const isOfBundle = ({ url, use }: Pick<Reference, "url" | "use">): boolean =>
  mapUrl(url, use)?.some((wanted) => !isFileWanted(wanted)) === true;

/** The references that the earlier lock has no files for. */
export function openReferences(references: readonly Reference[], earlier: PackageLock): Reference[] {
  const isWhole = ({ missing, without = [] }: LockEntry) => missing === null && without.length === 0;
  const pinned = new Set(earlier.entries.filter(isWhole).map(keyOf));
  const open = (reference: Reference) => !pinned.has(keyOf(reference));
  const bundles = references.some((reference) => open(reference) && isOfBundle(reference));
  return references.filter((reference) => open(reference) || (bundles && isOfBundle(reference)));
}

/** The entries of both attempts, the later one's first where both have one, in the order of the document. */
export function entriesInOrder(
  references: readonly Reference[],
  later: PackageLock,
  earlier: PackageLock | null,
): LockEntry[] {
  const entries = new Map([...(earlier?.entries ?? []), ...later.entries].map((entry) => [keyOf(entry), entry]));
  return [...new Set(references.filter(({ use }) => use !== "file").map(keyOf))].flatMap(
    (key) => entries.get(key) ?? [],
  );
}

/** The files beside the document, which are not there. */
export const missingFiles = (references: readonly Reference[]): LockEntry[] =>
  references
    .filter(({ use }) => use === "file")
    .map(({ url, use }) => ({
      url,
      use,
      files: [],
      missing: { code: "not-published", detail: "It was beside the document" },
    }));
