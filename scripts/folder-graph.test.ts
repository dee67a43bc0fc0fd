// The import graphs of folders and of files have no cycle, type imports included.
import { describe, expect, test } from "bun:test";

import { cyclesOf, folderImports, type Import, isTestSupport, readImports } from "./folder-graph.ts";
import { domainLayers, readConfiguration, withLayers } from "./layers.ts";
import { root } from "./step.ts";

const imports = readImports(root);
const betweenFolders = folderImports(imports);

const words = ({ from, to }: Import): string => `${from} imports ${to}`;

describe("the graph of imports", () => {
  test("reads type imports, packages of ours and Svelte files", () => {
    const known = new Set(imports.map(words));
    expect(known).toContain("domain/context.ts imports domain/services.ts");
    expect(known).toContain("api/rest.ts imports domain/request/invoke.ts");
    expect(imports.some(({ from }) => from.endsWith(".svelte"))).toBe(true);
  });

  test("leads from folder to folder below the deepest folder that has both files", () => {
    const found = (from: string, to: string) => folderImports([{ from, to }]).map(({ edge }) => words(edge));
    expect(found("web/src/lib/a/b.ts", "web/src/lib/c.ts")).toEqual(["web/src/lib/a imports web/src/lib/c.ts"]);
    expect(found("cli/push/run.ts", "contract/limits.ts")).toEqual(["cli imports contract"]);
    expect(found("cli/push/run.test.ts", "contract/limits.ts")).toEqual([]);
  });

  test("finds a cycle with the edges inside it, and no other edges", () => {
    const edge = (from: string, to: string): Import => ({ from, to });
    const cycle = [edge("b", "c"), edge("c", "d"), edge("d", "b"), edge("c", "b")];
    expect(cyclesOf([edge("a", "b"), ...cycle, edge("d", "e"), edge("a", "e")])).toEqual([cycle]);
    expect(cyclesOf([edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d")])).toEqual([]);
  });
});

test("files: no import cycles", () => {
  expect(cyclesOf(imports).map((cycle) => cycle.map(words))).toEqual([]);
});

test("folders: no import cycles", () => {
  const cycles = cyclesOf(betweenFolders.map(({ edge }) => edge));
  // The edges with the fewest imports first, because those are the easiest to cut.
  const edgesOf = (cycle: readonly Import[]): string[] =>
    betweenFolders
      .filter(({ edge }) => cycle.includes(edge))
      .toSorted((one, other) => one.by.length - other.by.length)
      .map(({ edge, by }) => `${words(edge)}: ${by.map(words).join(", ")}`);
  expect(cycles.map(edgesOf)).toEqual([]);
});

describe("layers of the domain", () => {
  const floors = new Map(domainLayers.flatMap((layer, floor) => layer.map((name) => [`domain/${name}`, floor])));

  test("each folder has one layer", () => {
    const folders = imports.flatMap(({ from }) =>
      isTestSupport(from) ? [] : (/^domain\/[^/.]+(?=\/)/.exec(from) ?? []),
    );
    expect([...new Set(folders)].toSorted()).toEqual([...floors.keys()].toSorted());
    expect(floors.size).toBe(domainLayers.flat().length);
  });

  test("each import leads to a lower layer", () => {
    const floorOf = (folder: string): number | undefined => floors.get(folder);
    const upward = betweenFolders.filter(({ edge }) => {
      const [from, to] = [floorOf(edge.from), floorOf(edge.to)];
      return from !== undefined && to !== undefined && to >= from;
    });
    expect(upward.flatMap(({ by }) => by.map(words))).toEqual([]);
  });

  test("the lint rules are those of the layers; after a change: bun scripts/layers.ts", () => {
    const configuration = readConfiguration();
    expect(configuration).toEqual(withLayers(configuration));
  });
});
