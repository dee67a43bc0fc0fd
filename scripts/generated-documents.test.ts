import { expect, test } from "bun:test";

import { checks } from "./checks.ts";
import { staleDocuments } from "./generated-documents.ts";

test("a document that is not up to date is named with the command that writes it", () => {
  expect(staleDocuments(() => "old")).toEqual([
    "docs/command-line.md is not up to date: run bun run docs:cli",
    "docs/mcp.md is not up to date: run bun run docs:mcp",
    "docs/jsx-modules.md is not up to date: run bun run docs:jsx",
    "docs/architecture/caches.md is not up to date: run bun run docs:caches",
  ]);
  expect(checks.map(({ name }) => name)).toContain("generated documents");
});
