// Finds a Chromium (one given, one installed, or the one inside the npm package) and opens it. Knows no page.
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

import packaged, { inflate } from "@sparticuz/chromium";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type LaunchOptions,
  type Page,
} from "playwright-core";

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

type Opening = Pick<LaunchOptions, "ignoreDefaultArgs" | "args">;

/** With HEADED=1 browsers are on the screen, and take their time. */
const isHeaded = process.env["HEADED"] === "1";
const headedStepMs = 250;

/** Pages of one context and site share a process: to start one takes longer than to open a page in it. */
export const sharedProcesses = ["--renderer-process-limit=1"];

/** Opens a headless Chromium that makes no request of its own; `args` are flags that a test needs beside the usual ones. */
export const openBrowser = async (options: Opening = {}): Promise<Browser> => chromium.launch(await launching(options));

/**
 * Likewise with a fresh profile on the disk, which goes when the context is closed. Contexts of an open browser are
 * private windows, and those make no connection ahead of need.
 */
export const openProfile = async (options: Opening = {}): Promise<BrowserContext> =>
  chromium.launchPersistentContext("", await launching(options));

async function launching({ args = [], ...options }: Opening): Promise<LaunchOptions> {
  const { path, from } = await findChromium();
  const bare = from === "package";
  return {
    ...options,
    ...(isHeaded ? { headless: false, slowMo: headedStepMs } : {}),
    executablePath: path,
    args: [...quiet, ...args, ...(bare ? packagedFlags : []), ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    ...(bare ? { env: await packagedEnvironment() } : {}),
  };
}

/** Cookies of its own, for pages of the origin: with somebody's session where one is given (`name=value`). */
export async function openContext(
  browser: Browser,
  origin: string,
  session?: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const key = JSON.stringify([origin, options]);
  const context = takeIdle(browser, key) ?? (await createReusable(browser, origin, options, key));
  if (session !== undefined) await bringSession(context, origin, session);
  return context;
}

/** Likewise with an empty cache, for tests of what a first visit loads. */
export async function openFreshContext(browser: Browser, origin: string, session?: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin });
  if (session !== undefined) await bringSession(context, origin, session);
  return context;
}

/**
 * Contexts that a test has closed, by what they were opened with. They go on living without pages, cookies and storage: to start
 * the process behind a context's first page takes several times as long as to open another page.
 */
const idleContexts = new WeakMap<Browser, Map<string, BrowserContext[]>>();

const takeIdle = (browser: Browser, key: string): BrowserContext | undefined =>
  idleContexts.get(browser)?.get(key)?.pop();

function putIdle(browser: Browser, key: string, context: BrowserContext): void {
  const byKey = idleContexts.get(browser) ?? new Map<string, BrowserContext[]>();
  idleContexts.set(browser, byKey);
  byKey.set(key, [...(byKey.get(key) ?? []), context]);
}

/** Closes every context that is open; those of `openContext` can be opened again. */
export async function closeContexts(browser: Browser): Promise<void> {
  const idle = new Set([...(idleContexts.get(browser)?.values() ?? [])].flat());
  await Promise.all(browser.contexts().flatMap((context) => (idle.has(context) ? [] : [context.close()])));
}

/** What a test may listen to on a context. */
const contextEvents = ["page", "request", "response", "requestfailed", "requestfinished", "console", "dialog"] as const;

async function createReusable(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
  key: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  // A page of the origin keeps its process alive.
  const keeper = await context.newPage();
  await keeper.goto("/favicon.svg");
  const storage = await context.newCDPSession(keeper);
  const close = context.close.bind(context);
  let isUsedUp = false;
  const addInitScript = context.addInitScript.bind(context);
  context.addInitScript = (...given) => {
    // No later test must be given it.
    isUsedUp = true;
    return addInitScript(...given);
  };
  context.close = async () => {
    if (isUsedUp) return close();
    for (const event of contextEvents) context.removeAllListeners(event);
    const opened = context.pages().filter((page) => page !== keeper);
    await Promise.all(opened.map((page) => page.close()));
    await Promise.all([
      context.clearCookies(),
      context.clearPermissions(),
      context.unrouteAll(),
      context.setOffline(false),
      context.setExtraHTTPHeaders({}),
      storage.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" }),
    ]);
    putIdle(browser, key, context);
  };
  return context;
}

/**
 * Until the script of a page just opened runs: what is pressed before that is lost, or goes the way of a page without
 * script. To take over where one scrolls to is SvelteKit's last step, which a page of plain HTML never does and a reload
 * remembers.
 */
export async function untilScriptRuns(page: Page): Promise<void> {
  await page.waitForFunction(() => history.scrollRestoration === "manual");
}

/** From now on whoever browses here has that session (`name=value`). */
export async function bringSession(context: BrowserContext, origin: string, session: string): Promise<void> {
  const [name = "", ...value] = session.split("=");
  await context.addCookies([{ name, value: value.join("="), url: origin }]);
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
  "--metrics-recording-only",
  "--disable-features=OptimizationHints,MediaRouter,Translate,DialMediaRouteProvider,InterestFeedContentSuggestions",
];

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}
