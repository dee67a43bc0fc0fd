// Builds the web app. Node 20 cannot build SvelteKit 3, so Vite runs in Bun.
import { install } from "./install.ts";
import { ensure } from "./step.ts";

/** Builds web/build unless it is up to date. The dependencies are installed. */
export function buildWeb(): void {
  ensure({
    name: "building the web app",
    source: "web/vite.config.ts",
    inputs: ["web", "contract", "platform", "docs/*.md", "docs/guide", "bun.lock"],
    output: "web/build",
    arguments: ["--bun", "--silent", "run", "vite", "build"],
    folder: "web",
  });
}

if (import.meta.main) {
  install();
  buildWeb();
}
