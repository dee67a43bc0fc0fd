// Inspects one page as one viewer, in one theme and width, and returns its faults.
import { join } from "node:path";

import type { Browser, BrowserContext, Page } from "playwright-core";

import { openContext } from "../harness/browser.ts";
import { watchPage } from "../harness/inspect-page.ts";
import { hung } from "../harness/process.ts";
import type { PageRoute } from "./pages-routes.ts";
import { addressOf, type PagesFixtures, type Viewer } from "./pages-fixtures.ts";

export interface Look {
  readonly route: PageRoute;
  readonly viewer: Viewer;
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

export interface Looking {
  readonly browser: Browser;
  readonly fixtures: PagesFixtures;
  /** For screenshots, if any are taken. */
  readonly folder: string | undefined;
  /** One per viewer and site, so that loaded files are reused. */
  readonly contexts: Map<string, Promise<BrowserContext>>;
  /** Refusal pages that axe has already checked. */
  readonly refusals: Set<string>;
}

/** The name for faults and screenshots. */
export function nameOf({ route, viewer, colorScheme, width }: Look): string {
  const path = route.path.replaceAll(/[^\w]+/g, "-").replaceAll(/^-|-$/g, "") || "start";
  const more = [route.site, route.key?.replace("?", "keys").replace("Control+k", "palette")].filter(Boolean);
  return [path, ...more, viewer, colorScheme, width].join("-");
}

/** The faults of one page; a page that does not settle is a fault too. */
export async function takeLook(looking: Looking, look: Look): Promise<string[]> {
  try {
    const { origin } = await siteOf(looking, look);
    // A secret in the path grants its visitor lasting access, so the context is not reused.
    const isOnce = look.route.path.includes("{");
    const context = await (isOnce ? contextFor(looking, look) : keptContext(looking, look));
    const page = await context.newPage();
    try {
      return await faultsIn(page, origin, looking, look);
    } finally {
      await (isOnce ? context : page).close();
    }
  } catch (error) {
    return [`ended: ${error instanceof Error ? error.message : String(error)}`];
  }
}

const siteOf = async ({ fixtures }: Looking, { route }: Look) =>
  route.site === "selling" ? fixtures.selling() : fixtures;

function keptContext(looking: Looking, look: Look): Promise<BrowserContext> {
  const whose = `${look.route.site} ${look.viewer}`;
  const kept = looking.contexts.get(whose) ?? contextFor(looking, look);
  looking.contexts.set(whose, kept);
  return kept;
}

async function contextFor(looking: Looking, look: Look): Promise<BrowserContext> {
  const { origin, sessions } = await siteOf(looking, look);
  const context = await openContext(looking.browser, origin, sessions.get(look.viewer));
  context.setDefaultTimeout(hung);
  if (look.viewer === "link") {
    const page = await context.newPage();
    await page.goto(await addressOf(looking.fixtures, "/share/{editor}"));
    await page.close();
  }
  return context;
}

async function faultsIn(
  page: Page,
  origin: string,
  { fixtures, folder, refusals }: Looking,
  look: Look,
): Promise<string[]> {
  const { route, viewer, colorScheme, width } = look;
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  const watch = watchPage(page, origin);
  const answer = await page.goto(await addressOf(fixtures, route.path), { waitUntil: "load" });
  const [status, { pathname }] = [answer?.status() ?? 0, new URL(page.url())];
  const isLogin = pathname === "/login";
  const isShown = status === 200 && (!isLogin || route.path.startsWith("/login"));
  const isRight = isShown === route.shownTo.includes(viewer);
  const faults = isRight ? [] : [`answered ${status}${isLogin ? " by signing in" : ""}, which is wrong`];
  if (route.key !== undefined) {
    await page.keyboard.press(route.key);
    await page.getByRole("dialog").waitFor();
  }
  // Waits for fonts, frames and what scripts add.
  await page.waitForTimeout(300);
  // A viewer without access gets the same few pages everywhere, so axe checks each of them once.
  const refusal = [viewer, status, isLogin || pathname.split("/")[1], colorScheme, width].join(" ");
  faults.push(...(await watch.faults(isShown || !refusals.has(refusal))));
  if (!isShown) refusals.add(refusal);
  const path = folder && join(folder, `${nameOf(look)}.png`);
  if (path !== undefined) await page.screenshot({ path, fullPage: route.key === undefined });
  return faults;
}
