// Private requires a plan: the page says so, the plan is bought on the fake Stripe's page, and then the artifact is
// private.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";

import type { StripeFake } from "@plinth/support/stripe/stripe-fake";

import { inputDriversOf } from "../harness/input-drivers.ts";
import { send } from "../harness/http.ts";
import { createArtifact, createPerson, createProject, signIn } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { openStripe, sendEventsTo } from "../harness/selling.ts";
import { openSite } from "../harness/site.ts";
import { testSite } from "../harness/test-site.ts";

setDefaultTimeout(6 * hung);

let stripe: StripeFake;
const site = testSite(async () => {
  stripe = await openStripe();
  const opened = await openSite({ env: { CHROMIUM_PATH: "off", DEFAULT_PLAN: "free", ...stripe.environment } });
  sendEventsTo(stripe, opened.instance.origin);
  return opened;
});
afterAll(() => stripe.close());

test.each(inputDriversOf("make-it-private"))(
  "what is public becomes private once Pro is bought: %s",
  async (_, driverFor) => {
    const person = await createPerson(site.instance, "free");
    const { slug } = await createProject(person);
    const { url } = await createArtifact(person, slug, { title: "Board memo" });
    const { pathname } = new URL(url);
    const page = await site.open(pathname, await signIn(site.instance, person.userId));
    const driver = driverFor(page);
    const button = (name: string) => page.getByRole("button", { name, exact: true });

    await driver.press(page.getByRole("link", { name: "Share", exact: true }));
    await driver.press(page.getByRole("dialog").getByRole("link", { name: "All sharing settings" }));
    await driver.press(page.getByRole("link", { name: "Access", exact: true }));
    await page.getByText("Anyone with the URL can see this.").waitFor();
    await driver.pick(page.getByRole("radio", { name: /^Private/ }));
    await driver.press(button("Save"));
    await page.getByRole("alert").getByText("Private artifacts require Pro.").waitFor();
    await driver.press(page.getByRole("alert").getByRole("link", { name: "See plans" }));

    await page.waitForURL("**/settings/billing?**");
    await driver.press(button("Upgrade to Pro"));
    await page.waitForURL(`${stripe.url}/**`);
    await driver.choose(page.getByLabel("Card"), "One that pays");
    await driver.press(button("Pay"));
    await page.getByText("You're now on Pro.").waitFor();

    await page.goto(`${pathname}/settings/access`);
    await driver.pick(page.getByRole("radio", { name: /^Private/ }));
    await driver.press(button("Save"));
    await page.getByText("1 person can see this.").waitFor();
    expect((await send(site.instance.origin + pathname)).status).toBe(404);
  },
);
