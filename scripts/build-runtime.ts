// Decides when the runtime libraries for artifacts are built; domain/runtime/build.ts builds them.
import { install } from "./install.ts";
import { ensure } from "./step.ts";

/** Builds domain/runtime/dist unless it is up to date. The dependencies are installed. */
export function buildRuntime(): void {
  ensure({
    name: "building the artifact runtime",
    source: "domain/runtime/build.ts",
    inputs: ["domain/runtime", "domain/render/manifest.ts", "bun.lock"],
    output: "domain/runtime/dist",
    arguments: ["domain/runtime/build.ts"],
  });
}

if (import.meta.main) {
  install();
  buildRuntime();
}
