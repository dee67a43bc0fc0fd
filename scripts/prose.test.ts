import { describe, expect, test } from "bun:test";

import { checks } from "./checks.ts";
import { lowered, proseFaults, readAllowed, type Refusal, refusals } from "./prose.ts";

// Joined at run time, so that the check of this repository does not find these deliberate faults.
const call = ["te", "st("].join("");
const pronoun = ["who", "ever"].join("");
const metaphor = ["nud", "ge"].join("");
const record = ["docs/decisions", "fixture.md"].join("/");
const phrase = ["for", "ever"].join(" ");

const wordsIn = (path: string, text: string) => refusals(path, text).map(({ line, word }) => [line, word]);
const withWords = (counts: Readonly<Record<string, number>>) =>
  new Map(
    Object.entries(counts).map(([path, length]) => [
      path,
      Array.from({ length }, (_, index): Refusal => ({ line: index + 1, word: pronoun, instead: "the noun" })),
    ]),
  );

test("the allowed numbers are sorted by path, and none is 0", () => {
  const paths = Object.keys(readAllowed());
  expect(paths).toEqual(paths.toSorted());
  expect(Object.values(readAllowed())).not.toContain(0);
});

test("bun run check checks prose", () => {
  expect(checks.map(({ name }) => name)).toContain("prose");
});

describe("a refused word is found, with its line, in", () => {
  test.each([
    ["a line comment", "a.ts", `const a = 1;\n// For ${pronoun} asks.`, [[2, pronoun]]],
    ["a comment after code", "a.tsx", `const a = 1; // ${pronoun}`, [[1, pronoun]]],
    ["a block comment", "a.ts", `/**\n * Fine.\n * For ${pronoun}'s sake.\n */`, [[3, pronoun]]],
    ["a phrase over two lines", "a.ts", `// It waits for\n// ever.`, [[1, phrase]]],
    ["the name of a test", "a.test.ts", `${call}"${pronoun} asks", () => {});`, [[1, pronoun]]],
    [
      "the name of a table of tests",
      "a.test.ts",
      `${call.replace("(", ".each(")}[1])(\n  "a ${metaphor}",\n  f)`,
      [[2, metaphor]],
    ],
    ["the script of a component", "a.svelte", `<p></p>\n<script lang="ts">\n// ${pronoun}\n</script>`, [[3, pronoun]]],
    ["the markup of a component", "a.svelte", `<!-- ${pronoun} -->`, [[1, pronoun]]],
    ["the text of a component", "a.svelte", `<p>The ${pronoun}</p>`, [[1, pronoun]]],
    ["a message", "web/src/messages/a.ts", `const a = "For ${pronoun}";`, [[1, pronoun]]],
    ["a message with a parameter", "web/src/messages/a.ts", "const a = `" + pronoun + " ${b}`;", [[1, pronoun]]],
    ["a style sheet", "a.css", `/* ${pronoun} */`, [[1, pronoun]]],
    ["SQL", "a.sql", `SELECT 1; -- ${pronoun}`, [[1, pronoun]]],
    ["a shell script", "a.sh", `#!/bin/sh\necho "$#" # ${pronoun}`, [[2, pronoun]]],
    ["the head of a file", "a.ts", "// Which files are read.", [[1, "Which"]]],
    ["the head of a script", "a.sh", `#!/bin/sh\n# How it ends.`, [[2, "How"]]],
    ["a document", "a.md", `# A\n\n${pronoun} [reads](a.md)`, [[3, pronoun]]],
    ["the alternative text of an image", "a.md", `<img alt="For ${pronoun}">`, [[1, pronoun]]],
  ] as const)("%s", (_, path, text, words) => {
    expect(wordsIn(path, text)).toEqual(words.map((word) => [...word]));
  });
});

describe("no refused word is found in", () => {
  test.each([
    ["code and strings", "a.ts", `const ${pronoun} = "${pronoun}";`],
    ["backticks", "a.ts", `// Calls \`${pronoun}\` and \`a\n// ${pronoun}\`.`],
    ["a longer identifier", "a.ts", `// ${pronoun}Asks, ${pronoun}-asks and ${pronoun}_asks.`],
    ["a path or a file name", "a.ts", `// See domain/${pronoun}/a.ts and ${pronoun}.ts.`],
    ["the cited heading of a document", "a.ts", `// So (${record}, "For ${pronoun}").`],
    ["an argument that is no name", "a.test.ts", `/a/.${call}"${pronoun}", 1)`],
    ["a fence", "a.md", `\`\`\`sh\n${pronoun}\n\`\`\``],
    ["the target of a link", "a.md", `[A](#${pronoun})`],
    ["the name of an HTML tag", "a.md", `<${metaphor} class="a"><img alt="A"></${metaphor}>`],
    ["a question", "a.md", "What is an artifact?"],
    ["such as", "a.md", "A code such as a, such a code, and no such code."],
  ] as const)("%s", (_, path, text) => expect(wordsIn(path, text)).toEqual([]));
});

test("a clause as the subject of a sentence is refused", () => {
  expect(wordsIn("a.ts", `let a;\n/** ${["What", "is"].join(" ")} sent. */`)).toEqual([[2, "What is"]]);
});

describe("against the allowed numbers", () => {
  test("a file with more fails, with each word and what to write instead", () => {
    expect(proseFaults(withWords({ "a.ts": 2 }), { "a.ts": 1 })).toEqual([
      `a.ts:1: "${pronoun}": write the noun`,
      `a.ts:2: "${pronoun}": write the noun`,
      "a.ts has 2 refused words and may have 1",
    ]);
  });

  test("a file with fewer, or that is gone, fails with the command that lowers its number", () => {
    expect(proseFaults(withWords({ "a.ts": 1 }), { "a.ts": 2, "b.ts": 1 })).toEqual([
      "a.ts has 1 refused words and may have 2: run bun scripts/prose.ts --lower",
      "b.ts has 0 refused words and may have 1: run bun scripts/prose.ts --lower",
    ]);
  });

  test("a file with as many passes", () => {
    expect(proseFaults(withWords({ "a.ts": 1, "b.ts": 0 }), { "a.ts": 1 })).toEqual([]);
  });

  test("lowering raises no number and drops what is 0", () => {
    const found = withWords({ "a.ts": 3, "b.ts": 1, "c.ts": 0, "d.ts": 1 });
    expect(lowered(found, { "a.ts": 2, "b.ts": 2, "c.ts": 1 })).toEqual({ "a.ts": 2, "b.ts": 1 });
  });

  test("lowering lets a moved file take over the number of its old path, and no more", () => {
    expect(lowered(withWords({ "new/a.ts": 3 }), { "old/a.ts": 2 })).toEqual({ "new/a.ts": 2 });
  });
});
