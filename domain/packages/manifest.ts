// A package's package.json, of which nothing is certain.
import { parsedJson } from "@plinth/platform/malformed";

export type Manifest = Readonly<Record<string, unknown>>;

/** Empty where there is none, or it is no JSON object: a browser never reads it, and the package still has its files. */
export function manifestOf(text: string): Manifest {
  const manifest = parsedJson(text);
  return typeof manifest === "object" && manifest !== null ? (manifest as Manifest) : {};
}
