import { describe, expect, test } from "bun:test";

import { checks } from "./checks.ts";
import { citationFaults, readSources } from "./citations.ts";
import { root } from "./step.ts";

// Joined at run time, so that the check of this repository does not find these deliberate faults.
const contract = ["docs/reference", "contract.md"].join("/");
const record = ["docs/decisions", "fixture.md"].join("/");
const missing = ["docs", "missing.md"].join("/");
const loose = (name: string, number: number | string) => [name, number].join(" ");
const numbered = ["docs/decisions", "0007"].join("/");
const asDecision = 'is cited as docs/decisions/<topic>.md, "<heading>"';

const documents = {
  [contract]: `# Contract

## 1. Starting

| Topic | Rule |
|---|---|
| Ready | It answers |
| \`push\` | It publishes |

## 2. Requests

### Order of checks

\`\`\`sh
## 9. No heading
\`\`\`
`,
  [record]: "# Fixture\n\n## Embedded database\n\nIt runs.\n\n## One lock\n\n```sh\n## No heading\n```\n",
  "docs/guide.md": "# The guide\n\n## Say `who`: a [link](guide.md)\n\n## Twice\n\n## Twice\n",
};

const faultsWith = (files: Readonly<Record<string, string>>): string[] => {
  const texts = new Map(Object.entries({ ...documents, ...files }));
  return citationFaults({ texts, exists: (path) => texts.has(path) || path === "docs/picture.png" || path === "docs" });
};

test("the citations and links of this repository resolve", () => {
  expect(citationFaults(readSources(root))).toEqual([]);
});

test("bun run check checks citations", () => {
  expect(checks.map(({ name }) => name)).toContain("citations");
});

describe("a citation that resolves is no fault", () => {
  test.each([
    `// Order (${contract} §2).`,
    `// Both (${contract} §1 and §2; ${record}, "One lock").`,
    `// A whole record (${record}).`,
    `// Two (${record}, "Embedded database" and "One lock").`,
    `// Over a line (${record}, "Embedded\n// database").`,
    `// Named (${contract} §2, "Order of checks"; §1 too).`,
    `// Rows (${contract} §1, "Ready" and "push").`,
    `// Over a line (${contract}\n// §2, "Order of\n// checks").`,
    `/**\n * In a block (${contract} §2,\n * "Order of checks").\n */`,
    "// docs/guide.md says how.",
    'const fixture = "docs/of-a-fixture.md";',
  ])("%s", (text) => expect(faultsWith({ "api/a.ts": text })).toEqual([]));
});

describe("a citation that does not resolve is a fault, with its line", () => {
  test.each([
    [`// (${contract} §3)`, `${contract} has no section 3`],
    [`// (${contract} §1, §2 and §9)`, `${contract} has no section 9`],
    [`// (${contract} §2, "Ready")`, `${contract} §2 has no heading or row "Ready"`],
    [`// (${contract} §1, "Ready" and "Never")`, `${contract} §1 has no heading or row "Never"`],
    [`// (${contract.replace("contract", "manual")} §1)`, `there is no ${contract.replace("contract", "manual")}`],
    [`// (${loose("contract", 2)})`, `"${loose("contract", 2)}" is cited as ${contract} §2`],
    [`// (${loose("contract.md", 2)})`, `"${loose("contract.md", 2)}" is cited as ${contract} §2`],
    [`// (${record}, "Two locks")`, `${record} has no heading "Two locks"`],
    [`// (${record}, "One lock" and "Two locks")`, `${record} has no heading "Two locks"`],
    [`// (${record}, "No heading")`, `${record} has no heading "No heading"`],
    [`// (${record.replace("fixture", "gone")}, "One lock")`, `there is no ${record.replace("fixture", "gone")}`],
    [`// (${loose("decision", "0008")})`, `"${loose("decision", "0008")}" ${asDecision}`],
    [`// (${loose("Decisions", "0007 and 0009")})`, `"${loose("Decisions", "0007")}" ${asDecision}`],
    [`// (${numbered})`, `"${numbered}" ${asDecision}`],
    [`// See ${missing}.`, `there is no ${missing}`],
  ])("%s", (text, message) => {
    expect(faultsWith({ "api/a.ts": `const a = 1;\n${text}\n` })).toEqual([`api/a.ts:2: ${message}`]);
  });
});

describe("links of documents", () => {
  test.each([
    "[guide](docs/guide.md#the-guide)",
    "[code and link](docs/guide.md#say-who-a-link)",
    "[second](docs/guide.md#twice-1)",
    "[own](#here)\n\n## Here",
    "[folder](docs/)",
    '<img src="docs/picture.png">',
    "[elsewhere](https://example.com/missing.md)",
    "`[code](missing.md)`",
    "```md\n[fence](missing.md)\n```",
  ])("%s resolves", (text) => expect(faultsWith({ "README.md": text })).toEqual([]));

  test.each([
    ["[gone](docs/gone.md)", "the link to docs/gone.md leads to no file"],
    ["[gone](docs/guide.md#gone)", "the link to docs/guide.md#gone leads to no heading"],
    ["[third](docs/guide.md#twice-2)", "the link to docs/guide.md#twice-2 leads to no heading"],
    [`[fence](${contract}#9-no-heading)`, `the link to ${contract}#9-no-heading leads to no heading`],
    ["[own](#gone)", "the link to #gone leads to no heading"],
    ['<img src="docs/gone.png">', "the link to docs/gone.png leads to no file"],
    ["[by name]\n\n[by name]: gone.md", "the link to gone.md leads to no file"],
  ])("%s does not", (text, message) => {
    expect(faultsWith({ "README.md": text }).map((fault) => fault.replace(/^README\.md:\d+: /, ""))).toEqual([message]);
  });

  test("are relative to the document", () => {
    expect(faultsWith({ "docs/other.md": "[a](guide.md) [b](docs/guide.md)" })).toEqual([
      "docs/other.md:1: the link to docs/guide.md leads to no file",
    ]);
  });
});
