// Measures a visitor's experience of a page in Chromium: the largest contentful paint, layout shifts, and the duration
// of presses. Knows no page and no limit.
import type { BrowserContext, CDPSession, Page } from "playwright-core";

import { hung } from "./process.ts";

export interface Vitals {
  /** Milliseconds after the navigation began. */
  readonly largestPaint: number;
  /** The sum of all shifts without input. */
  readonly layoutShift: number;
  /** The longest time of a press or key until the next frame, in ms; 0 if each took less than 16. */
  readonly slowest: number;
}

interface Recorded extends Vitals {
  /** When the last key or pointer went down. */
  readonly pressedAt: number;
}

/** Records them in every page that is opened here from now on. */
export async function recordVitals(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window !== window.top) return;
    const vitals = { largestPaint: 0, layoutShift: 0, slowest: 0, pressedAt: 0 };
    Reflect.set(window, "pageVitals", vitals);
    const observe = (type: string, onEntry: (entry: PerformanceEntry) => void, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true, ...more });
    observe("largest-contentful-paint", ({ startTime }) => (vitals.largestPaint = startTime));
    observe("layout-shift", (entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
      if (!hadRecentInput) vitals.layoutShift += value;
    });
    observe(
      "event",
      (entry) => {
        if ((entry as PerformanceEntry & { interactionId: number }).interactionId > 0)
          vitals.slowest = Math.max(vitals.slowest, entry.duration);
      },
      { durationThreshold: 16 },
    );
    for (const down of ["keydown", "pointerdown", "change"])
      window.addEventListener(down, ({ timeStamp }) => (vitals.pressedAt = timeStamp), {
        capture: true,
        passive: true,
      });
  });
}

/** Slows the page's processor down by this factor from now on. */
export async function slowDown(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: times });
}

const read = (page: Page): Promise<Recorded> => page.evaluate(() => Reflect.get(window, "pageVitals") as Recorded);

/** Everything recorded so far; an event is recorded after its result is drawn. */
export async function vitalsOf(page: Page): Promise<Vitals> {
  await page.waitForTimeout(150);
  return read(page);
}

export interface Interaction {
  /** The longest event, in ms. */
  readonly event: number;
  /** From the last key or press until the result was drawn, in ms. */
  readonly drawn: number;
  /** What the page's main thread computed for all of it, in ms, without the machine's other work. */
  readonly computed: number;
}

/** Acts and waits until `isDrawn`, which must be false before, is true in the page; it only knows `argument`. */
export async function interact<Argument>(
  page: Page,
  press: () => Promise<unknown>,
  isDrawn: (argument: Argument) => boolean,
  argument: Argument,
): Promise<Interaction> {
  await page.evaluate(() => Reflect.set(Reflect.get(window, "pageVitals") as object, "slowest", 0));
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await computedBy(session);
  // As text, because the page's policy forbids creating functions later.
  const drawn = page.evaluate<number>(`new Promise((done) => {
    const isDrawn = ${isDrawn.toString()};
    const look = () => isDrawn(${JSON.stringify(argument)}) ? done(performance.now()) : requestAnimationFrame(look);
    look();
  })`);
  await press();
  const at = await within(drawn, `${JSON.stringify(argument)} at ${page.url()}`);
  const computed = (await computedBy(session)) - before;
  const { pressedAt } = await read(page);
  await session.detach();
  return { event: (await vitalsOf(page)).slowest, drawn: at - pressedAt, computed };
}

async function computedBy(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
}

async function within(drawn: Promise<number>, what: string): Promise<number> {
  const late = Bun.sleep(hung).then(() => {
    throw new Error(`never drawn: ${what}`);
  });
  return Promise.race([drawn, late]);
}
