// A package's package.json, of which nothing is certain.

export type Manifest = Readonly<Record<string, unknown>>;

/** Empty where there is none, or it is no JSON object: a browser never reads it, and the package still has its files. */
export function manifestOf(text: string): Manifest {
  try {
    const manifest: unknown = JSON.parse(text);
    return typeof manifest === "object" && manifest !== null ? (manifest as Manifest) : {};
  } catch {
    return {};
  }
}
