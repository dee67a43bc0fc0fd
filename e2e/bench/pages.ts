// The weight, calls and times of every page on a processor slowed down four times, each beside its budget. It uses the
// fixtures of the stress test `pages`; a page's API calls are counted in front of a separate web app.
import type { Browser } from "playwright-core";

import { pageRoutes } from "../stress/pages-routes.ts";
import { addressOf, openPagesFixtures, type PagesFixtures, type Viewer } from "../stress/pages-fixtures.ts";
import { openBrowser, openContext } from "../harness/browser.ts";
import { fewestWaves, startWaveProxy, type WaveProxy } from "../harness/call-waves.ts";
import { weighPage, type PageWeight } from "../harness/page-weight.ts";
import { pageBudgets, scriptBudget } from "../harness/page-budgets.ts";
import { recordVitals, slowDown, vitalsOf, type Vitals } from "../harness/page-vitals.ts";
import { hung } from "../harness/process.ts";
import { startWeb, type Web } from "../harness/web.ts";
import { median, type Run } from "./measure.ts";
import { kilobytes, whole } from "./report.ts";
import { presses } from "./page-presses.ts";

interface PageFigure extends Vitals, Pick<PageWeight, "script" | "styles" | "requests"> {
  readonly path: string;
  readonly viewer: Viewer;
  /** The name of the slowest press. */
  readonly slowestPress: string;
  readonly calls: number;
  readonly deep: number;
}

/** The speed of a phone that is some years old, compared with this machine. */
const slowness = 4;

/**
 * Each page as its owner or a permitted viewer sees it, and signed out if it is public; times are medians of the
 * rounds.
 */
export const measurePages = (run: Run): Promise<void> =>
  onStage(run.place("pages"), async (stage) => {
    for (const [path, viewer] of looks()) addPage(run, await measurePage(stage, path, viewer, run.rounds));
  });

/** Landing page, an artifact of each type, dashboard, version history and documentation. */
const mainPaths: ReadonlySet<string> = new Set([
  ...["/", "/ada/reports/doc-0", "/ada/reports/doc-3", "/acme/launch/doc-4"],
  ...["/ada/reports/doc-3/history", "/dashboard/ada", "/docs", "/docs/rest/artifact"],
]);

/** Measures the main pages, and how long until the interactive reference shows an operation. */
export const measureMainPages = (run: Run): Promise<void> =>
  onStage(run.place("web"), async (stage) => {
    const { report, rounds } = run;
    for (const [path, viewer] of looks().filter(([path]) => mainPaths.has(path)))
      addPage(run, await measurePage(stage, path, viewer, rounds));
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await untilReference(stage));
    report.limited("page /docs/reference, ready", median(times), pageBudgets.reference, "ms");
  });

/** A page's weight and calls, when it is shown, and how it responds. */
function addPage({ report }: Run, page: PageFigure): void {
  const { path, viewer, script, styles, requests, calls, deep, largestPaint, layoutShift, slowest } = page;
  const name = `page ${path}, ${viewer}`;
  const budget = { ...pageBudgets, script: scriptBudget(path) };
  report.add({
    figure: `${name}, weight`,
    product: `script ${kilobytes(script)}, CSS ${kilobytes(styles)}, ${requests} requests`,
    target: `≤ ${kilobytes(budget.script)}, ≤ ${kilobytes(budget.styles)}`,
    met: script <= budget.script && styles <= budget.styles,
  });
  report.add({
    figure: `${name}, of the API`,
    product: `${calls} calls, ${deep} deep`,
    target: `≤ ${budget.calls}, ≤ ${budget.deep}`,
    met: calls <= budget.calls && deep <= budget.deep,
  });
  report.add({
    figure: `${name}, drawn (${slowness}× slower)`,
    product: `LCP ${whole(largestPaint)} ms, CLS ${layoutShift.toFixed(3)}`,
    target: `≤ ${budget.largestPaint} ms, ≤ ${budget.layoutShift}`,
    met: largestPaint <= budget.largestPaint && layoutShift <= budget.layoutShift,
  });
  report.add({
    figure: `${name}, INP (${slowness}× slower)`,
    product: `${whole(slowest)} ms${page.slowestPress === "" ? "" : ` (${page.slowestPress})`}`,
    target: `≤ ${budget.interaction} ms`,
    met: slowest <= budget.interaction,
  });
}

/** Opens the interactive reference with an empty cache. */
async function untilReference({ browser, fixtures }: Stage): Promise<number> {
  const context = await openContext(browser, fixtures.origin);
  try {
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto("/docs/reference", { waitUntil: "commit" });
    await page.getByText("Publish a new artifact with its first version").first().waitFor({ timeout: hung });
    return performance.now() - begun;
  } finally {
    await context.close();
  }
}

async function onStage<Answer>(dataDir: string, measure: (stage: Stage) => Promise<Answer>): Promise<Answer> {
  const fixtures = await openPagesFixtures({ dataDir, env: { CHROMIUM_PATH: "off" } });
  const browser = await openBrowser();
  const proxy = startWaveProxy(fixtures.origin);
  const web = await startWeb(proxy.origin);
  try {
    return await measure({ browser, fixtures, proxy, web });
  } finally {
    await web.stop();
    await proxy.stop();
    await browser.close();
    await fixtures.stop();
  }
}

function looks(): [path: string, viewer: Viewer][] {
  const all = new Map<string, [string, Viewer]>();
  const once = pageRoutes.filter(({ path, site, key }) => !(site ?? key) && !path.startsWith("/share/"));
  for (const { path, shownTo } of once)
    for (const viewer of [shownTo[0], shownTo.includes("nobody") ? ("nobody" as const) : undefined])
      if (viewer !== undefined) all.set(`${viewer} ${path}`, [path, viewer]);
  return [...all.values()];
}

interface Stage {
  readonly browser: Browser;
  readonly fixtures: PagesFixtures;
  readonly proxy: WaveProxy;
  readonly web: Web;
}

async function measurePage(stage: Stage, path: string, viewer: Viewer, rounds: number): Promise<PageFigure> {
  const address = await addressOf(stage.fixtures, path);
  const { waves } = await fewestWaves(stage.proxy, stage.web.origin, address, stage.fixtures.sessions.get(viewer));
  const taken: Look[] = [];
  for (let round = 0; round < rounds; round++) taken.push(await look(stage, path, viewer));
  const [first] = taken;
  if (first === undefined) throw new Error("no round was taken");
  const slowest = taken.toSorted((a, b) => a.slowest - b.slowest)[taken.length >> 1] ?? first;
  return {
    path,
    viewer,
    script: first.script,
    styles: first.styles,
    requests: first.requests,
    largestPaint: median(taken.map(({ largestPaint }) => largestPaint)),
    layoutShift: median(taken.map(({ layoutShift }) => layoutShift)),
    slowest: median(taken.map((one) => one.slowest)),
    slowestPress: slowest.slowestPress,
    calls: waves.flat().length,
    deep: waves.length,
  };
}

type Look = Omit<PageFigure, "path" | "viewer" | "calls" | "deep">;

/** Opens the page with an empty cache and tries each press on it, except those that leave the page. */
async function look({ browser, fixtures }: Stage, path: string, viewer: Viewer): Promise<Look> {
  const { origin } = fixtures;
  const context = await openContext(browser, origin, fixtures.sessions.get(viewer));
  try {
    context.setDefaultTimeout(hung);
    await recordVitals(context);
    const page = await context.newPage();
    const weighing = weighPage(page, origin);
    await slowDown(page, slowness);
    await page.goto(await addressOf(fixtures, path), { waitUntil: "load" });
    await weighing.settled();
    const { largestPaint, layoutShift } = await vitalsOf(page);
    const { script, styles, requests } = await weighing.weight();
    let [slowest, slowestPress] = [0, ""];
    for (const { name, on, press } of presses) {
      if (on?.test(path) === false || !(await press(page))) continue;
      await weighing.settled();
      const { slowest: took } = await vitalsOf(page);
      if (took > slowest) [slowest, slowestPress] = [took, name];
      await page.keyboard.press("Escape");
    }
    return { largestPaint, layoutShift, script, styles, requests, slowest, slowestPress };
  } finally {
    await context.close();
  }
}
