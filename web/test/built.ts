// The built web app for tests of it: built again where a source is newer than the build.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

const web = join(import.meta.dirname, "..");
let built: Promise<void> | undefined;

/** Builds the app once per test run, and only where it must be (about 5 s). */
export function ensureBuilt(): Promise<void> {
  built ??= isFresh() ? Promise.resolve() : build();
  return built;
}

function isFresh(): boolean {
  const output = join(web, "build/server.js");
  if (!existsSync(output)) return false;
  const builtAt = statSync(output).mtimeMs;
  const sources = ["src/**", "static/**", "docs/**", "*.ts", "package.json", "../docs/*.md", "../docs/guide/*"].flatMap(
    (pattern) => [...new Glob(pattern).scanSync({ cwd: web })],
  );
  return sources
    .filter((path) => !path.endsWith(".test.ts"))
    .every((path) => statSync(join(web, path)).mtimeMs < builtAt);
}

async function build(): Promise<void> {
  const child = Bun.spawn(["bun", "--bun", "vite", "build"], {
    cwd: web,
    // `bun test` sets NODE_ENV to "test", with which Vite would build for development.
    env: { ...process.env, NODE_ENV: "production" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`The build failed:\n${output.join("\n")}`);
}
