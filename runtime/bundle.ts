// Runs the bundler for the browser once, and returns the files.
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { readFile } from "node:fs/promises";

/**
 * Takes the one use of `new Function` out of d3-dsv: a document's policy forbids making code from text, and without it
 * csvParse, tsvParse and the rest would throw.
 */
const COMPILED = /function objectConverter\(columns\) \{\s*return new Function\([\s\S]*?\n\}/;

// As the original: a later column of the same name wins, and an empty or missing value is the empty string.
const PLAIN = `function objectConverter(columns) {
  return (d) => Object.fromEntries(columns.map((name, i) => [name, d[i] || ""]));
}`;

const withoutEval: BunPlugin = {
  name: "without-eval",
  setup(build) {
    build.onLoad({ filter: /d3-dsv\.mjs$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      if (!COMPILED.test(source)) throw new Error(`${path} no longer makes a function from text as it did: look again`);
      return { contents: source.replace(COMPILED, PLAIN), loader: "js" };
    });
  },
};

// jspdf loads html2canvas where a document makes a page of html.
const ownHtml2canvas: BunPlugin = {
  name: "own-html2canvas",
  setup(build) {
    const path = join(import.meta.dir, "libraries", "html2canvas.ts");
    build.onResolve({ filter: /^html2canvas$/ }, () => ({ path }));
  },
};

/** Builds each entry into a file with the entry's name. Shared code goes into chunks named by their content. */
export async function bundle(
  entrypoints: readonly string[],
  {
    files = {},
    splitting = true,
    format = "esm",
  }: { files?: Record<string, string>; splitting?: boolean; format?: "esm" | "iife" } = {},
): Promise<Map<string, Uint8Array>> {
  const { outputs } = await Bun.build({
    entrypoints: [...entrypoints],
    files,
    target: "browser",
    format,
    splitting,
    plugins: [withoutEval, ownHtml2canvas],
    minify: true,
    define: { "process.env.NODE_ENV": '"production"', "process.env": "{}" },
    naming: { entry: "[name].[ext]", chunk: "chunk-[hash].[ext]" },
  });
  const contents = new Map<string, Uint8Array>();
  for (const output of outputs)
    contents.set(output.path.replace(/^\.\//, ""), new Uint8Array(await output.arrayBuffer()));
  return contents;
}
