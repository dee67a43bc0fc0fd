// A jsx document as it was compiled, with kept modules for the packages that it imports.
import type { Database } from "@plinth/db/connection";

import { jsxReferences } from "../packages/find/jsx-references.ts";
import { compiledJsx } from "./compiled-jsx.ts";
import type { FramedVersion, RenderedVersion } from "./framed-version.ts";
import { askForLock, loadedPackages, missingPackages, rememberWithoutPackages } from "./package-documents.ts";
import type { Rendered } from "./renderings.ts";

/** The compiled document, with kept modules for the packages that it imports. */
export async function jsxContent(
  db: Database,
  { artifact: { title }, version, lock, files = null }: FramedVersion,
  { text, whole }: Rendered,
  fetchesPackages: boolean,
): Promise<RenderedVersion> {
  const compiled = compiledJsx(text);
  const content = { kind: "jsx", title, compiled, files } as const;
  if (compiled.packages.length === 0) {
    rememberWithoutPackages(version);
    return { content, isFinal: whole };
  }
  if (lock === undefined || lock === null) {
    if (lock === undefined || !fetchesPackages) return { content, isFinal: false };
    await askForLock(db, version);
    return fetching(title, missingPackages(jsxReferences(compiled.packages)));
  }
  return { content: { ...content, loaded: loadedPackages(lock) }, isFinal: whole && lock.isComplete };
}

/** Shown until the packages are there. */
export const fetching = (title: string, packages: number): RenderedVersion => ({
  content: {
    kind: "pending",
    title,
    text: "",
    status: packages === 1 ? "Fetching a package" : `Fetching ${packages} packages`,
  },
  isFinal: false,
});
