// The next version of an artifact by dropping or pasting where one reads it: the drop and one press.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { untilScriptRuns } from "./harness/browser.ts";
import { dropFiles } from "./harness/given-files.ts";
import { createArtifact, createPerson, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(2 * hung);

const site = testSite();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-next-version-"));
});
afterAll(() => rm(folder, { recursive: true }));

const open = (path: string, as = site.session) => site.open(path, as, { isFresh: true });

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await Bun.write(path, text);
  return path;
}

const pathOf = ({ url }: { url: string }) => new URL(url).pathname;
async function latestOf(artifactId: string) {
  const { latestVersion } = await site.owner.client.call("artifact.get", { artifactId });
  const content = await site.owner.client.send("version.content", { artifactId });
  return [latestVersion, await content.text()];
}

test("a file dragged over an artifact's bar and dropped on its document: one press publishes it", async () => {
  const artifact = await createArtifact(site.owner, site.projectSlug, { content: "# Report\n\nOne.\n" });
  const path = pathOf(artifact);
  const page = await open(path);
  const file = await fileOf("report.md", "# Report\n\nTwo.\n");
  await dropFiles(page, [file], { x: 400, y: 15 }, { x: 400, y: 300 });
  await page.waitForURL(`**${path}/edit?from=drop`);
  await page.getByRole("heading", { name: "Changes in version 2" }).waitFor();
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await page.waitForURL(`**${path}`);
  expect(await latestOf(artifact.artifactId)).toEqual([2, "# Report\n\nTwo.\n"]);
});

test("a text pasted on an artifact's page is compared, and a file of another type is refused", async () => {
  const artifact = await createArtifact(site.owner, site.projectSlug, { content: "# Report\n\nOne.\n" });
  const path = pathOf(artifact);
  const page = await open(path);
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "# Report\n\nPasted.\n");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
  await page.getByRole("heading", { name: "Changes in version 2" }).waitFor();
  await page.goto(path);
  await dropFiles(page, [await fileOf("page.html", "<p>")], { x: 400, y: 15 });
  await page.getByText("page.html is HTML, but this artifact is Markdown.").waitFor();
  // The files were taken: a reload proposes nothing.
  await page.reload();
  await untilScriptRuns(page);
  await page.getByRole("textbox", { name: /^Markdown of / }).waitFor();
  expect(await page.getByText("page.html is HTML").count()).toBe(0);
  expect((await latestOf(artifact.artifactId))[0]).toBe(1);
});

test("a file dropped on a card of the dashboard is the next version of that artifact", async () => {
  const artifact = await createArtifact(site.owner, site.projectSlug, { title: "On a card", content: "# A\n" });
  const page = await open(`/dashboard/${site.owner.username}/p/${site.projectSlug}`);
  await untilScriptRuns(page);
  const card = page.locator(`[data-artifact="${artifact.artifactId}"]`);
  await card.scrollIntoViewIfNeeded();
  const box = await card.boundingBox();
  if (box === null) throw new Error("the card is not shown");
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await dropFiles(page, [await fileOf("card.md", "# B\n")], point);
  await page.waitForURL(`**${pathOf(artifact)}/edit?from=drop`);
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await page.waitForURL(`**${pathOf(artifact)}`);
  expect(await latestOf(artifact.artifactId)).toEqual([2, "# B\n"]);
});

test("the page of a reader has neither the script nor the place to drop", async () => {
  const artifact = await createArtifact(site.owner, site.projectSlug);
  const reader = await signIn(site.instance, (await createPerson(site.instance)).userId);
  for (const headers of [{}, { cookie: reader }]) {
    const html = await (await fetch(artifact.url, { headers })).text();
    expect(html).not.toContain('data-part="drop"');
  }
  expect(await (await fetch(artifact.url, { headers: { cookie: site.session } })).text()).toContain('data-part="drop"');
});
