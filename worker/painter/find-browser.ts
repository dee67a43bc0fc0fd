// Finds a Chromium: the one named, one that is installed, Playwright's, or the one inside an npm package. Knows of each
// only where it is, what it needs to start, and which version it says it is.
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import { Glob } from "bun";

import { SEARCH_PATH, type Cage } from "./cage.ts";
import type { BrowserProgram } from "./packaged-browser.ts";

export interface FoundBrowser {
  /** For people, such as `Chromium 156 at /usr/bin/chromium`. */
  readonly name: string;
  readonly major: number;
  /** Unpacks what has to be unpacked first. */
  program(): Promise<BrowserProgram>;
}

/** What CHROMIUM_PATH says to have the one of the npm package even where a system has its own. */
const packaged = "package";

/**
 * The first that starts in the cage and says its version; null where there is none.
 * @param given CHROMIUM_PATH; then there is no other
 */
export async function findBrowser(given: string | null, cage: Cage): Promise<FoundBrowser | null> {
  if (given !== packaged) {
    for (const path of given === null ? installed() : [given]) {
      const version = isFile(path) ? await versionOf(path, cage) : null;
      if (version !== null) {
        return {
          name: `${version.name} ${version.major} at ${path}`,
          major: version.major,
          program: async () => ({ path, environment: {}, flags: [] }),
        };
      }
    }
    if (given !== null) return null;
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
  yield* playwrights();
}

/** Those that `playwright install` keeps, the newest first. */
function playwrights(): string[] {
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

// A folder can't even be asked.
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** For the program to say its version on a machine that is busy. */
const ASKING_MS = 30_000;

async function versionOf(path: string, cage: Cage): Promise<{ name: string; major: number } | null> {
  const asked = Bun.spawn([...cage.command, path, "--version"], {
    cwd: "/",
    env: { PATH: SEARCH_PATH, HOME: "/nonexistent" },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: ASKING_MS,
    killSignal: "SIGKILL",
  });
  const said = await new Response(asked.stdout).text();
  await asked.exited;
  const [, name, major] = /^(.*?) (\d+)\.\d+\.\d+/m.exec(said) ?? [];
  return name === undefined ? null : { name: name.trim(), major: Number(major) };
}
