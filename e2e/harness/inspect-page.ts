// Finds faults of any page in the browser: axe violations, console errors, requests to other hosts, and a page wider
// than the screen.
import axe from "axe-core";
import type { Frame, Page } from "playwright-core";

export interface PageWatch {
  /** All faults of the page so far, one per line; empty if there is none. Skips axe if `withAxe` is false. */
  faults(withAxe?: boolean): Promise<string[]>;
}

/**
 * Watches a page of `origin` from before it is opened. An expected error status of the page's own document (a 404) is
 * not a fault.
 */
export function watchPage(page: Page, origin: string): PageWatch {
  const received: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const { url } = message.location();
    if (url === page.url() && message.text().startsWith("Failed to load resource")) return;
    received.push(`console: ${message.text()} (${url})`);
  });
  page.on("pageerror", (error) => received.push(`thrown: ${error.message}`));
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (/^https?:$/.test(protocol) && asked !== origin) received.push(`asked of elsewhere: ${request.url()}`);
  });
  return {
    faults: async (withAxe = true) => [
      ...received,
      ...(withAxe ? (await violationsIn(page)).map(({ id, at }) => `axe: ${id} at ${at.join(", ")}`) : []),
      ...(await overflow(page)),
    ],
  };
}

/** What axe finds in a page or a frame. The content of frames inside is left out: it is opaque, and others'. */
export async function violationsIn(place: Page | Frame): Promise<{ id: string; at: string[] }[]> {
  await place.evaluate(axe.source);
  return place.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await checker.run(document, { iframes: false });
    return violations.map(({ id, nodes }) => ({ id, at: nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)) }));
  });
}

async function overflow(page: Page): Promise<string[]> {
  const { wide, shown } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    shown: document.documentElement.clientWidth,
  }));
  return wide > shown ? [`${wide} px wide on a screen of ${shown}`] : [];
}
