// Contents that can hang a renderer, and the largest that are allowed. Knows no renderer.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { contentBytes } from "./content-bytes.ts";

export interface Bomb {
  readonly name: string;
  readonly type: ArtifactType;
  readonly content: string;
}

const most = contentBytes;
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Repeats a text in whole lines up to the publish limit. */
const fill = (line: (n: number) => string, before = "", after = ""): string => {
  const parts = [before];
  for (let n = 0, length = before.length + after.length; ; n++) {
    const next = line(n);
    length += next.length;
    if (length > most) return [...parts, after].join("");
    parts.push(next);
  }
};

const component = (body: string): string => `export default function App() { return ${body}; }\n`;
const letters = "abcdefghijklmnopqrstuvwxyz".split("");

export const bombs: readonly Bomb[] = [
  { name: "2,000 nested lists on a line", type: "md", content: `${"- ".repeat(2_000)}end\n` },
  {
    name: "1,000 nested lists by indentation",
    type: "md",
    content: range(1_000)
      .map((n) => `${"  ".repeat(n)}- x\n`)
      .join(""),
  },
  { name: "2,000 nested quotations", type: "md", content: `${">".repeat(2_000)} end\n` },
  { name: "1 MB on one line", type: "md", content: "word ".repeat(200_000) },
  { name: "100,000 links", type: "md", content: "[a](b) ".repeat(100_000) },
  { name: "100,000 brackets that open", type: "md", content: "[".repeat(100_000) },
  { name: "50,000 emphasis runs", type: "md", content: "*a **b ".repeat(25_000) },
  { name: "50,000 emphasis runs that close", type: "md", content: "*a _b* c_ ".repeat(12_500) },
  {
    name: "a table of 2 MiB",
    type: "md",
    content: fill((n) => `| ${n} | a | b | c |\n`, "| n | a | b | c |\n|---|---|---|---|\n"),
  },
  {
    name: "a table of 5,000 columns",
    type: "md",
    content: `|${"a|".repeat(5_000)}\n|${"-|".repeat(5_000)}\n${"|x\n".repeat(50)}`,
  },
  { name: "100,000 elements within each other, in markdown", type: "md", content: "<div>".repeat(100_000) },
  {
    name: "10,000 mermaid nodes",
    type: "md",
    content: `\`\`\`mermaid\ngraph TD\n${range(10_000)
      .map((n) => `n${n}-->n${n + 1}\n`)
      .join("")}\`\`\`\n`,
  },
  {
    name: "KaTeX macros that grow",
    type: "md",
    content: `$$\\def\\a{xx}${letters
      .slice(1)
      .map((letter, n) => `\\def\\${letter}{\\${letters[n]}\\${letters[n]}}`)
      .join("")}\\z$$\n`,
  },
  { name: "100,000 formulas", type: "md", content: "$x^2$ ".repeat(100_000) },
  { name: "10,000 blocks of code", type: "md", content: "```ts\nconst a = 1;\n```\n\n".repeat(10_000) },
  { name: "200,000 elements within each other", type: "html", content: "<div>".repeat(200_000) },
  {
    name: "20,000 elements within each other",
    type: "jsx",
    content: component(`${"<i>".repeat(20_000)}${"</i>".repeat(20_000)}`),
  },
  {
    name: "100,000 brackets within each other",
    type: "jsx",
    content: component(`${"(".repeat(100_000)}1${")".repeat(100_000)}`),
  },
  {
    name: "100,000 Tailwind classes",
    type: "jsx",
    content: component(
      `<p className="${range(100_000)
        .map((n) => `p-[${n}px]`)
        .join(" ")}" />`,
    ),
  },
  {
    name: "200 Tailwind classes of 500 variants each",
    type: "jsx",
    content: component(
      `<p className="${range(200)
        .map((n) => `${"hover:".repeat(500)}p-${n}`)
        .join(" ")}" />`,
    ),
  },
  { name: "a class of 1 MB", type: "jsx", content: component(`<p className="bg-[${"url(".repeat(250_000)}]" />`) },
  {
    name: "types that double",
    type: "jsx",
    content: `type T0 = [1];\n${range(2_000)
      .map((n) => `type T${n + 1} = [...T${n}, ...T${n}];\n`)
      .join("")}${component("<p />")}`,
  },
  {
    name: "types within each other",
    type: "jsx",
    content: `type T = ${"Array<".repeat(20_000)}1${">".repeat(20_000)};\n${component("<p />")}`,
  },
  {
    name: "a regular expression that never ends",
    type: "jsx",
    content: component(`<p>{/^(${"(a+)+".repeat(10_000)})$/.test("${"a".repeat(10_000)}!")}</p>`),
  },
];

/** Contents of about the largest allowed size, as an author could write them. */
export const largest: readonly Bomb[] = [
  {
    name: "2 MiB of prose",
    type: "md",
    content: fill(
      (n) => `## Part ${n}\n\nSome *words* about part ${n}, with [a link](https://example.com/${n}) and \`code\`.\n\n`,
    ),
  },
  {
    name: "2 MiB of notes in one code block",
    type: "md",
    content: fill((n) => `const line${n} = "of a long listing"; // and what it says\n`, "```ts\n", "```\n"),
  },
  {
    name: "2 MiB of page",
    type: "html",
    content: fill(
      (n) => `<tr><td>${n}</td><td class="b">cell &amp; more</td></tr>\n`,
      "<!doctype html><title>A table</title><table>\n",
      "</table>\n",
    ),
  },
  {
    name: "2 MiB of data in a component",
    type: "jsx",
    content: fill(
      (n) => `  { id: ${n}, name: "Row ${n}", className: "p-4 text-sm" },\n`,
      "const rows = [\n",
      '];\nexport default function App() { return <p className="p-4">{rows.length}</p>; }\n',
    ),
  },
  { name: "a page around a picture of 1.5 MB", type: "html", content: pageAroundImage() },
  { name: "2 MiB that no thread renders in time", type: "md", content: fill(() => "*a **b ") },
];

/** As incompressible as a photograph. */
function pageAroundImage(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(65_536));
  const image = Buffer.concat(range(23).map((n) => bytes.map((byte) => byte ^ (n * 11)))).toString("base64");
  return `<!doctype html><title>A picture</title><img alt="" src="data:image/jpeg;base64,${image}">`;
}
