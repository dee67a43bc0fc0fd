// Bundles jsx payloads with React as plain modules, for the control: without our compiler, policy and runtime.
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import { temporaryFolder } from "../harness/process.ts";

/** Remote imports of a payload stay remote. */
const elsewhere: Bun.BunPlugin = {
  name: "elsewhere",
  setup(build) {
    build.onResolve({ filter: /^(?:https?|data):/ }, ({ path }) => ({ path, external: true }));
    // The payloads are in a temporary folder, React is beside the runtime that ships it.
    build.onResolve({ filter: /^react(?:-dom)?(?:\/|$)/ }, ({ path }) => ({ path: Bun.resolveSync(path, reactHome) }));
  },
};
const reactHome = join(import.meta.dir, "../../runtime");

const entry = (file: string): string => `import * as document_ from "./${file}";
import { createElement, isValidElement } from "react";
import { createRoot } from "react-dom/client";
const shown = document_.default;
createRoot(document.getElementById("root")).render(isValidElement(shown) || typeof shown !== "function" ? shown : createElement(shown));
`;

/**
 * The files to serve, by path: each document's name with `.js`, and shared chunks. @throws if a document has an error
 */
export async function bundleComponents(
  documents: readonly { readonly name: string; readonly source: string }[],
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  if (documents.length === 0) return files;
  const folder = await temporaryFolder("control");
  try {
    for (const { name, source } of documents) {
      const at = join(folder, `${name}.entry.tsx`);
      await mkdir(dirname(at), { recursive: true });
      await Bun.write(join(folder, `${name}.document.tsx`), source);
      await Bun.write(at, entry(`${name.split("/").at(-1)}.document.tsx`));
    }
    const built = await Bun.build({
      entrypoints: documents.map(({ name }) => join(folder, `${name}.entry.tsx`)),
      root: folder,
      target: "browser",
      splitting: true,
      naming: { entry: "[dir]/[name].[ext]", chunk: "chunk-[hash].[ext]" },
      define: { "process.env.NODE_ENV": '"production"' },
      jsx: { runtime: "automatic", development: false },
      plugins: [elsewhere],
    });
    for (const output of built.outputs) {
      const path = output.path.replace(/^\.?\//, "").replace(".entry.js", ".js");
      files.set(path, await output.text());
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return files;
}
