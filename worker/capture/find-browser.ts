// Finds a Chromium: the configured one, an installed one, Playwright's, or the one in an npm package. It knows only the
// location of each, its requirements, and its version.
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import { Glob } from "bun";

import { SEARCH_PATH, type ProcessSandbox } from "./process-sandbox.ts";
import type { BrowserProgram } from "./packaged-browser.ts";

export interface FoundBrowser {
  /** For people, for example `Chromium 156 at /usr/bin/chromium`. */
  readonly name: string;
  readonly major: number;
  /** Unpacks the program first where necessary. */
  program(): Promise<BrowserProgram>;
}

/** The value of CHROMIUM_PATH that selects the npm package's browser even where the system has one. */
const PACKAGED = "package";

/**
 * The first browser that starts in the sandbox and prints its version; null where there is none. @param configured
 * CHROMIUM_PATH; then no other browser is tried
 */
export async function findBrowser(configured: string | null, sandbox: ProcessSandbox): Promise<FoundBrowser | null> {
  if (configured !== PACKAGED) {
    for (const path of configured === null ? installed() : [configured]) {
      const version = isFile(path) ? await versionOf(path, sandbox) : null;
      if (version !== null) {
        return {
          name: `${version.name} ${version.major} at ${path}`,
          major: version.major,
          program: async () => ({ path, environment: {}, flags: [] }),
        };
      }
    }
    if (configured !== null) return null;
  }
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const { packagedMajor, unpackBrowser } = await import("./packaged-browser.ts");
  const major = await packagedMajor();
  return { name: `Chromium ${major} of @sparticuz/chromium`, major, program: unpackBrowser };
}

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

const usualPlaces = [
  ...["/usr/bin", "/usr/local/bin"].flatMap((folder) => names.map((name) => `${folder}/${name}`)),
  "/usr/lib/chromium/chromium",
  "/usr/lib/chromium-browser/chromium-browser",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

function* installed(): Generator<string> {
  const seen = new Set<string>();
  for (const path of [...names.flatMap((name) => Bun.which(name) ?? []), ...usualPlaces]) {
    if (!seen.has(path) && existsSync(path)) yield path;
    seen.add(path);
  }
  yield* installedByPlaywright();
}

/** The browsers that `playwright install` keeps, the newest first. */
function installedByPlaywright(): string[] {
  const caches = process.platform === "darwin" ? "Library/Caches" : ".cache";
  const folder = process.env["PLAYWRIGHT_BROWSERS_PATH"] ?? join(homedir(), caches, "ms-playwright");
  if (!existsSync(folder)) return [];
  const programs = [
    "chromium{,_headless_shell}-*/chrome-linux*/{chrome,headless_shell}",
    "chromium_headless_shell-*/chrome-headless-shell-*/chrome-headless-shell",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
  ];
  const revision = (path: string) => Number(/-(\d+)\//.exec(path)?.[1] ?? 0);
  return programs
    .flatMap((program) => [...new Glob(program).scanSync({ cwd: folder })])
    .sort((one, other) => revision(other) - revision(one))
    .map((path) => join(folder, path));
}

// A directory cannot be executed.
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** For the program to print its version on a busy machine. */
const VERSION_MS = 30_000;

async function versionOf(path: string, sandbox: ProcessSandbox): Promise<{ name: string; major: number } | null> {
  const child = Bun.spawn([...sandbox.command, path, "--version"], {
    cwd: "/",
    env: { PATH: SEARCH_PATH, HOME: "/nonexistent" },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: VERSION_MS,
    killSignal: "SIGKILL",
  });
  const output = await new Response(child.stdout).text();
  await child.exited;
  const [, name, major] = /^(.*?) (\d+)\.\d+\.\d+/m.exec(output) ?? [];
  return name === undefined ? null : { name: name.trim(), major: Number(major) };
}
