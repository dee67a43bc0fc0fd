// The line below a result: what was found stands out, and nothing in it controls the terminal.
import { expect, test } from "bun:test";
import { stripVTControlCharacters } from "node:util";

import { styleOf } from "../terminal/style.ts";
import { listText } from "./lists.ts";
import { snippetText } from "./snippet.ts";

const part = (text: string, isMatch = false) => ({ text, isMatch });
const terminal = (columns: number) => styleOf({ isTerminal: true, columns }, { TERM: "xterm" });
const plain = styleOf({ isTerminal: false, columns: 20 }, {});

test("words that were found are bold on a terminal, and plain elsewhere", () => {
  const snippet = [part("The "), part("tide", true), part(" is low")];
  expect(snippetText(snippet, terminal(80))).toBe(
    "  \u001B[2mThe \u001B[0m\u001B[1mtide\u001B[0m\u001B[2m is low\u001B[0m",
  );
  expect(snippetText(snippet, plain)).toBe("  The tide is low");
});

test("it is one line, no longer than the terminal, without control characters", () => {
  const hostile = [part("a\n\u001B[31mb "), part("match\u0007", true), part("x".repeat(100))];
  const line = stripVTControlCharacters(snippetText(hostile, terminal(20)));
  expect(line).toBe("  a [31mb matchxxxx…");
});

test("each result of a search has its line, and an artifact of a list has none", () => {
  const artifact = {
    title: "Tides",
    ownerUsername: "ada",
    projectSlug: "p",
    slug: "tides",
    type: "md",
    latestVersion: 1,
    access: { publicView: true },
    latestBy: { label: "ada" },
    latestAt: "2026-11-20T12:00:00.000Z",
    artifactId: "art_1",
  };
  const lines = (items: object[]) => listText("artifacts", items, plain).split("\n");
  expect(
    lines([
      { ...artifact, snippet: [part("low "), part("tide", true)] },
      { ...artifact, snippet: [] },
    ])[2],
  ).toBe("  low tide");
  expect(lines([artifact, artifact])).toHaveLength(3);
});
