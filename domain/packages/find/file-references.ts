// The URLs that a style sheet or a script beside a document loads. Runs on hostile text: child processes only.
import { remoteUrl, type Reference, type ReferenceUse } from "../reference.ts";
import { scriptLoads } from "./script-loads.ts";
import { scriptImports } from "./script-references.ts";
import { styleUrls } from "./style-references.ts";

/** More are left as they are, as in a document. */
const placesMax = 5000;

export const styleSheetReferences = (text: string): Reference[] =>
  styleUrls(text)
    .flatMap(({ url, use, ...place }) => reference(url, use, place))
    .slice(0, placesMax);

export function scriptReferences(text: string): Reference[] {
  const imports = scriptImports(text, "module").filter(({ specifier }) => /^(?:https?:)?\/\//.test(specifier));
  const found = [
    ...imports.flatMap(({ specifier, start, end }) => reference(specifier, "module", { start, end, syntax: "string" })),
    ...scriptLoads(text, "module").flatMap(({ url, use, ...place }) => reference(url, use, place)),
  ];
  return found.slice(0, placesMax);
}

function reference(text: string, use: ReferenceUse, place: NonNullable<Reference["place"]>): Reference[] {
  const url = remoteUrl(text);
  return url === null ? [] : [{ url, use, place }];
}
