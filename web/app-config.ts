// The Vite configuration of the web app, for its build and for `bun run dev`; they differ by SvelteKit's adapter.
import type { Adapter } from "@sveltejs/kit";
import { sveltekit } from "@sveltejs/kit/vite";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import tailwindcss from "@tailwindcss/vite";
import type { UserConfig } from "vite";

import { documentation } from "./docs/plugin.ts";

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
