// Contents that can hang a renderer, and the largest that are allowed. Knows no renderer.
import { artifactTypes, type ArtifactType } from "@plinth/contract/schemas/artifact";
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

/** Texts that follow from numbers, one after the other. */
const many = (count: number, text: (n: number) => string, between = ""): string => range(count).map(text).join(between);
const within = (count: number, open: string, close: string): string => open.repeat(count) + close.repeat(count);

type Named = Readonly<Record<string, string>>;

const named = (texts: Readonly<Record<ArtifactType, Named>>): Bomb[] =>
  artifactTypes.flatMap((type) => Object.entries(texts[type]).map(([name, content]) => ({ name, type, content })));

export const bombs: readonly Bomb[] = named({
  md: {
    "2,000 nested lists on a line": `${"- ".repeat(2_000)}end\n`,
    "1,000 nested lists by indentation": many(1_000, (n) => `${"  ".repeat(n)}- x\n`),
    "2,000 nested quotations": `${">".repeat(2_000)} end\n`,
    "1 MB on one line": "word ".repeat(200_000),
    "100,000 links": "[a](b) ".repeat(100_000),
    "100,000 brackets that open": "[".repeat(100_000),
    "50,000 emphasis runs": "*a **b ".repeat(25_000),
    "50,000 emphasis runs that close": "*a _b* c_ ".repeat(12_500),
    "a table of 2 MiB": fill((n) => `| ${n} | a | b | c |\n`, "| n | a | b | c |\n|---|---|---|---|\n"),
    "a table of 5,000 columns": `|${"a|".repeat(5_000)}\n|${"-|".repeat(5_000)}\n${"|x\n".repeat(50)}`,
    "100,000 elements within each other, in markdown": "<div>".repeat(100_000),
    "10,000 mermaid nodes": `\`\`\`mermaid\ngraph TD\n${many(10_000, (n) => `n${n}-->n${n + 1}\n`)}\`\`\`\n`,
    "KaTeX macros that grow": `$$\\def\\a{xx}${letters
      .slice(1)
      .map((letter, n) => `\\def\\${letter}{\\${letters[n]}\\${letters[n]}}`)
      .join("")}\\z$$\n`,
    "100,000 formulas": "$x^2$ ".repeat(100_000),
    "10,000 blocks of code": "```ts\nconst a = 1;\n```\n\n".repeat(10_000),
  },
  html: { "200,000 elements within each other": "<div>".repeat(200_000) },
  jsx: {
    "20,000 elements within each other": component(within(20_000, "<i>", "</i>")),
    "100,000 brackets within each other": component(`${"(".repeat(100_000)}1${")".repeat(100_000)}`),
    "100,000 Tailwind classes": component(`<p className="${many(100_000, (n) => `p-[${n}px]`, " ")}" />`),
    "200 Tailwind classes of 500 variants each": component(
      `<p className="${many(200, (n) => `${"hover:".repeat(500)}p-${n}`, " ")}" />`,
    ),
    "a class of 1 MB": component(`<p className="bg-[${"url(".repeat(250_000)}]" />`),
    "types that double": `type T0 = [1];\n${many(2_000, (n) => `type T${n + 1} = [...T${n}, ...T${n}];\n`)}${component("<p />")}`,
    "types within each other": `type T = ${"Array<".repeat(20_000)}1${">".repeat(20_000)};\n${component("<p />")}`,
    "a regular expression that never ends": component(
      `<p>{/^(${"(a+)+".repeat(10_000)})$/.test("${"a".repeat(10_000)}!")}</p>`,
    ),
  },
});

/** Contents of about the largest allowed size, as an author could write them. */
export const largest: readonly Bomb[] = named({
  md: {
    "2 MiB of prose": fill(
      (n) => `## Part ${n}\n\nSome *words* about part ${n}, with [a link](https://example.com/${n}) and \`code\`.\n\n`,
    ),
    "2 MiB of notes in one code block": fill(
      (n) => `const line${n} = "of a long listing"; // and what it says\n`,
      "```ts\n",
      "```\n",
    ),
    "2 MiB that no thread renders in time": fill(() => "*a **b "),
  },
  html: {
    "2 MiB of page": fill(
      (n) => `<tr><td>${n}</td><td class="b">cell &amp; more</td></tr>\n`,
      "<!doctype html><title>A table</title><table>\n",
      "</table>\n",
    ),
    "a page around a picture of 1.5 MB": pageAroundImage(),
  },
  jsx: {
    "2 MiB of data in a component": fill(
      (n) => `  { id: ${n}, name: "Row ${n}", className: "p-4 text-sm" },\n`,
      "const rows = [\n",
      '];\nexport default function App() { return <p className="p-4">{rows.length}</p>; }\n',
    ),
  },
});

/** As incompressible as a photograph. */
function pageAroundImage(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(65_536));
  const image = Buffer.concat(range(23).map((n) => bytes.map((byte) => byte ^ (n * 11)))).toString("base64");
  return `<!doctype html><title>A picture</title><img alt="" src="data:image/jpeg;base64,${image}">`;
}
