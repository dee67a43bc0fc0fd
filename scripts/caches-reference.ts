// `bun run docs:caches`: generates docs/architecture/caches.md from the list of caches (platform/caches.ts), with the module
// that uses each.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { caches } from "../platform/caches.ts";

import { readSources } from "./citations.ts";
import { table } from "./markdown-table.ts";
import { root } from "./step.ts";

export const cachesReferencePath = join(root, "docs/architecture/caches.md");

/** The modules that create a cache of the list, by its name; a ready answer's cache is named to `createReadyAnswers`. */
export function usersOf(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [path, text] of texts) {
    if (!/\.(?:ts|svelte)$/.test(path) || /\.test\.ts$|(?:^|\/)test\//.test(path)) continue;
    for (const [, name = ""] of text.matchAll(/\bcreate(?:Cache|ObjectCache|ReadyAnswers)(?:<[^(]*>)?\(\s*"(\w+)"/g))
      users.set(name, [...(users.get(name) ?? []), path]);
  }
  return users;
}

interface Most {
  readonly entries?: number;
  readonly bytes?: number;
  readonly entryBytes?: number;
  readonly ms?: number;
}

const number = (value: number): string => value.toLocaleString("en-US");
const mebibytes = (bytes: number): string => `${number(bytes / 1024 / 1024)} MiB`;

function boundOf({ entries, bytes, entryBytes, ms }: Most): string {
  const parts = [
    entries === undefined ? null : `${number(entries)} entries`,
    bytes === undefined ? null : mebibytes(bytes),
    entryBytes === undefined ? null : `an entry ${mebibytes(entryBytes)}`,
    ms === undefined ? null : `${number(ms / 60_000)} min`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** The whole page. */
export function cachesReference(): string {
  const users = usersOf(readSources(root).texts);
  const rows = Object.entries(caches).map(([name, entry]): string[] => [
    `\`${name}\``,
    entry.keeps,
    entry.by,
    "most" in entry ? boundOf(entry.most) : "as long as that object",
    entry.clearedBy,
    (users.get(name) ?? []).map((path) => `\`${path}\``).join(" "),
  ]);
  return (
    [
      "# Caches",
      "Written by `bun run docs:caches` from the list in `platform/caches.ts`: everything that a process keeps in memory between " +
        "requests. Each process has its own. Where an entry has a bound, the least recently used goes first. A test refuses a " +
        "cache that is not in the list.",
      table(["Name", "Keeps", "By", "At most", "Cleared by", "Used in"], rows),
    ].join("\n\n") + "\n"
  );
}

if (import.meta.main) writeFileSync(cachesReferencePath, cachesReference());
