// The Vite configuration of the web app, for its build and for `bun run dev`; they differ by SvelteKit's adapter.
import type { Adapter } from "@sveltejs/kit";
import { sveltekit } from "@sveltejs/kit/vite";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import tailwindcss from "@tailwindcss/vite";
import type { Plugin, UserConfig } from "vite";
import type { Documentation } from "./src/lib/server/docs/documentation.ts";
import { sourceFiles } from "./docs/contents.ts";

// Gives the server of the web app the documentation as the module `virtual:docs`, which Vite builds with the app. In
// development a page shows a changed source when it is loaded again.

/** Loaded with the first use: svelte-check reads the configuration in Node, which can't load the registry. */
const docsBuilder = new URL("./docs/build-docs.ts", import.meta.url).href;
const docsModule = "virtual:docs";
const resolved = `\0${docsModule}`;

const documentation: Plugin = {
  name: "plinth-docs",
  resolveId: (id) => (id === docsModule ? resolved : undefined),
  async load(id) {
    if (id !== resolved) return undefined;
    for (const file of sourceFiles()) this.addWatchFile(file);
    const { buildDocs } = (await import(docsBuilder)) as { buildDocs: () => Promise<Documentation> };
    // Parsed as JSON, which is faster than as a program.
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(await buildDocs()))});`;
  },
};

/** SvelteKit looks for its peer dependencies in the working directory, which has to be this folder. */
export const appConfig = (adapter: Adapter) =>
  ({
    plugins: [
      tailwindcss(),
      documentation,
      sveltekit({
        adapter,
        compilerOptions: { runes: true },
        // So that Kit names its nonce on each script; the policy itself is page-headers.ts's.
        csp: { mode: "nonce", directives: { "script-src": ["self"] } },
        paths: { relative: false },
        version: { pollInterval: 0 },
      }),
    ],
    // The scripts that stand apart from Kit's: of the artifact page, of keys and of the search.
    // A small font stays a file: each page would load it in the stylesheet.
    build: { assetsInlineLimit: (path) => (path.endsWith(".woff2") ? false : undefined) },
    worker: { plugins: () => [svelte({ configFile: false, compilerOptions: { runes: true } })] },
  }) satisfies UserConfig;
