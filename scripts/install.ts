// Installs the pinned dependencies from npm.
import { ensure } from "./step.ts";

/** Installs the dependencies of the lock file, unless they are installed. */
export function install(): void {
  ensure({
    name: "installing the dependencies",
    source: "package.json",
    inputs: ["bun.lock", "bunfig.toml", "package.json", "*/package.json", "e2e/support/package.json"],
    output: "node_modules/.bun",
    arguments: ["install", "--frozen-lockfile", "--no-progress"],
  });
}

if (import.meta.main) install();
