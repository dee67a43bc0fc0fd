// One look: a page opened as somebody, in one theme and width, and what is wrong with it there.
import { join } from "node:path";

import type { Browser, BrowserContext } from "playwright-core";

import { openContext } from "../harness/browser.ts";
import { watchPage } from "../harness/inspect-page.ts";
import { hung } from "../harness/process.ts";
import type { PageRoute } from "./pages-routes.ts";
import { addressOf, type PagesScene, type Viewer } from "./pages-scene.ts";

export interface Look {
  readonly route: PageRoute;
  readonly viewer: Viewer;
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

export interface Looking {
  readonly browser: Browser;
  readonly scene: PagesScene;
  /** For pictures, where any are taken. */
  readonly folder: string | undefined;
  /** What whoever is not let in was shown, and axe has seen. */
  readonly refusals: Set<string>;
}

/** Of a fault and of a picture. */
export function nameOf({ route, viewer, colorScheme, width }: Look): string {
  const path = route.path.replaceAll(/[^\w]+/g, "-").replaceAll(/^-|-$/g, "") || "start";
  const more = [route.site, route.key?.replace("?", "keys").replace("Control+k", "palette")].filter(Boolean);
  return [path, ...more, viewer, colorScheme, width].join("-");
}

/** What is wrong with one page; an end that it doesn't come to is a fault like any other. */
export async function takeLook(looking: Looking, look: Look): Promise<string[]> {
  const { viewer, colorScheme, width, route } = look;
  const { origin, sessions } = route.site === "selling" ? looking.scene.selling : looking.scene;
  const viewport = { width, height: 900 };
  const context = await openContext(looking.browser, origin, sessions.get(viewer), { colorScheme, viewport });
  try {
    return await faultsIn(context, origin, looking, look);
  } catch (error) {
    return [`ended: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await context.close();
  }
}

async function faultsIn(
  context: BrowserContext,
  origin: string,
  { scene, folder, refusals }: Looking,
  look: Look,
): Promise<string[]> {
  const { route, viewer, colorScheme, width } = look;
  context.setDefaultTimeout(hung);
  const page = await context.newPage();
  if (viewer === "link") await page.goto(await addressOf(scene, "/share/{editor}"));
  const watch = watchPage(page, origin);
  const answer = await page.goto(await addressOf(scene, route.path), { waitUntil: "load" });
  const [status, { pathname }] = [answer?.status() ?? 0, new URL(page.url())];
  const isLogin = pathname === "/login";
  const isShown = status === 200 && (!isLogin || route.path.startsWith("/login"));
  const isRight = isShown === route.shownTo.includes(viewer);
  const faults = isRight ? [] : [`answered ${status}${isLogin ? " by signing in" : ""}, which is wrong`];
  if (route.key !== undefined) {
    await page.keyboard.press(route.key);
    await page.getByRole("dialog").waitFor();
  }
  // What comes a moment later counts as well: fonts, frames, what a script adds.
  await page.waitForTimeout(300);
  // Whoever is not let in gets the same few pages everywhere: axe sees each of them once.
  const refusal = [viewer, status, isLogin || pathname.split("/")[1], colorScheme, width].join(" ");
  faults.push(...(await watch.faults(isShown || !refusals.has(refusal))));
  if (!isShown) refusals.add(refusal);
  const path = folder && join(folder, `${nameOf(look)}.png`);
  if (path !== undefined) await page.screenshot({ path, fullPage: route.key === undefined });
  return faults;
}
