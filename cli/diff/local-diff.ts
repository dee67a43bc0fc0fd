// Compares a local document and its files with the published ones. Pure except for the time limit of a diff.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

import type { VersionFile } from "@plinth/contract/schemas/file";

/** Milliseconds; texts that share nothing take longer than a person waits. */
const timeLimit = 2000;

interface TextDiff {
  /** Unified; empty where the texts are the same. */
  readonly diff: string;
  readonly additions: number;
  readonly deletions: number;
}

export function textDiff(published: string, local: string, names: { from: string; to: string }): TextDiff {
  if (published === local) return { diff: "", additions: 0, deletions: 0 };
  const diff =
    createTwoFilesPatch(names.from, names.to, published, local, undefined, undefined, {
      context: 3,
      timeout: timeLimit,
      headerOptions: FILE_HEADERS_ONLY,
    }) ?? wholeBlock(published, local, names);
  const lines = diff.split("\n").slice(2);
  return {
    diff,
    additions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** All lines of the one for all lines of the other. */
function wholeBlock(published: string, local: string, { from, to }: { from: string; to: string }): string {
  const [before, after] = [linesOf(published), linesOf(local)];
  const range = (lines: readonly string[]) => (lines.length === 0 ? "0,0" : `1,${lines.length}`);
  return [
    `--- ${from}`,
    `+++ ${to}`,
    `@@ -${range(before)} +${range(after)} @@`,
    ...before.map((line) => `-${line}`),
    ...after.map((line) => `+${line}`),
    "",
  ].join("\n");
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

export interface FilesDiff {
  readonly added: string[];
  readonly removed: string[];
  readonly changed: string[];
}

type File = Pick<VersionFile, "path" | "sha256">;

export function filesDiff(published: readonly File[], local: readonly File[]): FilesDiff {
  const before = new Map(published.map(({ path, sha256 }) => [path, sha256]));
  const after = new Map(local.map(({ path, sha256 }) => [path, sha256]));
  return {
    added: [...after.keys()].filter((path) => !before.has(path)).sort(),
    removed: [...before.keys()].filter((path) => !after.has(path)).sort(),
    changed: [...after].flatMap(([path, hash]) => (before.has(path) && before.get(path) !== hash ? [path] : [])).sort(),
  };
}

/** "Files: added a.png; changed b.png"; empty where they are the same. */
export function filesText({ added, removed, changed }: FilesDiff): string {
  const parts = [
    ["added", added],
    ["changed", changed],
    ["removed", removed],
  ] as const;
  const counts = parts.flatMap(([word, paths]) => (paths.length === 0 ? [] : [`${word} ${paths.join(", ")}`]));
  return counts.length === 0 ? "" : `Files: ${counts.join("; ")}\n`;
}
