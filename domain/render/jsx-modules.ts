// The modules a jsx document may import, and what is said of any other.
// The runtime is built from the same list, so that every name here resolves.

/** The modules served to jsx documents by this instance. */
export const JSX_MODULES = ["react", "react-dom", "react-dom/client", "react/jsx-runtime"] as const;

/** Those of them that a document names itself; the rest is for compiled code. */
export const IMPORTABLE: readonly string[] = JSX_MODULES.filter((name) => name !== "react/jsx-runtime");

/** One sentence on an import that cannot be: the nearest name where one is near, and the whole list. */
export function unknownModule(specifier: string): string {
  const near = IMPORTABLE.map((name) => ({ name, distance: editDistance(specifier, name) }))
    .filter(({ name, distance }) => distance <= Math.ceil(name.length / 4))
    .sort((a, b) => a.distance - b.distance)[0];
  const hint = near ? ` Did you mean "${near.name}"?` : "";
  const shown = JSON.stringify(specifier.length > 80 ? `${specifier.slice(0, 80)}…` : specifier);
  return `${shown} cannot be imported.${hint} A document may import ${IMPORTABLE.join(", ")}.`;
}

/** Levenshtein's distance, without regard to case; a name far too long is simply far. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return Infinity;
  const right = Array.from(b.toLowerCase());
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, left] of Array.from(a.toLowerCase()).entries()) {
    const next = [i + 1];
    for (const [j, character] of right.entries()) {
      const substituted = (row[j] ?? 0) + (left === character ? 0 : 1);
      next.push(Math.min(substituted, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? Infinity;
}
