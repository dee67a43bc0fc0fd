// Refuses a jsx document that imports a package that there is not, while it is published.
import type { Database } from "@plinth/db/connection";

import { keptBundle } from "../packages/keep.ts";
import { bundleRequest } from "../packages/bundle/make-bundle.ts";
import { mapUrl } from "../packages/cdn/map-url.ts";
import { isBundleWanted } from "../packages/cdn/wanted.ts";
import { absentPackages } from "../packages/existence.ts";
import { jsxReferences } from "../packages/find/jsx-references.ts";
import { rootOf, type PackageImport } from "../render/jsx/package-imports.ts";
import { mostProblems } from "../render/jsx/problems.ts";
import { unknownModule } from "../render/jsx/unknown.ts";
import { JsxError, withFileName } from "../threads/jsx.ts";

/** @param registryUrl null where no packages are fetched; then those are required to be kept. @throws JsxError */
export async function requirePackages(
  db: Database,
  registryUrl: string | null,
  imports: readonly PackageImport[],
): Promise<void> {
  if (imports.length === 0) return;
  const absent = registryUrl === null ? await withoutRegistry(db, imports) : await inRegistry(registryUrl, imports);
  const problems = absent.map(({ specifier, use: _use, reason, ...place }) => {
    const { at: _at, ...problem } = unknownModule(specifier, 0, reason);
    return withFileName({ ...problem, ...place });
  });
  if (problems.length > 0) throw new JsxError(problems.slice(0, mostProblems));
}

type Absent = PackageImport & { readonly reason: string };

async function inRegistry(url: string, imports: readonly PackageImport[]): Promise<Absent[]> {
  const nameOf = ({ specifier }: PackageImport): string => rootOf(specifier) ?? specifier;
  const absent = await absentPackages({ url }, imports.map(nameOf));
  return imports
    .filter((one) => absent.has(nameOf(one)))
    .map((one) => ({ ...one, reason: `The package registry has no ${JSON.stringify(nameOf(one))}.` }));
}

/** The same imports were kept together for another document, or none of them is to be had. */
async function withoutRegistry(db: Database, imports: readonly PackageImport[]): Promise<Absent[]> {
  const wanted = jsxReferences(imports).flatMap(({ url, use }) => (mapUrl(url, use) ?? []).filter(isBundleWanted));
  if ((await keptBundle(db, bundleRequest(wanted, true))) !== null) return [];
  return imports.map((one) => ({ ...one, reason: "This instance fetches no packages." }));
}
