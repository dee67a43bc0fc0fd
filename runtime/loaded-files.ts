// Finds the files that a browser loads with a module of the runtime: the static imports of the built code.

const TRANSPILER = new Bun.Transpiler({ loader: "js" });

/** For each of `entries` the files that it imports and those that these import, without itself, nearest first. */
export function loadedFiles(
  entries: readonly string[],
  contents: ReadonlyMap<string, Uint8Array>,
): Record<string, string[]> {
  const direct = new Map<string, string[]>();
  const importsOf = (file: string) => {
    const known = direct.get(file);
    if (known) return known;
    const found = TRANSPILER.scanImports(contents.get(file) ?? "")
      .filter(({ kind }) => kind === "import-statement")
      .map(({ path }) => path.replace(/^\.\//, ""));
    direct.set(file, found);
    return found;
  };
  return Object.fromEntries(entries.map((entry) => [entry, reachable(entry, importsOf)]));
}

function reachable(entry: string, importsOf: (file: string) => string[]): string[] {
  const met = new Set([entry]);
  for (const file of met) for (const next of importsOf(file)) met.add(next);
  met.delete(entry);
  return [...met];
}
