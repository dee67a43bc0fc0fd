// An owner gives a client without an account a link for a week, sees that it was opened, and revokes it.
import { expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { inputDriversOf } from "../harness/input-drivers.ts";
import { createArtifact, fresh } from "../harness/people.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";
import { hung } from "../harness/process.ts";
import { testSite } from "../harness/test-site.ts";

setDefaultTimeout(6 * hung);

const site = testSite();

/** Reloads the page until it shows that, because uses are counted a moment later. */
async function untilShown(page: Page, isShown: () => Promise<boolean>): Promise<void> {
  for (const ended = Date.now() + 3 * hung; !(await isShown()); await page.goto(page.url()))
    if (Date.now() > ended) throw new Error(`it was never shown: ${await page.getByRole("main").innerText()}`);
}

test.each(inputDriversOf("share-with-a-client"))(
  "a link for a week is opened, seen to be, and revoked: %s",
  async (_, driverFor) => {
    const title = fresh("Offer");
    const access = { publicView: false, publicEdit: false };
    const made = await createArtifact(site.owner, site.projectSlug, { title, access, content: "# Our offer\n" });
    const path = new URL(made.url).pathname;
    const page = await site.open(path, site.session);
    const driver = driverFor(page);
    // Three presses, and the document stays where it is.
    await driver.press(page.getByRole("link", { name: "Share", exact: true }));
    const popover = page.getByRole("dialog", { name: `Share ${title}` });
    await driver.write(popover.getByLabel("Label (optional)"), "The client");
    await driver.choose(popover.getByLabel("Expires in"), "7 days");
    await driver.press(popover.getByRole("button", { name: "Create link" }));
    await popover.getByRole("button", { name: "Copy share link" }).waitFor();
    await popover.getByText("Can view · expires in 7 days").waitFor();
    const url = await popover.locator("[data-part=share-made]").innerText();
    trackSecret(url.split("/").at(-1) ?? "");
    expect(new URL(page.url()).pathname).toBe(path);
    await driver.press(popover.getByRole("link", { name: "All sharing settings" }));
    await driver.press(page.getByRole("link", { name: "Share links", exact: true }));
    await page.getByRole("heading", { name: "Share links" }).waitFor();
    const row = page.getByRole("row", { name: /The client/ });
    await row.getByRole("cell", { name: "Never", exact: true }).waitFor();
    await row.getByText("Expires in 7 days").waitFor();

    const theirs = await site.open(url);
    await theirs.waitForURL(`**${path}`);
    const offer = theirs.getByTitle(title).last().contentFrame().getByRole("heading", { name: "Our offer" });
    await offer.waitFor();
    expect(await theirs.getByRole("link", { name: "Share", exact: true }).count()).toBe(0);

    await untilShown(page, async () => (await row.getByText(/^(Once|\d+ times)$/).count()) === 1);
    await row
      .getByText(/just now|seconds? ago|minutes? ago/)
      .first()
      .waitFor();

    await driver.press(row.getByText("Revoke The client"));
    await driver.press(row.getByRole("button", { name: "Revoke The client" }));
    await page.getByText("Revoked. Everyone using this link has lost access").waitFor();
    await theirs.goto(url);
    await theirs.getByRole("heading", { name: "This link was revoked." }).waitFor();
  },
);
