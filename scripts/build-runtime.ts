// Decides when the runtime libraries for artifacts are built; runtime/build.ts builds them.
import { install } from "./install.ts";
import { ensure } from "./step.ts";

/** Builds runtime/dist unless it is up to date. The dependencies are installed. */
export function buildRuntime(): void {
  ensure({
    name: "building the artifact runtime",
    source: "runtime/build.ts",
    inputs: ["runtime", "platform/fonts", "bun.lock"],
    output: "runtime/dist",
    arguments: ["runtime/build.ts"],
  });
}

if (import.meta.main) {
  install();
  buildRuntime();
}
