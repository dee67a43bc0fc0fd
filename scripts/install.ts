// Owns the installation of the pinned dependencies, from npm alone.
import { ensure } from "./step.ts";

/** Installs what the lock file says, unless it is installed. */
export function install(): void {
  ensure({
    name: "installing the dependencies",
    source: "package.json",
    inputs: ["bun.lock", "bunfig.toml", "package.json", "*/package.json"],
    output: "node_modules/.bun",
    arguments: ["install", "--frozen-lockfile", "--no-progress"],
  });
}

if (import.meta.main) install();
