// Compares each generated document with what its command would write. `bun run check` runs it.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

import { cachesReference, cachesReferencePath } from "./caches-reference.ts";
import { reference, referencePath } from "./command-line-reference.ts";
import { mcpReference, mcpReferencePath } from "./mcp-reference.ts";
import { modulesReference, modulesReferencePath } from "./modules-reference.ts";
import { root } from "./step.ts";

const documents = [
  { path: referencePath, text: reference, command: "bun run docs:cli" },
  { path: mcpReferencePath, text: mcpReference, command: "bun run docs:mcp" },
  { path: modulesReferencePath, text: modulesReference, command: "bun run docs:jsx" },
  { path: cachesReferencePath, text: cachesReference, command: "bun run docs:caches" },
];

/** A line for each document that is not up to date. */
export const staleDocuments = (read: (path: string) => string): string[] =>
  documents
    .filter(({ path, text }) => read(path) !== text())
    .map(({ path, command }) => `${relative(root, path)} is not up to date: run ${command}`);

if (import.meta.main) {
  const stale = staleDocuments((path) => readFileSync(path, "utf8"));
  for (const line of stale) console.error(line);
  process.exitCode = stale.length === 0 ? 0 : 1;
}
