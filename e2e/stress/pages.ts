// Every page as every kind of viewer, light and dark, on a phone and on a wide screen: no axe violation, no console
// error, no request to another host, no horizontal overflow. The screenshots are for review.
import { openBrowser } from "../harness/browser.ts";
import { temporaryFolder, withScreenshots } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, inParallel, type StressTest } from "./stress-test.ts";
import { nameOf, takeLook, type Look, type Looking } from "./pages-look.ts";
import { kindOf, pageRoutes, type PageRoute } from "./pages-routes.ts";
import { openPagesFixtures, viewers, type Viewer } from "./pages-fixtures.ts";

const schemes = ["light", "dark"] as const;
const widths = [360, 1440] as const;
/** Parallel pages, because an inspection mostly waits. */
const width = 3;

const kinds = [...Map.groupBy(pageRoutes, kindOf).values()];

export const pages: StressTest = {
  claim: "every page is sound for everybody, light and dark, narrow and wide",
  count: 10_000,
  shortCount: Math.ceil(kinds.length / 5),
  async run({ count, seed, only, screenshots = false }) {
    const looks = looksOf(seed)
      .filter(({ route }) => only === undefined || route.path.includes(only))
      .slice(0, count);
    assert(looks.length > 0, () => "no page has that in its address");
    const folder = screenshots ? await temporaryFolder("pages") : undefined;
    const fixtures = await openPagesFixtures(screenshots ? { env: withScreenshots } : {});
    const browser = await openBrowser();
    try {
      await takeLooks(looks, { browser, fixtures, folder });
    } finally {
      await browser.close();
      await fixtures.stop();
    }
    if (folder !== undefined) console.error(`screenshots: ${folder}`);
    return { looks: looks.length, pages: new Set(looks.map(({ route }) => route)).size };
  },
};

/**
 * A fifth of the kinds of pages, each as one of its viewers. Those of the instance that sells plans, which takes long to
 * start, are among them in a third of all runs.
 */
export function shortLooks(seed: number): Look[] {
  const isSelling = ({ route }: Look) => route.site === "selling";
  const looks = looksOf(seed).slice(0, kinds.length);
  const withSelling = randomFrom(seed)() < 1 / 3;
  const own = looks.filter((look) => !isSelling(look)).slice(0, pages.shortCount);
  return withSelling ? [...own, ...looks.filter(isSelling).slice(0, 2)] : own;
}

/** Takes the looks, a few at once. @throws if one has a fault */
export async function takeLooks(
  looks: readonly Look[],
  place: Pick<Looking, "browser" | "fixtures" | "folder">,
): Promise<void> {
  const looking: Looking = { ...place, contexts: new Map(), refusals: new Set() };
  const found: string[] = [];
  let done = 0;
  await inParallel(looks.length, width, async (index) => {
    const look = looks[index];
    if (look === undefined) return;
    const faults = (await takeLook(looking, look)).map((fault) => `${nameOf(look)}: ${fault}`);
    found.push(...faults);
    // Printed as soon as it is found, because a whole run takes long.
    for (const fault of faults) console.error(fault);
    if (++done % 50 === 0) console.error(`${done} of ${looks.length}`);
  });
  assert(found.length === 0, () => `${found.length} faults, the first: ${found[0]}`);
}

/**
 * A page of each kind, then each page once, as one of its viewers; then in all four combinations as its first viewer,
 * then once as every other viewer.
 */
function looksOf(seed: number): Look[] {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const once = (route: PageRoute, viewer: Viewer) => ({
    route,
    viewer,
    colorScheme: pick(schemes),
    width: pick(widths),
  });
  const firstOf = (route: PageRoute) => once(route, pick(route.shownTo.length > 0 ? route.shownTo : viewers));
  const firsts = new Map(pageRoutes.map((route) => [route, firstOf(route)]));
  const ofKinds = kinds.flatMap((routes) => firsts.get(pick(routes)) ?? []).toSorted(() => random() - 0.5);
  const four = pageRoutes.flatMap((route) => {
    const viewer = mainOf(route);
    return schemes.flatMap((colorScheme) => widths.map((width) => ({ route, viewer, colorScheme, width })));
  });
  const others = pageRoutes.flatMap((route) =>
    visitorsOf(route)
      .filter((viewer) => viewer !== mainOf(route))
      .map((viewer) => once(route, viewer)),
  );
  const looks = [...ofKinds, ...firsts.values(), ...four, ...others.toSorted(() => random() - 0.5)];
  return [...new Map(looks.map((look) => [nameOf(look), look])).values()];
}

const mainOf = ({ shownTo }: PageRoute): Viewer => shownTo[0] ?? "nobody";

function visitorsOf({ site, shownTo, key }: PageRoute): readonly Viewer[] {
  if (site === "selling") return ["owner", "nobody"];
  return key === undefined ? [...new Set([...viewers, ...shownTo])] : shownTo;
}
