// The generated page about MCP is complete, and its links lead somewhere.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { tools } from "../contract/mcp/tools.ts";
import { mcpReference, mcpReferencePath } from "./mcp-reference.ts";

test("every tool has its section with its arguments, and every link leads somewhere", () => {
  const text = mcpReference();
  const headings = [...text.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = ""]) =>
    heading.toLowerCase().replaceAll(" ", "-"),
  );
  expect(headings).toEqual(expect.arrayContaining(tools.map(({ name }) => name)));
  for (const { name, input } of tools) {
    const section = text.split(`### ${name}\n`)[1]?.split("\n### ")[0] ?? "";
    for (const field of Object.keys(input.properties)) expect(section).toContain(`| \`${field}\``);
  }
  for (const [, target = ""] of text.matchAll(/\]\(([^)]+)\)/g))
    if (target.startsWith("#")) expect(headings).toContain(target.slice(1));
    else
      expect([target, existsSync(join(dirname(mcpReferencePath), target.replace(/#.*/, "")))]).toEqual([target, true]);
});
