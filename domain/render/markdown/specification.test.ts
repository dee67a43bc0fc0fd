import { describe, expect, test } from "bun:test";
import { tests as commonmark } from "commonmark-spec";
import type { Element, Root } from "hast";
import { gfmExamples } from "./test/gfm-examples.ts";
import { readTree, writeTree } from "./html-tree.ts";
import { parseMarkdown } from "./parser.ts";
import { safeTree } from "./renderer.ts";

/** The specification writes a tab as an arrow. */
const withTabs = (text: string): string => text.replaceAll("→", "\t");
const examples = commonmark.map(({ markdown, html, section, number }) => ({
  markdown: withTabs(markdown),
  html: withTabs(html),
  name: `${number} ${section}`,
}));

const sanitized = (html: string): string => writeTree(safeTree(html));

const blocks = new Set("p li ul ol table thead tbody tr th td blockquote".split(" "));

/**
 * What the specification's own test runner holds to be equal: attributes in any order, white space anyhow
 * outside `pre`, and none beside a block.
 */
function normalized(html: string): string {
  const tree = readTree(html);
  tidy(tree);
  return writeTree(tree);
}

function tidy(node: Root | Element): void {
  const isBlock = node.type === "root" || blocks.has(node.tagName);
  node.children = node.children.filter((child, index, { length }) => {
    if (child.type === "element") {
      child.properties = Object.fromEntries(Object.entries(child.properties).sort(([a], [b]) => (a < b ? -1 : 1)));
      if (child.tagName !== "pre") tidy(child);
    }
    if (child.type !== "text") return true;
    child.value = child.value.replaceAll(/\s+/g, " ");
    const isBeside = (place: number) => {
      const other = node.children[place];
      return other?.type === "element" ? blocks.has(other.tagName) : isBlock && other === undefined;
    };
    if (index === 0 || isBeside(index - 1)) child.value = isBeside(index - 1) ? child.value.trimStart() : child.value;
    if (index === length - 1 || isBeside(index + 1))
      child.value = isBeside(index + 1) ? child.value.trimEnd() : child.value;
    return child.value !== "";
  });
}

describe("CommonMark 0.31", () => {
  test("has the examples that the specification numbers", () => expect(examples).toHaveLength(652));

  test.each(examples)("$name: equal, letter by letter", ({ markdown, html }) => {
    expect(parseMarkdown(markdown, "commonmark")).toBe(html);
  });

  test.each(examples)("$name: sanitized, equal to what is expected, sanitized", ({ markdown, html }) => {
    expect(sanitized(parseMarkdown(markdown, "commonmark"))).toBe(sanitized(html));
  });
});

/** Addresses that CommonMark leaves as text, and GFM's extended autolinks rightly don't. */
const linked: Readonly<Record<number, string>> = {
  602: '<p>&lt;<a href="https://foo.bar/baz">https://foo.bar/baz</a> bim&gt;</p>\n',
  606: '<p>&lt;<a href="mailto:foo+@bar.example.com">foo+@bar.example.com</a>&gt;</p>\n',
  608: '<p>&lt; <a href="https://foo.bar">https://foo.bar</a> &gt;</p>\n',
  611: '<p><a href="https://example.com">https://example.com</a></p>\n',
  612: '<p><a href="mailto:foo@bar.example.com">foo@bar.example.com</a></p>\n',
};

describe("with all extensions", () => {
  test.each(["gfm", "all"] as const)("%s: every example of CommonMark but five autolinks is the same", (flavour) => {
    for (const [index, { markdown, html }] of examples.entries()) {
      expect(parseMarkdown(markdown, flavour)).toBe(linked[index + 1] ?? html);
    }
  });
});

describe("GitHub Flavored Markdown", () => {
  const safe = gfmExamples.filter(({ section }) => section !== "disallowed raw HTML");

  test.each(safe)("$section: $markdown", ({ markdown, html }) => {
    for (const flavour of ["gfm", "all"] as const) {
      const parsed = parseMarkdown(markdown, flavour);
      expect(normalized(parsed)).toBe(normalized(html));
      expect(normalized(sanitized(parsed))).toBe(normalized(sanitized(html)));
    }
  });

  test("disallowed raw HTML is shown as text, as in the specification's example", () => {
    for (const { markdown, html } of gfmExamples.filter(({ section }) => section === "disallowed raw HTML")) {
      for (const flavour of ["gfm", "all"] as const)
        expect(normalized(sanitized(parseMarkdown(markdown, flavour)))).toBe(normalized(sanitized(html)));
      // The expected HTML contains no disallowed tag, so sanitizing it must not have removed any text.
      expect(normalized(sanitized(html))).toContain("&lt;xmp> is disallowed. &lt;XMP> is also disallowed.");
    }
  });
});
