// A team is created, a person is invited by mail, and after accepting they find what was published there.
import { afterAll, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { inputDriversOf } from "../harness/input-drivers.ts";
import { openInbox, type Inbox } from "../harness/inbox.ts";
import { createPerson, fresh, signIn, type Person } from "../harness/people.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";
import { hung } from "../harness/process.ts";
import { openSite } from "../harness/site.ts";
import { testSite } from "../harness/test-site.ts";

setDefaultTimeout(6 * hung);

let inbox: Inbox;
const site = testSite(async () => {
  inbox = await openInbox();
  return openSite({ env: { CHROMIUM_PATH: "off", ...inbox.env } });
});
afterAll(() => inbox.close());

const openAs = async (person: Person, address: string): Promise<Page> =>
  site.open(address, await signIn(site.instance, person.userId));

test.each(inputDriversOf("invite-a-teammate"))(
  "a team, an invitation, a mail, and the team's dashboard: %s",
  async (_, driverFor) => {
    const teammate = await createPerson(site.instance, "free");
    const email = `${teammate.username}@example.com`;
    const slug = fresh("acme");

    const page = await openAs(site.owner, "/settings/workspaces");
    const driver = driverFor(page);
    await driver.press(page.getByRole("link", { name: "New team workspace" }));
    await driver.write(page.getByLabel("Name"), "Acme Research");
    await driver.write(page.getByLabel("URL", { exact: true }), slug);
    await driver.press(page.getByRole("button", { name: "Create workspace" }));
    await page.waitForURL(`**/settings/workspaces/${slug}**`);
    await driver.write(page.getByLabel("Email"), email);
    await driver.choose(page.getByLabel("Role", { exact: true }), "Member");
    await driver.press(page.getByRole("button", { name: "Invite", exact: true }));
    await page.getByRole("row", { name: email }).waitFor();

    const { text } = await inbox.mailTo(email);
    const mailed = /http:\S+\/invitations\/accept#\S+/.exec(text)?.[0] ?? "";
    trackSecret(new URL(mailed).hash.slice(1));
    const theirs = await openAs(teammate, mailed);
    const theirDriver = driverFor(theirs);
    await theirs.getByText(email).waitFor();
    await theirDriver.press(theirs.getByRole("button", { name: "Accept invitation" }));
    await theirs.getByRole("heading", { name: "You joined Acme Research" }).waitFor();
    await theirDriver.press(theirs.getByRole("link", { name: "Open Acme Research" }));
    await theirs.waitForURL(`**/dashboard/${slug}`);
    await theirs.getByRole("heading", { name: "Acme Research", exact: true }).waitFor();
    await theirs.getByRole("main").getByRole("link", { name: "Publish", exact: true }).first().waitFor();

    await page.reload();
    await page.getByRole("table", { name: "Members" }).getByText(email).waitFor();
  },
);
