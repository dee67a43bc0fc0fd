// The paths of the file that an import of a jsx document can mean. The command line finds files by them, and the
// compiler reads them.

/** Endings that an import may leave out, in the order in which bundlers try them. */
const endings = ["", ".tsx", ".ts", ".jsx", ".js", ".mjs", ".json"];
const endingsOfFolder = endings.slice(1).map((ending) => `/index${ending}`);

/** The paths that an import of a path may mean, the first that there is. */
export function importCandidates(path: string): string[] {
  if (path === "") return endingsOfFolder.map((ending) => ending.slice(1));
  // TypeScript's imports name the script that a compiler would write.
  const written = /\.jsx?$/.test(path) ? [path.replace(/\.js(x?)$/, ".ts$1"), path.replace(/\.js$/, ".tsx")] : [];
  return [...endings.map((ending) => path + ending), ...written, ...endingsOfFolder.map((ending) => path + ending)];
}

/** What follows the alias that projects give their sources (`@/lib/words`); null for an import without it. */
export const afterAlias = (specifier: string): string | null => /^[@~]\/(.*)$/s.exec(specifier)?.[1] ?? null;

/** Where sources with the alias are looked up, in the directory of the document and in the root of its files. */
export const sourceFolders: readonly string[] = ["", "src/"];
