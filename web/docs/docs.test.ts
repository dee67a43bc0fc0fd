// The documentation as it is built: every link leads somewhere, every example is one that the registry accepts, and the
// search finds what it should.
import { beforeAll, describe, expect, test } from "bun:test";

import { errorCodes } from "@plinth/contract/errors";
import { tools } from "@plinth/contract/mcp/tools";
import { describedOperations } from "@plinth/contract/openapi";
import { tagWords } from "@plinth/contract/openapi/field-words";
import { successStatus } from "@plinth/contract/operation";
import MiniSearch from "minisearch";
import { Value } from "typebox/value";

import type { DocsPage, Documentation } from "../src/lib/server/docs/documentation.ts";
import { searchFields } from "../src/lib/server/docs/search-docs.ts";
import { buildDocs } from "./build-docs.ts";
import { commandLink } from "./command-pages.ts";
import { exampleInput, exampleOutput } from "./example.ts";
import { curl, operationUrl } from "./rest-pages.ts";

let docs: Documentation;
const byUrl = new Map<string, DocsPage>();

beforeAll(async () => {
  docs = await buildDocs();
  for (const page of docs.pages) byUrl.set(page.url, page);
});

test("every page has its own URL, a title, words and a description", () => {
  expect(byUrl.size).toBe(docs.pages.length);
  for (const { url, title, html, description } of docs.pages) {
    expect([url, title !== "", html !== "", description.length > 20]).toEqual([url, true, true, true]);
    expect(description.length).toBeLessThanOrEqual(156);
  }
});

test("the guide, every command, tool, resource and error code have pages", () => {
  for (const path of ["", "/first-steps", "/agents", "/concepts", "/publish", "/share", "/self-hosting", "/settings"])
    expect([path, byUrl.has(`/docs${path}`)]).toEqual([path, true]);
  for (const code of Object.keys(errorCodes)) expect([code, byUrl.has(`/docs/errors/${code}`)]).toEqual([code, true]);
  const mcp = byUrl.get("/docs/mcp")?.html ?? "";
  for (const { name } of tools) expect(mcp).toContain(`id="${name}"`);
  for (const op of describedOperations) {
    const [url = "", id = ""] = operationUrl(op).split("#");
    expect([op.name, byUrl.get(url)?.html.includes(`id="${id}"`)]).toEqual([op.name, true]);
  }
  for (const tag of new Set(describedOperations.map(({ name }) => name.split(".")[0] ?? "")))
    expect([tag, tagWords[tag] !== undefined]).toEqual([tag, true]);
});

test("every link leads to a page and a heading that exist", () => {
  const dead: string[] = [];
  for (const page of docs.pages)
    for (const [, href = ""] of page.html.matchAll(/href="([^"]+)"/g)) {
      if (!/^(?:#|\/docs(?:[/#]|$))/.test(href) || href === "/docs/reference") continue;
      const [url = "", id] = href.split("#");
      const target = url === "" ? page : byUrl.get(url);
      if (target === undefined || (id !== undefined && !target.html.includes(`id="${id}"`)))
        dead.push(`${page.url}: ${href}`);
    }
  expect(dead).toEqual([]);
});

test("a command of the reference that is linked by its heading is on the page that the link names", () => {
  const table = byUrl.get("/docs/cli")?.html ?? "";
  const commands = [...table.matchAll(/href="(\/docs\/cli\/[^"]+)"/g)].map(([, href = ""]) => href);
  expect(commands.length).toBeGreaterThan(60);
  expect(commandLink("#plinth-artifact-create")).toBe("/docs/cli/artifact#plinth-artifact-create");
  expect(commandLink("#plinth-push")).toBe("/docs/cli/general#plinth-push");
  expect(commandLink("#environment")).toBeNull();
});

test("the HTML names an instance as often as its Markdown does, so that its URL can take the place", () => {
  const example = /https:\/\/plinth\.example\.com/g;
  for (const { url, html, markdown, isOfInstance } of docs.pages) {
    if (!isOfInstance) continue;
    // Beside what is shown there are the copies for the clipboard.
    const shown = html.replaceAll(/ data-copy="[^"]*"/g, "");
    expect([url, shown.match(example)?.length]).toEqual([url, markdown.match(example)?.length]);
  }
});

test("no page has an inline style or a script, which the policy would refuse", () => {
  for (const { html } of docs.pages) expect(html).not.toMatch(/ style="|<script|<style| on\w+="/);
});

describe("examples of REST", () => {
  test.each(describedOperations.map((op) => [op.name, op] as const))("%s", (_, op) => {
    const input = exampleInput(op);
    expect([...Value.Errors(op.input, input)]).toEqual([]);
    const isJson = op.media === undefined || op.media === "diff";
    if (isJson && successStatus(op) !== 204) expect([...Value.Errors(op.output, exampleOutput(op))]).toEqual([]);
    // The shell would end the body at a quotation mark.
    expect(curl(op).split("'").length % 2).toBe(1);
    expect(curl(op)).not.toMatch(/undefined|:[a-z]+Id/);
  });
});

test("the search finds a command, an error code, an operation and a concept as the first result", () => {
  const index = MiniSearch.loadJSON(docs.index, searchFields);
  const first = (query: string): unknown => index.search(query)[0]?.id;
  expect(first("plinth push")).toBe("/docs/cli/general#plinth-push");
  expect(first("version_conflict")).toMatch(/^\/docs\/errors/);
  expect(first("retention")).toBe("/docs/concepts#retention");
  expect(first("revoke a share link")).toMatch(/share-link#revoke-a-share-link$/);
  // One letter is missing.
  expect(index.search("retenton").length).toBeGreaterThan(0);
});
