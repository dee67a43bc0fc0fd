// Pages as visitors of a journey open them, and what their consoles complained of meanwhile. Knows no page.
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";

import { openContext } from "../harness/browser.ts";
import { hung } from "../harness/process.ts";
import type { Site } from "../harness/site.ts";

export interface Visit {
  /** Opens a path or an address, with somebody's session where one is given (`name=value`). */
  readonly open: (path: string, session?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Closes what was opened; the errors and refusals of policy that pages reported, which should be none. */
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
        // Chromium does not know each feature that a frame's Permissions-Policy shuts off.
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
