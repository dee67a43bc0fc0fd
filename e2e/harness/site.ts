// Where tests of pages begin: a running instance, somebody with a project to publish in, and a browser to look with.
import type { Browser } from "playwright-core";

import { openBrowser, sharedProcesses } from "./browser.ts";
import { startInstance, type Instance, type StartOptions } from "./instance.ts";
import { createPerson, createProject, type Person } from "./people.ts";

export interface Site {
  readonly instance: Instance;
  readonly browser: Browser;
  readonly owner: Person;
  /** Of the owner's project. */
  readonly projectSlug: string;
  /** Ends the browser and the instance. */
  readonly close: () => Promise<void>;
}

/** `flags` are Chromium's; without any, a context's pages share a process. */
export async function openSite(options: StartOptions = {}, flags: readonly string[] = sharedProcesses): Promise<Site> {
  const [instance, browser] = await Promise.all([startInstance(options), openBrowser({ args: [...flags] })]);
  const owner = await createPerson(instance);
  const { slug: projectSlug } = await createProject(owner);
  const close = async () => {
    await browser.close();
    await instance.stop();
  };
  return { instance, browser, owner, projectSlug, close };
}
