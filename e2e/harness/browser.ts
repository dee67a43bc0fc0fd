// Finds a Chromium (one given, one installed, or the one inside the npm package) and opens it. Knows no page.
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

import packaged, { inflate } from "@sparticuz/chromium";
import { chromium, type Browser } from "playwright-core";

const installedNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export interface FoundBrowser {
  readonly path: string;
  readonly from: "environment" | "system" | "package";
}

/**
 * CHROMIUM_PATH where set, else the system's, else the one unpacked from `@sparticuz/chromium`;
 * CHROMIUM_PATH=package asks for the last even where a system has its own.
 */
export async function findChromium(): Promise<FoundBrowser> {
  const given = process.env["CHROMIUM_PATH"];
  if (given && given !== "package") return { path: given, from: "environment" };
  const installed = given === "package" ? undefined : onPath(installedNames);
  if (installed !== undefined) return { path: installed, from: "system" };
  return { path: await packaged.executablePath(), from: "package" };
}

/** Opens a headless Chromium that makes no request of its own, with more `flags` where a test needs them. */
export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  const { path, from } = await findChromium();
  const bare = from === "package";
  return chromium.launch({
    executablePath: path,
    args: [...quiet, ...flags, ...(bare ? packagedFlags : []), ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    ...(bare ? { env: await packagedEnvironment() } : {}),
  });
}

/** The package's binary is Chromium's headless shell and comes without the setuid sandbox. */
const packagedFlags = ["--headless=shell", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];

/** Beside the binary the package brings the libraries (NSS, expat) and fonts that a bare machine lacks. */
async function packagedEnvironment(): Promise<Record<string, string>> {
  const libraries = fileURLToPath(new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium")));
  const unpacked = join(await inflate(libraries), "lib");
  const search = [unpacked, process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(delimiter);
  const fonts = existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(tmpdir(), "fonts") };
  const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(own), LD_LIBRARY_PATH: search, ...fonts };
}

/** No update check, no field trial, no safe browsing: what reaches the network comes from the page. */
const quiet = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-sync",
  "--no-first-run",
  "--no-pings",
  "--metrics-recording-only",
  "--disable-features=OptimizationHints,MediaRouter,Translate,DialMediaRouteProvider,InterestFeedContentSuggestions",
];

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}
