// A reader who opens a document before it is rendered: they see its text, and the document takes its place by itself,
// with scripts and without.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { signalIfThere } from "@plinth/support/postgres/signal-server";
import type { Browser } from "playwright-core";

import { openBrowser } from "./harness/browser.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";

setDefaultTimeout(3 * hung);

let instance: Instance;
let browser: Browser;
let owner: Person;
let projectSlug: string;
beforeAll(async () => {
  instance = await startInstance({ env: { RENDER_WAIT_MS: "0" } });
  browser = await openBrowser();
  owner = await createPerson(instance);
  ({ slug: projectSlug } = await createProject(owner));
}, 3 * hung);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
}, hung);

/** The renderers of the instance, which exist once something has been rendered. */
async function renderers(): Promise<number[]> {
  const { artifactId } = await createArtifact(owner, projectSlug);
  const isPending = async () =>
    (await (await fetch(`${instance.origin}/_content/p/${artifactId}/1`)).text()).includes("Still rendering");
  while (await isPending()) await Bun.sleep(50);
  const found = Bun.spawn(["pgrep", "-P", String(instance.pid), "-f", "threads/thread.ts"], { stdout: "pipe" });
  return (await new Response(found.stdout).text()).split("\n").filter(Boolean).map(Number);
}

test.each([true, false])("the document takes the place of its text; scripts: %p", async (javaScriptEnabled) => {
  const processes = await renderers();
  expect(processes.length).toBeGreaterThan(0);
  const access = { publicView: true, publicEdit: false };
  for (const pid of processes) process.kill(pid, "SIGSTOP");
  const content = `# A heading ${javaScriptEnabled}\n\nSome *text*.\n`;
  const { slug } = await createArtifact(owner, projectSlug, { content, access });
  const context = await browser.newContext({ baseURL: instance.origin, javaScriptEnabled });
  context.setDefaultTimeout(hung);
  try {
    const page = await context.newPage();
    await page.goto(`/${owner.username}/${projectSlug}/${slug}`);
    const frame = page.frameLocator("iframe");
    await frame.getByText("Still rendering").waitFor();
    await frame.getByText("Some *text*.").waitFor();
    for (const pid of processes) signalIfThere(pid, "SIGCONT");
    await frame.locator("h1", { hasText: "A heading" }).waitFor();
    await frame.locator("em", { hasText: "text" }).waitFor();
    expect(await frame.getByText("Still rendering").count()).toBe(0);
  } finally {
    for (const pid of processes) signalIfThere(pid, "SIGCONT");
    await context.close();
  }
});
