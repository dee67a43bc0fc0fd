// Real documents to search in: what the installed packages have to read, without what several of them have alike. None of
// it is in the repository.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

export interface RealDocument {
  /** The package and the path in it, such as `chalk/readme.md`: in lower case, without a version. */
  readonly path: string;
  readonly title: string;
  readonly content: string;
}

const packages = resolve(import.meta.dirname, "../../../node_modules/.bun");
const longest = 256 * 1024;
const shortest = 200;
/** Declarations have more words than sentences, and are taken where READMEs and other texts are too few. */
const isText = (name: string): boolean => name.endsWith(".md") || name.endsWith(".markdown");
const isDeclaration = (name: string): boolean => name.endsWith(".d.ts");

/** So many documents, the texts first; fewer where there are no more. The same for the same packages. */
export function realDocuments(count: number): RealDocument[] {
  const documents: RealDocument[] = [];
  const seen = new Set<string>();
  const files = [...filesOfPackages()];
  for (const isWanted of [isText, isDeclaration])
    for (const { path, file } of files) {
      if (documents.length >= count) return documents;
      const key = path.toLowerCase();
      if (!isWanted(key) || seen.has(key)) continue;
      const content = readFileSync(file, "utf8");
      const hash = createHash("sha256").update(content).digest("hex");
      if (content.length < shortest || content.length > longest || content.includes("\0") || seen.has(hash)) continue;
      seen.add(key).add(hash);
      documents.push({ path: key, title: titleOf(content, path), content });
    }
  return documents;
}

interface PackageFile {
  readonly path: string;
  readonly file: string;
}

function* filesOfPackages(): Generator<PackageFile> {
  for (const entry of readdirSync(packages).toSorted()) {
    const modules = join(packages, entry, "node_modules");
    if (!existsSync(modules)) continue;
    for (const name of packagesIn(modules)) {
      // What the package needs is a link to the folder of that.
      const folder = join(modules, name);
      if (existsSync(join(folder, "package.json")) && !isLink(modules, name)) yield* filesIn(folder, name);
    }
  }
}

const packagesIn = (modules: string): string[] =>
  readdirSync(modules)
    .toSorted()
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
    );

const isLink = (modules: string, name: string): boolean => {
  const [scope = "", short] = name.split("/");
  const parent = short === undefined ? modules : join(modules, scope);
  const entry = readdirSync(parent, { withFileTypes: true }).find((each) => each.name === (short ?? scope));
  return entry?.isSymbolicLink() ?? true;
};

function* filesIn(folder: string, path: string): Generator<PackageFile> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") yield* filesIn(file, `${path}/${entry.name}`);
    else if (
      entry.isFile() &&
      (isText(entry.name.toLowerCase()) || isDeclaration(entry.name)) &&
      statSync(file).size <= longest
    )
      yield { path: `${path}/${entry.name}`, file };
  }
}

const markup = /!\[[^\]]*\]\([^)]*\)|\[!\[.*?\]\(.*?\)\]\(.*?\)|<[^>]*>|[`*#]/g;
const link = /\[([^\]]+)\]\([^)]*\)/g;

/** As `plinth push` has it: the first heading; without one the name of the package and the file. */
function titleOf(content: string, path: string): string {
  const heading = isText(path.toLowerCase()) ? /^#\s+(\S.*)$/m.exec(content)?.[1] : undefined;
  const title = (heading ?? "")
    .replace(markup, "")
    .replace(link, "$1")
    .replace(/\[\]\([^)]*\)/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return (title === "" ? path.replace(/\/readme\.md$/i, "").replace(/\.(md|markdown)$/i, "") : title).slice(0, 200);
}
