import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { renderMarkdown } from "./markdown/renderer.ts";
import { renderSource } from "./source/source-renderer.ts";
import { drawingsVersion, rendererVersion } from "./version.ts";

/** Something of everything that a renderer makes. */
const SAMPLE = `---
title: Sample
---
# Sample *document*

Text with ~one~ tilde, www.example.com, a@b.example, $x^2$ and a note[^1]. <kbd id="k">K</kbd> [k](#k)

[^1]: The note.

我们有$x$个 :tada: ==重点== \\(y\\)

Term
: Definition

[![build](https://img.shields.io/a.svg)](https://b.example) <a name="old"></a><video src="https://b.example/a.mp4"></video>

<svg width="2" height="1"><rect width="2" height="1"/></svg>

- [x] done

> [!TIP]
> Read [another](./another.md#part), not ![a chart](https://b.example/chart.png) ![ours](chart.png).

| a | b |
|:--|--:|
| 1 | 2 |

\`\`\`ts
export const answer: number = 42; // of all
\`\`\`

\`\`\`mermaid
graph TD; A-->B
\`\`\`

$$
\\frac{1}{2}
$$

${["One", "Two", "Three", "Four"].map((title) => `## ${title}\n\n${"Words to read. ".repeat(80)}\n`).join("\n")}`;
/** What the view of a source needs no more of. */
const FURTHER = `
<picture><source srcset="https://b.example/dark.png" media="(prefers-color-scheme: dark)"><img src="https://b.example/light.png" width="20"></picture>
<picture><source srcset="dark.png" media="(prefers-color-scheme: dark)"><img src="light.png#gh-light-mode-only"></picture>

**「重点」**は https://b.example/a。 【1†a】

[[page#Part|a page]] ![[chart.png|200]] ![left out](/api/placeholder/40/30) %%not shown%%

> [!bug]- Folds
> Text

:::tip[Title]
Text
:::

$$a = b \\label{x}$$ is \\eqref{x}, in a line \\[z^2\\].

## :rocket: Launch[^1]
`;
const JSX = 'export default function App() {\n  return <p className="a">{`x${1}`}</p>;\n}\n';

/** The outputs that each version of a renderer stands for. */
const DIGESTS: Readonly<Record<string, string>> = { "md-9": "c057bae8068b410c", "source-2": "b498f751f2110a12" };

const digest = (html: string): string => createHash("sha256").update(html).digest("hex").slice(0, 16);

async function outputs() {
  const document = await renderMarkdown(SAMPLE + FURTHER);
  const sources = await Promise.all([
    renderSource({ type: "md", text: SAMPLE }),
    renderSource({ type: "html", text: "<!doctype html>\n<script>\nlet a = 1;\n</script>\n" }),
    renderSource({ type: "jsx", text: JSX }),
  ]);
  return [
    { version: rendererVersion.md, made: [document] },
    { version: rendererVersion.source, made: sources },
  ];
}

/** What decides how the worker's browser draws, as the program is without its comments. */
async function drawingCode(): Promise<string> {
  const runtime = join(import.meta.dir, "../../runtime");
  const transpiler = new Bun.Transpiler({ loader: "ts", minifyWhitespace: true });
  const files = ["diagram-colours", "diagram-drawing", "diagram-page", "plain-drawing"];
  const code = await Promise.all(
    files.map(async (name) =>
      transpiler.transformSync(await readFile(join(runtime, `browser/reading/${name}.ts`), "utf8")),
    ),
  );
  const { devDependencies } = JSON.parse(await readFile(join(runtime, "package.json"), "utf8")) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  return [`mermaid ${devDependencies["mermaid"]}`, ...code].join("\n");
}

test("what draws diagrams changes with drawingsVersion alone, by which drawings are stored", async () => {
  expect(`${drawingsVersion}: ${digest(await drawingCode())}`).toBe("diagrams-1: b0c6bc27f9f40eaa");
});

describe("a stored rendering is found by its renderer's version", () => {
  test("so what a renderer makes changes with its version alone: raise it in version.ts, and write the new digest here", async () => {
    for (const { version, made } of await outputs()) {
      expect(`${version}: ${digest(made.map(({ html }) => html).join("\n"))}`).toBe(`${version}: ${DIGESTS[version]}`);
    }
  });
});
