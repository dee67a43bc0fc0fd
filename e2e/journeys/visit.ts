// Opens pages as the visitors of a user flow, and records their console errors. Knows no page.
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";

import { openContext } from "../harness/browser.ts";
import { hung } from "../harness/process.ts";
import type { Site } from "../harness/site.ts";

export interface Visit {
  /** Opens a path or a URL, signed in if a session is given (`name=value`). */
  readonly open: (path: string, session?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Closes the pages; returns their errors and policy violations, which should be none. */
  readonly end: () => Promise<readonly string[]>;
}

export function visitTo(site: Site): Visit {
  let contexts: BrowserContext[] = [];
  let complaints: string[] = [];
  return {
    async open(path, session, options) {
      const context = await openContext(site.browser, site.instance.origin, session, options);
      contexts.push(context);
      context.setDefaultTimeout(hung / 4);
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (line) => {
        // Chromium does not know every feature that a frame's Permissions-Policy turns off.
        if (line.type() === "error" && !line.text().includes("Permissions-Policy")) complaints.push(line.text());
      });
      await page.goto(path);
      return page;
    },
    async end() {
      await Promise.all(contexts.map((context) => context.close()));
      const said = complaints;
      [contexts, complaints] = [[], []];
      return said;
    },
  };
}
