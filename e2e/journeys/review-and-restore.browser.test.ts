// A user flow: an agent's version is reviewed, and the better version restored after a look at the difference.
import { afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { pick, pressOn } from "../harness/keyboard.ts";
import { clientOf, createArtifact, fresh } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { testSite } from "../harness/test-site.ts";

setDefaultTimeout(3 * hung);

const site = testSite();
let agent: ReturnType<typeof clientOf>;

beforeAll(async () => {
  const { token } = await site.owner.client.call("agent.create", {
    name: "Reviewed agent",
    scopes: ["artifacts:read", "artifacts:update"],
  });
  agent = clientOf(site.instance.origin, token);
});
afterEach(() => expect(site.complaints).toEqual([]));

const first = "# Figures\n\nRevenue was 40.\n\nCosts were 10.\n";
const second = "# Figures\n\nRevenue was 90.\n\nCosts were 10.\n";

/** An artifact of three versions: the first its owner's, the others the agent's. */
async function published() {
  const title = fresh("Figures");
  const made = await createArtifact(site.owner, site.projectSlug, { content: first, title });
  for (const [n, content] of [second, `${second}\nA third.\n`].entries())
    await agent.call("version.create", { artifactId: made.artifactId, content, changelog: `Note ${n + 2}` });
  return { artifactId: made.artifactId, title, path: new URL(made.url).pathname };
}

const rail = (page: Page) => page.getByRole("navigation", { name: "Versions" });
const changes = (page: Page, from: number, to: number) =>
  page.getByRole("table", { name: `Changes between versions ${from} and ${to}` });
const document = (page: Page, title: string) => page.getByTitle(title, { exact: true }).last().contentFrame();

test("by role and label", async () => {
  const { path, title, artifactId } = await published();
  const page = await site.open(path, site.session);
  await page.getByLabel("version 3 of 3").click();
  await page.getByRole("link", { name: "Version history" }).click();
  await rail(page).getByRole("link").getByText("Reviewed agent").first().waitFor();
  await changes(page, 2, 3).getByText("A third.").waitFor();
  await rail(page)
    .getByRole("link", { name: /Note 2/ })
    .click();
  await changes(page, 1, 2).getByText("Revenue was 90.").waitFor();
  // The line as it was and as it is, with the words that differ marked and no others.
  expect(
    await changes(page, 1, 2)
      .getByRole("row", { name: /Revenue was/ })
      .count(),
  ).toBe(2);
  expect(
    await changes(page, 1, 2)
      .getByRole("row", { name: /Revenue was/ })
      .getByText(/^[49]0$/)
      .allTextContents(),
  ).toEqual(["40", "90"]);
  await rail(page)
    .getByRole("link", { name: /First version/ })
    .click();
  await page.getByRole("link", { name: "Restore v1…" }).click();
  await page.getByText("Restoring version 1 creates version 4.").waitFor();
  await page.getByRole("button", { name: "Restore as v4" }).click();
  await page.getByText("Restored version 1 as version 4.").waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  await document(page, title).getByText("Revenue was 40.").waitFor();
  expect(await agent.call("version.content", { artifactId })).toBe(first);
});

test("by keyboard alone", async () => {
  const { path, title, artifactId } = await published();
  const page = await site.open(path, site.session);
  await pressOn(page, page.getByLabel("version 3 of 3"));
  await pressOn(page, page.getByRole("link", { name: "Version history" }));
  await changes(page, 2, 3).getByText("A third.").waitFor();
  await page.keyboard.press("[");
  await changes(page, 1, 2).getByText("Revenue was 90.").waitFor();
  await page.keyboard.press("]");
  await changes(page, 2, 3).getByText("A third.").waitFor();
  await pick(page, page.getByRole("radio", { name: "From version 1" }));
  await changes(page, 1, 3).waitFor();
  await pressOn(page, page.getByRole("link", { name: "Restore v1…" }));
  await page.getByText("Restoring version 1 creates version 4.").waitFor();
  await pressOn(page, page.getByRole("button", { name: "Restore as v4" }));
  await page.getByText("Restored version 1 as version 4.").waitFor();
  await document(page, title).getByText("Revenue was 40.").waitFor();
  expect(await agent.call("version.content", { artifactId })).toBe(first);
});
