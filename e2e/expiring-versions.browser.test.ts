// The notices in the version history about versions that retention deletes soon, and about those that it deleted.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { decodeId } from "@plinth/contract/ids";

import { databaseUrlOf } from "./harness/embedded-database.ts";
import { openContext } from "./harness/browser.ts";
import { createArtifact, createProject, createPerson, operatorOf, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(2 * hung);

const site = testSite();
let session: string;
let path: string;
beforeAll(async () => {
  const { instance } = site;
  const owner = await createPerson(instance, "free");
  session = await signIn(instance, owner.userId);
  const artifact = await createArtifact(owner, (await createProject(owner)).slug, { title: "Quarterly numbers" });
  const { artifactId } = artifact;
  path = new URL(artifact.url).pathname;
  for (const changelog of ["Corrected the second table", "With the totals", "For the board"])
    await owner.client.call("version.create", { artifactId, content: `# ${changelog}\n`, changelog });
  const sql = new SQL(databaseUrlOf(instance.dataDir), { max: 1 });
  // The first was superseded 40 days ago, and the second 27: free keeps a version for 30.
  const days = [50, 40, 27, 1];
  for (const [index, old] of days.entries()) {
    await sql`UPDATE version SET created_at = now() - make_interval(days => ${old}, hours => -1)
      WHERE artifact_id = ${decodeId("art", artifactId)} AND version_number = ${index + 1}`;
  }
  await sql`UPDATE artifact SET oldest_superseded_at = now() - interval '40 days' + interval '1 hour'
    WHERE artifact_id = ${decodeId("art", artifactId)}`;
  await operatorOf(instance).call("operator.runJob", { kind: "retention" });
  const isGone = async () => (await sql`SELECT 1 FROM version WHERE pruned_at IS NOT NULL`).length > 0;
  while (!(await isGone())) await Bun.sleep(50);
  await sql.close();
});

async function openVersions(session?: string) {
  const page = await site.open(path, session);
  await page.locator('[data-part="versions"] > summary').click();
  await page.getByText("With the totals").waitFor();
  return page;
}

test("what expires soon says when, and above the list what helps; what is gone leads nowhere", async () => {
  const page = await openVersions(session);
  const warning = page.locator('[data-part="version-expiring"]');
  expect(await warning.innerText()).toMatch(/^Version 2 expires in 3 days\. To keep a version, restore it/);
  const rows = page.locator('[data-part="version-list"] > li');
  expect(await rows.count()).toBe(4);
  const expiry = rows.nth(2).locator('[data-part="expiry"]');
  expect(await expiry.innerText()).toBe("Expires in 3 days");
  expect(await expiry.getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  expect(await rows.nth(1).locator('[data-part="expiry"]').isVisible()).toBe(false);
  expect(await rows.nth(3).innerText()).toMatch(/v1\s+Expired\s+(?:just now|\d+ minutes? ago)/);
  expect(await rows.nth(3).locator("a").count()).toBe(0);
  await page.context().close();
});

test("a viewer who cannot restore only sees the time", async () => {
  const page = await openVersions();
  expect((await page.locator('[data-part="version-expiring"]').innerText()).trim()).toBe(
    "Version 2 expires in 3 days.",
  );
  await page.context().close();
});

test("the page of a version that is gone says so, and offers no way back to it", async () => {
  const context = await openContext(site.browser, site.instance.origin, session);
  context.setDefaultTimeout(hung);
  const page = await context.newPage();
  expect((await page.goto(`${path}?v=1`))?.status()).toBe(404);
  expect(await page.locator("h1").innerText()).toBe("This version has expired");
  expect(await page.getByText("Restore this version").count()).toBe(0);
  expect((await page.goto(`${path}?v=2`))?.status()).toBe(200);
  expect(await page.getByText("Restore this version").count()).toBe(1);
  await context.close();
});
