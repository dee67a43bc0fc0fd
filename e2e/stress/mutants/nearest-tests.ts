// Finds the tests that reach a source file, the nearest first: by the imports, and by the paths that a source names.
import { parseSync } from "oxc-parser";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

/** A folder's sources, by their paths from the root. */
export function sourcesIn(root: string, folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: root })])
    .filter((file) => !/(?:^|\/)(?:node_modules|build|dist)\//.test(file) && !file.endsWith(".d.ts"))
    .toSorted();
}

export const isTest = (file: string): boolean => file.endsWith(".test.ts") && !file.endsWith(".redis.test.ts");

/** For each file, the files that import or name it. */
export function importersOf(root: string, files: readonly string[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    for (const named of namedIn(file, readFileSync(join(root, file), "utf8"))) {
      const target = resolved(root, file, named);
      if (target !== null) importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  return importers;
}

function namedIn(file: string, source: string): string[] {
  const { staticImports, staticExports } = parseSync(file, source).module;
  const exported = staticExports.flatMap(({ entries }) =>
    entries.map(({ moduleRequest }) => moduleRequest?.value ?? ""),
  );
  // A thread's file, or one that is imported at run time.
  const mentioned = [...source.matchAll(/["'](\.{1,2}\/[\w./-]+\.ts|@plinth\/[\w./-]+)["']/g)].map(
    ([, path = ""]) => path,
  );
  return [...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...mentioned];
}

function resolved(root: string, from: string, named: string): string | null {
  const path = named.startsWith("@plinth/")
    ? named.slice("@plinth/".length).replace(/^support\//, "e2e/support/")
    : named.startsWith(".")
      ? relative(root, join(root, dirname(from), named))
      : null;
  if (path === null) return null;
  return [path, `${path}.ts`].find((one) => /\.tsx?$/.test(one) && existsSync(join(root, one))) ?? null;
}

/** Whether a file is a test or written for tests alone by its name. */
export const isTestCode = (file: string): boolean => /\.test\.tsx?$|(?:^|\/)(?:test\/|testing\.tsx?$)/.test(file);

/** Whether only tests lead to a file: a model that results are compared with, for example. */
export function isTestSupport(file: string, importers: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  if (!importers.has(file)) return false;
  const seen = new Set([file]);
  for (const at of seen) {
    const above = importers.get(at);
    if (above === undefined) return false;
    for (const importer of above) if (!isTestCode(importer)) seen.add(importer);
  }
  return true;
}

/** Whether a test is named after a file, or after a part of it: `math.test.ts` of `math-syntax.ts`. */
function isNamedAfter(test: string, stem: string): boolean {
  const subject = basename(test, ".test.ts");
  return subject.includes(stem) || stem.startsWith(`${subject}-`) || stem.endsWith(`-${subject}`);
}

/** The words of a piece of source, and the words that its names are made of. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/[A-Za-z][\w-]*/g)]
      .flatMap(([name]) => [name, ...name.split(/[_-]|(?<=[a-z])(?=[A-Z])/)])
      .map((word) => word.toLowerCase())
      .filter((word) => word.length > 2),
  );

/**
 * The test files that reach a file, best first: its own test, those that import it, those of its folder, then all others.
 * Of equally near ones first those that share the rarest words with the source `around` the change.
 */
export function testsReaching(
  root: string,
  file: string,
  importers: ReadonlyMap<string, ReadonlySet<string>>,
  around = "",
): string[] {
  const distances = new Map([[file, 0]]);
  for (const [at, distance] of distances)
    for (const importer of importers.get(at) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  const stem = basename(file, ".ts");
  const folder = dirname(file);
  const words = wordsOf(`${around} ${stem} ${basename(folder)}`);
  const found = [...distances].filter(([test]) => isTest(test));
  const uses = new Map([...words].map((word) => [word, 0]));
  const ranked = found.map(([test, distance]) => {
    const near = Math.min(distance, dirname(test) === folder ? 1.5 : 2);
    const score = test === `${folder}/${stem}.test.ts` ? 0 : near - (isNamedAfter(test, stem) ? 0.7 : 0);
    const shared = [...wordsOf(readFileSync(join(root, test), "utf8"))].filter((word) => words.has(word));
    for (const word of shared) uses.set(word, (uses.get(word) ?? 0) + 1);
    return { test, score, shared };
  });
  const rarity = (shared: readonly string[]) =>
    shared.reduce((sum, word) => sum + Math.log(found.length / (uses.get(word) ?? 1)), 0);
  return ranked
    .map(({ test, score, shared }) => ({ test, score, rarity: rarity(shared) }))
    .toSorted((one, other) => one.score - other.score || other.rarity - one.rarity)
    .map(({ test }) => test);
}
