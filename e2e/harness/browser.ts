// Finds a Chromium (a given one, an installed one, or the one inside the npm package) and opens it. Knows no page.
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
 * CHROMIUM_PATH if set, otherwise the system's, otherwise the one unpacked from `@sparticuz/chromium`;
 * CHROMIUM_PATH=package asks for the last even if the system has one.
 */
export async function findChromium(): Promise<FoundBrowser> {
  const given = process.env["CHROMIUM_PATH"];
  if (given && given !== "package") return { path: given, from: "environment" };
  const installed = given === "package" ? undefined : onPath(installedNames);
  if (installed !== undefined) return { path: installed, from: "system" };
  return { path: await packaged.executablePath(), from: "package" };
}

type Opening = Pick<LaunchOptions, "ignoreDefaultArgs" | "args">;

/** HEADED=1 shows the browser on the screen and slows it down. */
const isHeaded = process.env["HEADED"] === "1";
const headedStepMs = 250;

/** Pages of one context and site share a process, because starting one takes longer than opening a page. */
export const sharedProcesses = ["--renderer-process-limit=1"];

/** Opens a headless Chromium that makes no requests by itself; `args` are additional flags. */
export const openBrowser = async (options: Opening = {}): Promise<Browser> => chromium.launch(await launching(options));

/**
 * The same with a fresh profile on disk, which is deleted when the context is closed. Contexts of an open browser are
 * private windows, which never preconnect.
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

/** A context for pages of the origin with separate cookies, signed in if a session is given (`name=value`). */
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

/** The same with an empty cache, for tests of what a first visit loads. */
export async function openFreshContext(
  browser: Browser,
  origin: string,
  session?: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  if (session !== undefined) await bringSession(context, origin, session);
  return context;
}

/**
 * Contexts that a test has closed, by their options. They stay open without pages, cookies and storage, because
 * starting the process of a context's first page takes several times as long as opening another page.
 */
const idleContexts = new WeakMap<Browser, Map<string, BrowserContext[]>>();

/** The closing of a context by the test that has it now. A test may close it, and its file closes it again. */
const closings = new WeakMap<BrowserContext, Promise<void>>();

function takeIdle(browser: Browser, key: string): BrowserContext | undefined {
  const context = idleContexts.get(browser)?.get(key)?.pop();
  if (context !== undefined) closings.delete(context);
  return context;
}

function putIdle(browser: Browser, key: string, context: BrowserContext): void {
  const byKey = idleContexts.get(browser) ?? new Map<string, BrowserContext[]>();
  idleContexts.set(browser, byKey);
  byKey.set(key, [...(byKey.get(key) ?? []), context]);
}

/** Closes every open context; those of `openContext` can be reused. */
export async function closeContexts(browser: Browser): Promise<void> {
  const idle = new Set([...(idleContexts.get(browser)?.values() ?? [])].flat());
  await Promise.all(browser.contexts().flatMap((context) => (idle.has(context) ? [] : [context.close()])));
}

/** The events of a context that a test can listen to. */
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
    // No later test can reuse it.
    isUsedUp = true;
    return addInitScript(...given);
  };
  const empty = async () => {
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
  context.close = () => {
    const closing = closings.get(context) ?? empty();
    closings.set(context, closing);
    return closing;
  };
  return context;
}

/**
 * Waits until the script of a new page runs, because an earlier press is lost or handled without script. SvelteKit
 * takes over scroll restoration as its last step, which a plain HTML page never does and a reload keeps.
 */
export async function untilScriptRuns(page: Page): Promise<void> {
  await page.waitForFunction(() => history.scrollRestoration === "manual");
}

/** Signs the context in with that session (`name=value`). */
export async function bringSession(context: BrowserContext, origin: string, session: string): Promise<void> {
  const [name = "", ...value] = session.split("=");
  await context.addCookies([{ name, value: value.join("="), url: origin }]);
}

/** The package's binary is Chromium's headless shell and has no setuid sandbox. */
const packagedFlags = ["--headless=shell", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];

/** The package also has the libraries (NSS, expat) and fonts that a bare machine lacks. */
async function packagedEnvironment(): Promise<Record<string, string>> {
  const libraries = fileURLToPath(new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium")));
  const unpacked = join(await inflate(libraries), "lib");
  const search = [unpacked, process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(delimiter);
  const fonts = existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(tmpdir(), "fonts") };
  const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(own), LD_LIBRARY_PATH: search, ...fonts };
}

/** No update check, field trial or safe browsing: all requests come from the page. */
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
