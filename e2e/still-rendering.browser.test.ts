// A reader who opens a document before it is rendered: they see its text, and the document takes its place by itself,
// with scripts and without.
import { expect, setDefaultTimeout, test } from "bun:test";
import { signalIfThere } from "@plinth/support/postgres/signal-server";

import { createArtifact } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSite } from "./harness/site.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(3 * hung);

const site = testSite(() => openSite({ env: { RENDER_WAIT_MS: "0" } }));

/** The renderers of the instance, which exist once something has been rendered. */
async function renderers(): Promise<number[]> {
  const { artifactId } = await createArtifact(site.owner, site.projectSlug);
  const isPending = async () =>
    (await (await fetch(`${site.instance.origin}/_content/p/${artifactId}/1`)).text()).includes("Still rendering");
  while (await isPending()) await Bun.sleep(50);
  const found = Bun.spawn(["pgrep", "-P", String(site.instance.pid), "-f", "threads/thread.ts"], { stdout: "pipe" });
  return (await new Response(found.stdout).text()).split("\n").filter(Boolean).map(Number);
}

test.each([true, false])("the document takes the place of its text; scripts: %p", async (javaScriptEnabled) => {
  const processes = await renderers();
  expect(processes.length).toBeGreaterThan(0);
  const access = { publicView: true, publicEdit: false };
  for (const pid of processes) process.kill(pid, "SIGSTOP");
  const content = `# A heading ${javaScriptEnabled}\n\nSome *text*.\n`;
  const { slug } = await createArtifact(site.owner, site.projectSlug, { content, access });
  try {
    const path = `/${site.owner.username}/${site.projectSlug}/${slug}`;
    const page = await site.open(path, undefined, { isFresh: true, javaScriptEnabled });
    const frame = page.frameLocator("iframe");
    await frame.getByText("Still rendering").waitFor();
    await frame.getByText("Some *text*.").waitFor();
    for (const pid of processes) signalIfThere(pid, "SIGCONT");
    await frame.locator("h1", { hasText: "A heading" }).waitFor();
    await frame.locator("em", { hasText: "text" }).waitFor();
    expect(await frame.getByText("Still rendering").count()).toBe(0);
  } finally {
    for (const pid of processes) signalIfThere(pid, "SIGCONT");
  }
});
