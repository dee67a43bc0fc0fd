// How the web app is built: SvelteKit, Tailwind and the adapter that fits into one Bun.serve.
import { sveltekit } from "@sveltejs/kit/vite";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { bunServeAdapter } from "./adapter.ts";

export default defineConfig({
  plugins: [
    tailwindcss(),
    sveltekit({
      adapter: bunServeAdapter(),
      compilerOptions: { runes: true },
      // So that Kit names its nonce on each script; the policy itself is page-headers.ts's.
      csp: { mode: "nonce", directives: { "script-src": ["self"] } },
      paths: { relative: false },
      version: { pollInterval: 0 },
    }),
  ],
  // The scripts that stand apart from Kit's: of the artifact page, of keys and of the search.
  worker: { plugins: () => [svelte({ configFile: false, compilerOptions: { runes: true } })] },
  // The server bundle carries what it needs, so that `build/` runs without node_modules.
  ssr: { noExternal: true },
});
