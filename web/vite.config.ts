// How the web app is built: SvelteKit, Tailwind and the adapter that fits into one Bun.serve.
import { sveltekit } from "@sveltejs/kit/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { bunServeAdapter } from "./adapter.ts";

export default defineConfig({
  plugins: [
    tailwindcss(),
    sveltekit({
      adapter: bunServeAdapter(),
      compilerOptions: { runes: true },
      // What depends on the instance (frame-src, the script origin) is added by hooks.server.ts.
      csp: {
        mode: "nonce",
        directives: {
          "default-src": ["none"],
          "script-src": ["self"],
          "style-src": ["self"],
          // The one style attribute there is: Kit's announcer of a new page to screen readers.
          "style-src-attr": ["unsafe-hashes", "sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo="],
          "img-src": ["self", "data:"],
          "font-src": ["self"],
          "connect-src": ["self"],
          "base-uri": ["none"],
          "form-action": ["self"],
          "frame-ancestors": ["none"],
        },
      },
      paths: { relative: false },
      version: { pollInterval: 0 },
    }),
  ],
  // The server bundle carries what it needs, so that `build/` runs without node_modules.
  ssr: { noExternal: true },
});
