// The fixture of page tests: a running instance, a person with a project, and a browser.
import type { Browser } from "playwright-core";

import { openBrowser, sharedProcesses } from "./browser.ts";
import { startInstance, type Instance, type StartOptions } from "./instance.ts";
import { createPerson, createProject, type Person } from "./people.ts";
import { closeSharedBrowser, sharedBrowser, sharedInstance } from "./shared.ts";

export interface Site {
  readonly instance: Instance;
  readonly browser: Browser;
  readonly owner: Person;
  /** Of the owner's project. */
  readonly projectSlug: string;
  /** Closes the browser and stops the instance. */
  readonly close: () => Promise<void>;
}

/** With the instance and browser that other files use as well, or with an instance that serves content apart. */
export async function openSharedSite(contentApart = false): Promise<Site> {
  const [instance, browser] = await Promise.all([sharedInstance({ contentApart }), sharedBrowser()]);
  return siteOf(instance, browser, closeSharedBrowser);
}

/** With the shared instance and a separate browser with these flags, in which each frame has its own process. */
export async function openSharedSiteAlone(flags: readonly string[] = []): Promise<Site> {
  const [instance, browser] = await Promise.all([sharedInstance(), openBrowser({ args: [...flags] })]);
  return siteOf(instance, browser, () => browser.close());
}

/** With a separate instance and browser. `flags` are Chromium's; without any, a context's pages share a process. */
export async function openSite(options: StartOptions = {}, flags: readonly string[] = sharedProcesses): Promise<Site> {
  const [instance, browser] = await Promise.all([startInstance(options), openBrowser({ args: [...flags] })]);
  return siteOf(instance, browser, () => browser.close());
}

async function siteOf(instance: Instance, browser: Browser, endBrowser: () => Promise<void>): Promise<Site> {
  const owner = await createPerson(instance);
  const { slug: projectSlug } = await createProject(owner);
  const close = async () => {
    await endBrowser();
    await instance.stop();
  };
  return { instance, browser, owner, projectSlug, close };
}
