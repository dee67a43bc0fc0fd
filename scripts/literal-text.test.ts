import { describe, expect, test } from "bun:test";

import { checks } from "./checks.ts";
import { literalTextFaults, literalTexts } from "./literal-text.ts";

const component = "web/src/lib/components/A.svelte";
const textsIn = (path: string, source: string) => literalTexts(path, source).map(({ line, text }) => [line, text]);

test("bun run check checks literal text", () => {
  expect(checks.map(({ name }) => name)).toContain("literal text");
});

describe("a text is found, with its line, in", () => {
  test.each([
    ["an element", component, "<p>\n  Save the page</p>", [[2, "Save the page"]]],
    [
      "a block",
      component,
      "{#if a}<b>Saved</b>{:else}Save{/if}",
      [
        [1, "Saved"],
        [1, "Save"],
      ],
    ],
    ["a snippet", component, "{#snippet a()}<i>Close</i>{/snippet}", [[1, "Close"]]],
    ["an expression of an element", component, '<p>{a ? "open" : text.closed}</p>', [[1, "open"]]],
    ["an attribute that is read", component, '<button aria-label="Close">×</button>', [[1, "Close"]]],
    ["an expression of such an attribute", component, "<a title={`Version ${a}`}>→</a>", [[1, "Version #"]]],
    ["a property of a component", component, '<Field label="Email" />', [[1, "Email"]]],
    ["the script of a component", component, '<script>\n  const a = "Not now";\n</script>', [[2, "Not now"]]],
    ["a handler", component, '<a onclick={() => say("All is saved")}>×</a>', [[1, "All is saved"]]],
    [
      "the title of a page",
      component,
      "<svelte:head><title>Keys · Plinth</title></svelte:head>",
      [[1, "Keys · Plinth"]],
    ],
    ["a module", "web/src/lib/a.ts", 'export const a = { b: "one of them" };', [[1, "one of them"]]],
  ])("%s", (_, path, source, texts) => {
    expect(textsIn(path, source)).toEqual(texts as typeof texts & [number, string][]);
  });
});

describe("no text is found in", () => {
  test.each([
    ["names, signs and abbreviations", component, "<p>Plinth · Markdown, HTML, JSX → {a}</p>"],
    ["code", component, "<code>plinth push report.md</code><kbd>Enter</kbd>"],
    ["classes and addresses", component, '<a class="flex gap-2 text-13" href="/settings/keys">{text.keys}</a>'],
    ["the properties of a component that are no texts", component, '<Icon name="arrow" class="size-4 text-muted" />'],
    ["comments", component, "<!-- Says what is there --><script>\n// Says what is there\n</script>"],
    ["a compared string", "web/src/lib/a.ts", 'if (key === "Enter") go();'],
    ["a string that is looked for", "web/src/lib/a.ts", 'if (transfer.types.includes("Files")) drop();'],
    ["the message of an error for developers", "web/src/lib/a.ts", 'throw new Error("The web app is not built.");'],
    ["types and imports", "web/src/lib/a.ts", 'import b from "Some thing";\ntype A = "One thing";'],
  ])("%s", (_, path, source) => {
    expect(textsIn(path, source)).toEqual([]);
  });
});

test("every text is a fault, and is named", () => {
  const found = new Map([
    [
      component,
      [
        { line: 1, text: "Save" },
        { line: 2, text: "Close" },
      ],
    ],
  ]);
  expect(literalTextFaults(new Map())).toEqual([]);
  expect(literalTextFaults(found)).toHaveLength(2);
  expect(literalTextFaults(found)[0]).toContain(`${component}:1: "Save"`);
});
