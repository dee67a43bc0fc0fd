// The graph of imports between files, type imports included; the same between folders; and the cycles in either. It
// reads files and does not run them.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { parseSync } from "oxc-parser";

import { testSupport } from "./layers.ts";

/** The top folders that have sources. */
export const workspaces = [
  "platform",
  "contract",
  "db",
  "runtime",
  "domain",
  "api",
  "worker",
  "web",
  "cli",
  "server",
  "e2e",
  "scripts",
] as const;

/** One import, by the files' paths below the root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** The imports between the sources of a checkout, without imports of packages, styles and generated files. */
export function readImports(root: string): Import[] {
  const files = workspaces.flatMap((folder) =>
    [...new Bun.Glob(`${folder}/**/*.{ts,tsx,svelte}`).scanSync({ cwd: root })].filter(
      (file) => !/\/(?:node_modules|build|dist)\//.test(file),
    ),
  );
  const known = new Set(files);
  return files.flatMap((from) => {
    const targets = importedBy(from, readFileSync(join(root, from), "utf8")).flatMap((name) => {
      const to = pathOf(from, name, (path) => known.has(path));
      return to === null ? [] : [to];
    });
    return [...new Set(targets)].map((to) => ({ from, to }));
  });
}

/** The specifiers that a source imports, statically or dynamically. */
function importedBy(file: string, text: string): string[] {
  return scriptsOf(file, text).flatMap((script) => {
    const { staticImports, staticExports, dynamicImports } = parseSync(file.replace(/\.svelte$/, ".ts"), script).module;
    const exported = staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value])),
    );
    const dynamic = dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, name] = /^["']([^"']+)["']$/.exec(script.slice(start, end)) ?? [];
      return name === undefined ? [] : [name];
    });
    return [...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic];
  });
}

const scriptsOf = (file: string, text: string): string[] =>
  file.endsWith(".svelte")
    ? [...text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = ""]) => script)
    : [text];

/** The file behind a specifier; null for a package, a generated file or a file that is no source. */
function pathOf(from: string, name: string, isFile: (path: string) => boolean): string | null {
  const path = name.startsWith(".")
    ? join(dirname(from), name)
    : name.startsWith("@plinth/")
      ? name.slice("@plinth/".length).replace(/^support\//, "e2e/support/")
      : /^#(?:lib|messages)\//.test(name)
        ? `web/src/${name.slice(1)}`
        : null;
  if (path === null) return null;
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find(isFile) ?? null;
}

const support = testSupport.map((pattern) => new Bun.Glob(pattern));

export const isTestSupport = (file: string): boolean => support.some((pattern) => pattern.match(file));

/** The groups of nodes that reach each other, each with the edges inside it. A graph without cycles has none. */
export function cyclesOf(edges: readonly Import[]): Import[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const groups = groupsOf(next);
  return groups.map((group) => edges.filter(({ from, to }) => group.has(from) && group.has(to)));
}

/** Strongly connected components of more than one node, by Tarjan's algorithm. */
function groupsOf(next: ReadonlyMap<string, readonly string[]>): ReadonlySet<string>[] {
  const order = new Map<string, number>();
  const path: string[] = [];
  const onPath = new Set<string>();
  const groups: ReadonlySet<string>[] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    path.push(node);
    onPath.add(node);
    let lowest = order.size - 1;
    for (const other of next.get(node) ?? []) {
      if (!order.has(other)) lowest = Math.min(lowest, visit(other));
      else if (onPath.has(other)) lowest = Math.min(lowest, order.get(other) ?? 0);
    }
    if (lowest === order.get(node)) {
      const group = path.splice(path.indexOf(node));
      for (const member of group) onPath.delete(member);
      if (group.length > 1) groups.push(new Set(group));
    }
    return lowest;
  };
  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return groups;
}

/** An import from one folder to another, with the file imports behind it. */
export interface FolderImport {
  readonly edge: Import;
  readonly by: Import[];
}

/**
 * The imports between the folders, and loose files, of each folder: of two files, from the folder of the one to the folder
 * of the other below the deepest folder that has both. Those of test support are left out.
 */
export function folderImports(imports: readonly Import[]): FolderImport[] {
  const edges = new Map<string, FolderImport>();
  for (const each of imports) {
    if (isTestSupport(each.from) || isTestSupport(each.to)) continue;
    const edge = apart(each);
    const key = `${edge.from} ${edge.to}`;
    const known = edges.get(key) ?? { edge, by: [] };
    known.by.push(each);
    edges.set(key, known);
  }
  return [...edges.values()];
}

/** The two paths up to the first part in which they differ. */
function apart({ from, to }: Import): Import {
  const [one, other] = [from.split("/"), to.split("/")];
  const length = 1 + one.findIndex((part, at) => part !== other[at]);
  return { from: one.slice(0, length).join("/"), to: other.slice(0, length).join("/") };
}
