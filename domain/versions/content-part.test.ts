import { describe, expect, test } from "bun:test";

import type { AppError } from "@plinth/contract/errors";
import * as fc from "fast-check";

import { renderMarkdown } from "../render/markdown/renderer.ts";
import type { WantedPart } from "./content-part.ts";
import { headingsIn, partIn } from "./test/parts.ts";

const report = `---
title: Report
---
# Report

Intro

## Costs

Travel 10
Rent 20

### Details

none

## Risks \`high\`

\`\`\`sh
# not a heading
\`\`\`

Last
====

end
`;

const read = (wanted: WantedPart, text = report, type: "md" | "html" | "jsx" = "md") => partIn(text, type, wanted);

function refusal(wanted: WantedPart, text = report) {
  try {
    read(wanted, text);
  } catch (error) {
    return (error as AppError).extra.errors?.[0];
  }
  throw new Error("a refusal was expected");
}

describe("partOf", () => {
  test("lines are those of the text, and without an end all to the last", () => {
    expect(read({ startLine: 4, endLine: 6 })).toEqual({
      text: "# Report\n\nIntro\n",
      startLine: 4,
      endLine: 6,
      totalLines: 26,
    });
    expect(read({ startLine: 26 }).text).toBe("end\n");
    expect(read({ endLine: 99 }).text).toBe(report);
  });

  test("every text is its lines, joined", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "\n", "\r\n", "é", " "), { maxLength: 40 }), fc.nat(), (parts, n) => {
        const text = parts.join("");
        const total = read({ startLine: 1 }, text).totalLines;
        const line = 1 + (n % total);
        const rest = line < total ? read({ startLine: line + 1 }, text).text : "";
        expect(read({ endLine: line }, text).text + rest).toBe(text);
      }),
    );
  });

  test("spaces around the lines of a heading do not shorten it", () => {
    const wide = " ".repeat(500);
    const words = "x".repeat(190);
    expect(headingsIn(`a\n${wide}b\n${wide}${words}\n---\n`, "md")).toMatchObject([{ text: `a b ${words}` }]);
    expect(headingsIn(`#${wide}${wide}${words}\n`, "md")).toMatchObject([{ text: words }]);
  });

  test("a section ends before the next heading of its level, and its subsections belong to it", () => {
    expect(read({ section: "costs" })).toMatchObject({ startLine: 8, endLine: 16 });
    expect(read({ section: "details" }).text).toBe("### Details\n\nnone\n\n");
    expect(read({ section: "last" }).text).toBe("Last\n====\n\nend\n");
    expect(read({ section: "report" })).toMatchObject({ startLine: 4, endLine: 22 });
  });

  test("a section is found by its slug, as a fragment, and by its words", () => {
    for (const section of ["risks-high", "#risks-high", "## Risks `high`", "Risks high"])
      expect(read({ section })).toMatchObject({ startLine: 17, endLine: 22 });
  });

  test("lines within a section are the lines of both", () => {
    expect(read({ section: "costs", startLine: 10, endLine: 11 }).text).toBe("Travel 10\nRent 20\n");
    expect(read({ section: "costs", endLine: 9 }).text).toBe("## Costs\n\n");
  });

  test("grep has the lines that contain the text in any case, after their numbers", () => {
    expect(read({ grep: "RENT" })).toMatchObject({ text: "11: Rent 20\n", found: 1, startLine: 1, endLine: 26 });
    expect(read({ grep: "e", section: "details" }).text).toBe("13: ### Details\n15: none\n");
    expect(read({ grep: "a.b" }, "a.b\naxb\r\n").text).toBe("1: a.b\n");
    expect(read({ grep: "a" }, "a\r\na\r").text).toBe("1: a\n2: a\r\n");
    expect(read({ grep: "nowhere" })).toMatchObject({ text: "", found: 0 });
  });

  test("outline has the headings with line, level and slug", () => {
    expect(read({ outline: true }).text).toBe(
      "4: # Report (report)\n8: ## Costs (costs)\n13: ### Details (details)\n17: ## Risks high (risks-high)\n23: # Last (last)\n",
    );
    expect(read({ outline: true, section: "costs" })).toMatchObject({ found: 2 });
  });

  test.each([
    [{ startLine: 27 }, "startLine", "is past the last line, 26"],
    [{ section: "costs", startLine: 17 }, "startLine", "is past the section's last line, 16"],
    [{ section: "costs", endLine: 7 }, "endLine", "is before the section's first line, 8"],
    [{ section: "cost" }, "section", "is no heading; did you mean costs?"],
    [{ section: "zzzzzzzzz" }, "section", "is no heading; there are report, costs, details, risks-high, last"],
  ] as const)("%j is refused with what there is", (wanted, path, message) => {
    expect(refusal(wanted)).toEqual({ path, message });
  });

  test("a text without headings is refused with that", () => {
    expect(refusal({ section: "x" }, "text")).toEqual({ path: "section", message: "is no heading: the text has none" });
  });
});

describe("headingsOf", () => {
  test.each([
    ["repeated", "# A\n\n## A\n\n## a!\n"],
    ["without letters", "# !!\n\n# ??\n"],
    ["with marks", "# A *b* `c`!\n\n## [a link](http://x.example) and ~~gone~~\n\n## snake_case __bold__ _it_\n"],
    ["underlined", "Über\n====\n\ntwo\n---\n"],
    ["beside code", "    # code\n\n~~~\n# code\n~~~\n\n# Real #\n\n#no\n\n####### seven\n"],
    ["of two lines", "# A\n\nOne\n*two*\n---\n\n> quote\nof two\n---\n\n- item\nof two\n---\n\n    code\n---\n"],
    ["between rules", "---\n# Status\n\nWe ship.\n---\n\n***\n---\nRegards\n===\n"],
    ["behind front matter", "---\ntitle: x\nmore: y\n---\n\nRegards\n===\n"],
    ["beside comments", "<!--\n# no\n\n# no\n-->\n# Yes\n"],
    ["beside comments of Obsidian's", "# A\n%%\n# no\n%%\n\n%% b\n\n# Yes\n\nc\n\n# Of %%not this%% words\n\n%%time\n"],
    [
      "beside containers",
      ":::tip\nA\n---\n# B\n:::\n\n::: {.callout-note}\n\n## No\n\n## Yes\n:::\n\n::: {.callout-tip title='a'}\n## And\n:::\n\n!!! note\n    in it\n",
    ],
    [
      "with emoji and footnotes",
      "# :rocket: Launch[^1]\n\n## 🚀 Launch [^2]\n\n# :+1: a::key::b\n\n[^1]: x\n[^2]: y\n",
    ],
    ["with marks of citations", "# It rained 【1†a】 twice\n\n## A :contentReference[oaicite:0]{index=0}\n"],
    ["with wiki links", "# See [[page#Part|the page]] and [[other page#B]]\n\n## A [[0, 1]]\n\n![[a.png]]\n---\n"],
    ["beside lists and tables", "- item\n---\n\na | b\n--|--\n1 | 2\n\n# After\n"],
  ])("markdown headings %s have the ids of the rendered document", async (_, text) => {
    const { html } = await renderMarkdown(text);
    const ids = [...html.matchAll(/<h\d id="([^"]*)">/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(headingsIn(text, "md").map(({ slug }) => slug)).toEqual(ids as string[]);
  });

  test("html and jsx have the headings of their tags, with their own ids", () => {
    const text = '<body>\n<h1 class="x">All <b>good</b></h1>\n<p>x</p>\n<H2 id="two">Two</H2><h3>Last</h3>\n<h2>open';
    expect(headingsIn(text, "html")).toEqual([
      { line: 2, level: 1, text: "All good", slug: "all-good" },
      { line: 4, level: 2, text: "Two", slug: "two" },
      { line: 4, level: 3, text: "Last", slug: "last" },
    ]);
    expect(headingsIn("export default () => <h1>Hi</h1>;\n", "jsx")).toMatchObject([{ text: "Hi", slug: "hi" }]);
  });
});
