// Every page as everybody sees it, light and dark, on a phone and on a wide screen: nothing that axe finds, nothing in the
// console, nothing asked of elsewhere, nothing wider than the screen. The pictures are for whoever looks at them.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { BrowserContext } from "playwright-core";

import { openBrowser, openContext } from "../harness/browser.ts";
import { watchPage } from "../harness/inspect-page.ts";
import { startInstance } from "../harness/instance.ts";
import { hung, temporaryFolder, withPictures } from "../harness/process.ts";
import { holds, inParallel, randomFrom, type Campaign } from "./campaign.ts";
import { pageRoutes, type PageRoute } from "./pages-routes.ts";
import { makePagesScene, viewers, type PagesScene, type Viewer } from "./pages-scene.ts";

interface Look {
  readonly route: PageRoute;
  readonly viewer: Viewer;
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

const schemes = ["light", "dark"] as const;
const widths = [360, 1440] as const;

export const pages: Campaign = {
  claim: "every page is sound for everybody, light and dark, narrow and wide",
  count: 10_000,
  shortCount: 80,
  async run({ count, seed, only, pictures = false }) {
    const folder = await temporaryFolder("pages");
    await mkdir(folder, { recursive: true });
    const instance = await startInstance(pictures ? { env: withPictures } : {});
    const browser = await openBrowser();
    const found: string[] = [];
    try {
      const scene = await makePagesScene(instance);
      const looks = looksOf(seed)
        .filter(({ route }) => only === undefined || route.path.includes(only))
        .slice(0, count);
      await inParallel(looks.length, 2, async (index) => {
        const look = looks[index];
        if (look === undefined) return;
        const { route, viewer, colorScheme, width } = look;
        const name = `${route.path.replaceAll(/[^\w]+/g, "-")}-${viewer}-${colorScheme}-${width}`;
        const context = await openContext(browser, instance.origin, scene.sessions.get(viewer), {
          colorScheme,
          viewport: { width, height: 900 },
        });
        try {
          const faults = await lookAt(context, scene, look, pictures ? join(folder, `${name}.png`) : undefined);
          found.push(...faults.map((fault) => `${name}: ${fault}`));
        } finally {
          await context.close();
        }
      });
      console.error(found.join("\n"));
      if (pictures) console.error(`pictures: ${folder}`);
      holds(looks.length > 0, () => "no page has that in its address");
      holds(found.length === 0, () => `${found.length} faults, the first: ${found[0]}`);
      return { looks: looks.length, pages: new Set(looks.map(({ route }) => route.path)).size };
    } finally {
      await browser.close();
      await instance.stop();
    }
  },
};

/** Every page once for each way of looking at it; at first each page once by whom it is shown to, in turns. */
function looksOf(seed: number): Look[] {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const first = pageRoutes.map((route) => ({
    route,
    viewer: route.shownTo.length > 0 ? pick(route.shownTo) : pick(viewers),
    colorScheme: pick(schemes),
    width: pick(widths),
  }));
  const all = pageRoutes.flatMap((route) =>
    viewers.flatMap((viewer) => {
      // All four for whoever it is for; of others one look, since all of them get the same few pages.
      const [main] = route.shownTo;
      if (viewer !== main) return [{ route, viewer, colorScheme: pick(schemes), width: pick(widths) }];
      return schemes.flatMap((colorScheme) => widths.map((width) => ({ route, viewer, colorScheme, width })));
    }),
  );
  return [...first, ...all.toSorted(() => random() - 0.5)];
}

async function lookAt(
  context: BrowserContext,
  scene: PagesScene,
  { route, viewer }: Look,
  picture: string | undefined,
): Promise<string[]> {
  context.setDefaultTimeout(hung);
  const page = await context.newPage();
  if (viewer === "link") await page.goto(scene.editorLink);
  const watch = watchPage(page, scene.instance.origin);
  const answer = await page.goto(route.path, { waitUntil: "load" });
  const [status, isLogin] = [answer?.status() ?? 0, new URL(page.url()).pathname === "/login"];
  const isShown = status === 200 && (!isLogin || route.path === "/login");
  const wanted = route.shownTo.includes(viewer);
  const faults =
    wanted === isShown || (route.path === "/login" && !wanted) ? [] : [`answered ${status} at ${page.url()}`];
  // What comes a moment later counts as well: fonts, frames, what a script adds.
  await page.waitForTimeout(300);
  faults.push(...(await watch.faults()));
  if (picture !== undefined) await page.screenshot({ path: picture, fullPage: true });
  return faults;
}
