// Finds faults of any page in the browser: axe violations, console errors, requests to other hosts, and a page wider
// than the screen.
import axe from "axe-core";
import type { Page } from "playwright-core";

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
      ...(withAxe ? await axeFaults(page) : []),
      ...(await overflow(page)),
    ],
  };
}

/** Skips artifacts' frames: their content is opaque and belongs to others. */
async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(context: object): Promise<{ violations: { id: string; nodes: { target: string[]; html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({ exclude: [["iframe"]] });
    return violations.map(
      ({ id, nodes }) =>
        `axe: ${id} at ${nodes
          .map(({ target }) => target.join(" "))
          .slice(0, 3)
          .join(", ")}`,
    );
  });
}

async function overflow(page: Page): Promise<string[]> {
  const { wide, shown } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    shown: document.documentElement.clientWidth,
  }));
  return wide > shown ? [`${wide} px wide on a screen of ${shown}`] : [];
}
