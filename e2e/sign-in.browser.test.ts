// Signing in as a person does: the owner's link and a provider's pages in Chromium, with what the pages say when it
// does not succeed.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";

import { openBrowser } from "./harness/browser.ts";
import { startIdentityProvider, type IdentityProvider } from "./harness/identity-provider.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { fresh, operatorOf } from "./harness/people.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";
import { hung } from "./harness/process.ts";

setDefaultTimeout(hung);

let browser: Browser;
let provider: IdentityProvider;
let instance: Instance;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  provider = await startIdentityProvider();
  [browser, instance] = await Promise.all([openBrowser(), startInstance({ env: provider.env })]);
  await provider.trust(instance.origin);
});
afterAll(async () => {
  await browser.close();
  await instance.stop();
  await provider.stop();
});
beforeEach(async () => {
  await context?.close();
  context = await browser.newContext();
  page = await context.newPage();
  page.setDefaultTimeout(hung);
});

const somebody = () => {
  const sub = fresh("browser");
  return { sub, email: trackSecret(`${sub}@example.org`), email_verified: true, name: "Ada" };
};
const go = (path: string) => page.goto(instance.origin + path);
const button = (name: string | RegExp) => page.getByRole("button", { name });
const sessions = async () => (await context.cookies()).filter(({ name }) => name === "plinth_session");

/** Presses until it works, because a page that is still loading ignores presses; then waits for the result. */
async function continueWithProvider(until: (wait: { timeout: number }) => Promise<unknown>): Promise<void> {
  const target = button("Continue with Tests");
  const shortly = { timeout: 2000 };
  for (let arrived = false; !arrived;) {
    await target.click(shortly).catch(() => "on its way already");
    arrived = await until(shortly).then(
      () => true,
      () => false,
    );
  }
}
const says = (text: string) => (wait: object) => page.getByText(text).waitFor(wait);
const isAt = (path: string) => (wait: object) => page.waitForURL((url) => url.pathname === path, wait);

test("through a provider: to where one was going, by way of a username, and out again", async () => {
  const { email } = (provider.account = somebody());
  await go("/login?next=%2Fsettings%2Fsessions");
  await continueWithProvider(isAt("/workspaces/new"));
  expect(new URL(page.url()).searchParams.get("next")).toBe("/settings/sessions");
  expect(await sessions()).toMatchObject([{ httpOnly: true, sameSite: "Lax", path: "/" }]);
  expect(await page.evaluate(() => document.cookie)).toBe("");

  await go("/login");
  await page.getByRole("strong").getByText(email).waitFor();
  await button("Sign out").click();
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  await go("/login");
  await button("Continue with Tests").waitFor();
  expect(await sessions()).toEqual([]);
});

test.each([
  ["denied", null, "You did not allow the sign-in at your identity provider."],
  ["email_unverified", { email_verified: false }, "Your identity provider has not verified your email address."],
  ["email_invalid", { email: "\u212Aim@example.org" }, "Your identity provider gave no email address that can be used"],
] as const)("a sign-in that ends in %s says so, and keeps the way on", async (code, changed, words) => {
  provider.account = changed && { ...somebody(), ...changed };
  await go("/login?next=%2Fdashboard");
  await continueWithProvider(says(words));
  expect(page.url()).toBe(`${instance.origin}/login?error=${code}&next=%2Fdashboard`);
  expect(await sessions()).toEqual([]);
});

test("a provider that can't be reached is said where one is, and again on the way back", async () => {
  provider.account = somebody();
  await provider.stop();
  await go("/login");
  await continueWithProvider(says("Tests can't be reached at the moment."));
  await provider.start();

  // It goes away while the person is there.
  provider.broken = true;
  await continueWithProvider(says("Your identity provider can't be reached at the moment."));
  provider.broken = false;
  expect(await sessions()).toEqual([]);
});

test("by a link: nothing happens before the button, and it works once", async () => {
  const username = fresh("linked");
  const email = trackSecret(`${username}@example.org`);
  const { userId } = await operatorOf(instance).call("operator.createUser", { email, username });
  const { url } = await operatorOf(instance).call("operator.createSignInLink", { userId });
  const { hash } = new URL(url);
  trackSecret(hash.slice(1));
  for (const _ of ["looking uses nothing up", "and so it can be looked at again"]) {
    await page.goto("about:blank");
    await go(`/login${hash}`);
    await page.getByRole("main").getByText(email).waitFor();
    expect(await sessions()).toEqual([]);
  }
  await button(`Sign in as ${username}`).click();
  await page.waitForURL((address) => address.pathname !== "/login");
  expect(await sessions()).toHaveLength(1);

  const other = await browser.newPage();
  await other.goto(`${instance.origin}/login${hash}`);
  await other.getByText("This link has expired or has already been used").waitFor();
  await other.close();
});
