// Checks the guides for agents: every tool, field and code exists, and each example is valid.
import { describe, expect, test } from "bun:test";
import { Value } from "typebox/value";

import { errorCodes } from "../errors.ts";
import { findTool, tools } from "../mcp/tools.ts";
import { agentsText } from "./agents.ts";
import { linksOf } from "./instance-links.ts";
import { llmsText } from "./llms.ts";
import { skillText } from "./skill.ts";

const publicUrl = "http://localhost:3000";
const [llms, skill] = [llmsText(publicUrl), skillText(publicUrl)];

/** Words in backquotes that look like a tool's name. */
const toolsNamed = (text: string): string[] =>
  [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = ""]) => name).filter((name) => !(name in errorCodes));

describe("SKILL.md", () => {
  test("begins with front matter that has a name and a description, and no more", () => {
    const [, matter = ""] = /^---\n([^]*?)\n---\n\n# /.exec(skill) ?? [];
    const { name, description, ...more } = Bun.YAML.parse(matter) as Record<string, string>;
    expect(more).toEqual({});
    expect(name).toMatch(/^[a-z0-9-]{1,64}$/);
    expect(description?.length).toBeLessThanOrEqual(1024);
    expect(description).toContain("localhost:3000");
  });

  test("names every tool, and none that isn't there", () => {
    const named = new Set(toolsNamed(skill));
    expect([...named].filter((name) => findTool(name) === undefined)).toEqual([]);
    expect(tools.filter(({ name }) => !skill.includes(`| \`${name}\` |`))).toEqual([]);
  });

  const examples = [...skill.matchAll(/^```json (\w+)\n([^]*?)^```$/gm)];
  test("has an example of each thing that is done", () => {
    expect(examples.map(([, name]) => name)).toEqual([
      "create_artifact",
      "edit_artifact",
      "update_artifact",
      "create_upload",
      "get_artifact_content",
      "create_share_link",
    ]);
  });
  test.each(examples.map(([, name = "", json = ""]) => [name, json] as const))("the example of %s", (name, json) => {
    const tool = findTool(name);
    const value = JSON.parse(json) as Record<string, unknown>;
    if (tool === undefined) throw new Error(`there is no ${name}`);
    const fields = Object.keys(tool.input.properties);
    expect(Object.keys(value).filter((field) => !fields.includes(field))).toEqual([]);
    // The tool also accepts an address where its operation requires an identifier.
    const named = "artifactId" in value ? { ...value, artifactId: `art_${"0".repeat(26)}` } : value;
    expect([...Value.Errors(tool.input, named)]).toEqual([]);
  });

  test("speaks of fields that a tool has, and of codes that there are", () => {
    const fields = new Set(tools.flatMap(({ input }) => Object.keys(input.properties)));
    for (const field of [
      "artifactId",
      "type",
      "ifExists",
      "oldText",
      "expectedLatestVersion",
      "contentSha256",
      "archiveSha256",
      "files",
      "startLine",
    ])
      expect([field, fields.has(field) || field === "oldText"]).toEqual([field, true]);
    const codes = [...skill.matchAll(/^\| `([a-z_]+)` \| (?=[A-Z])/gm)].map(([, code = ""]) => code);
    expect(codes.filter((code) => !(code in errorCodes) && findTool(code) === undefined)).toEqual([]);
    expect(codes.filter((code) => code in errorCodes).length).toBeGreaterThan(5);
  });
});

describe("llms.txt", () => {
  test("is a heading, a quotation, words without headings, then lists of links", () => {
    const blocks = llms.trimEnd().split(/\n\n/);
    expect(blocks[0]).toMatch(/^# Plinth$/);
    expect(blocks[1]).toMatch(/^> /);
    expect(blocks[2]).not.toContain("#\n");
    for (const [index, block] of blocks.slice(3).entries())
      if (index % 2 === 0) expect(block).toMatch(/^## [A-Z][a-z]+$/);
      else for (const line of block.split("\n")) expect(line).toMatch(/^- \[[^\]]+\]\(http[^)]+\)(?:: .+)?$/);
  });

  test("names tools that are there", () => {
    expect(toolsNamed(llms).filter((name) => findTool(name) === undefined)).toEqual([]);
  });
});

test("every link of both is one of the instance's, and all but its own are in llms.txt", () => {
  const links = Object.values(linksOf(publicUrl));
  for (const text of [llms, skill])
    for (const [link] of text.matchAll(/http:\/\/localhost:3000[\w/.-]*[\w]/g))
      expect([link, link === publicUrl || link === `${publicUrl}/mcp` || links.includes(link)]).toEqual([link, true]);
  const { llms: own, keys, ...others } = linksOf(publicUrl);
  expect(skill).toContain(keys);
  for (const link of Object.values(others)) expect(llms).toContain(`](${link})`);
  expect(llms).not.toContain(own);
});

test("AGENTS.md is SKILL.md without its front matter", () => {
  const agents = agentsText(publicUrl);
  expect(agents).toStartWith("# Publishing with Plinth\n");
  expect(skill).toEndWith(agents);
});
