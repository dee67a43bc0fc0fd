// The site of a test file or block: opened before its tests and closed after them, with pages that each test opens.
import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";

import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";

import { openContext, openFreshContext } from "./browser.ts";
import type { Instance } from "./instance.ts";
import { hung } from "./process.ts";
import { createPerson, createProject, signIn } from "./people.ts";
import { sharedInstance } from "./shared.ts";
import { openSharedSite, type Site } from "./site.ts";

export interface PageOptions extends BrowserContextOptions {
  /** An empty cache, as on a first visit. */
  readonly isFresh?: boolean;
}

export interface TestDesk extends Pick<Site, "instance" | "owner"> {
  /** Of the owner's project. */
  readonly projectSlug: string;
}

/** An instance with a person and a project, without a browser; without `start`, the one that other files share. */
export function testDesk(start: () => Promise<Instance> = () => sharedInstance()): TestDesk {
  const desk = {} as TestDesk;
  beforeAll(async () => {
    const instance = await start();
    const owner = await createPerson(instance);
    Object.assign(desk, { instance, owner, projectSlug: (await createProject(owner)).slug });
  });
  // A start that failed has left nothing.
  afterAll(() => "instance" in desk && desk.instance.stop());
  return desk;
}

export interface TestSite extends TestDesk, Pick<Site, "browser"> {
  /** The owner's, as `name=value`. */
  readonly session: string;
  /** What the consoles of this test's pages have as errors, violations of their policy among them. */
  complaints: string[];
  /** Drops complaints that a test has caused on purpose. */
  readonly forgive: (pattern: RegExp) => void;
  /** A page in a separate context, signed in if a session is given; it is closed after the test. */
  readonly newPage: (session?: string, options?: PageOptions) => Promise<Page>;
  /** The same at a path or a URL. */
  readonly open: (address: string, session?: string, options?: PageOptions) => Promise<Page>;
}

/** Opens the site by `start`; without it, the one that other files share. */
export function testSite(start: () => Promise<Site> = () => openSharedSite()): TestSite {
  let contexts: BrowserContext[] = [];
  let close: Site["close"] | undefined;
  const pages: Pick<TestSite, "complaints" | "forgive" | "newPage" | "open"> = {
    complaints: [],
    forgive(pattern) {
      site.complaints = site.complaints.filter((line) => !pattern.test(line));
    },
    async newPage(as, { isFresh = false, ...options } = {}) {
      const openOne = isFresh ? openFreshContext : openContext;
      const context = await openOne(site.browser, site.instance.origin, as, options);
      contexts.push(context);
      context.setDefaultTimeout(hung);
      const page = await context.newPage();
      page.on("pageerror", (error) => site.complaints.push(error.message));
      page.on("console", (line) => {
        // Chromium does not know every feature that a frame's Permissions-Policy turns off.
        if (line.type() === "error" && !line.text().includes("Permissions-Policy")) site.complaints.push(line.text());
      });
      return page;
    },
    async open(address, as, options) {
      const page = await site.newPage(as, options);
      await page.goto(address);
      return page;
    },
  };
  const site = pages as TestSite;
  beforeAll(async () => {
    const { close: end, ...opened } = await start();
    close = end;
    Object.assign(site, opened, { session: await signIn(opened.instance, opened.owner.userId) });
  });
  beforeEach(() => {
    site.complaints = [];
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
  });
  afterAll(() => close?.());
  return site;
}
