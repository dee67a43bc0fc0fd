import { expect, test } from "bun:test";
import { prefersSource } from "./prefers-source.ts";

test.each([
  ["text/markdown", true],
  ["text/plain", true],
  ["TEXT/Markdown; charset=utf-8", true],
  ["text/markdown, text/html, */*", true],
  ["text/markdown;q=0.9, */*;q=0.1", true],
  ["text/html;q=0.5, text/plain;q=0.6", true],
  ["", false],
  ["*/*", false],
  ["text/*", false],
  ["text/html", false],
  ["text/html, text/markdown", false],
  ["text/markdown;q=0.8, text/html", false],
  ["text/markdown;q=0", false],
  ["text/markdown;q=nonsense", false],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", false],
])("Accept: %s", (accept, expected) => {
  expect(prefersSource(accept)).toBe(expected);
});
