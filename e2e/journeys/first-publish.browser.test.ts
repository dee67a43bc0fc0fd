// From the link of a new instance to the first push: choosing a name, the waiting page, its command run by the real
// command line; and the demo project, which is deleted with one press.
import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";

import type { Browser, BrowserContext, Page } from "playwright-core";

import { openBrowser, openContext } from "../harness/browser.ts";
import { distributions } from "../harness/distributions.ts";
import { inputDriversOf } from "../harness/input-drivers.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { operatorOf } from "../harness/people.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";
import { hung, temporaryFolder, withinHung } from "../harness/process.ts";

setDefaultTimeout(6 * hung);

let browser: Browser;
let instance: Instance;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  instance = await startInstance({ env: { CHROMIUM_PATH: "off" } });
  context = await openContext(browser, instance.origin);
  context.setDefaultTimeout(3 * hung);
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await instance.stop();
});

/** The sign-in link that the terminal prints, created by the same command. */
async function ownersLink(): Promise<string> {
  const userId = /--user-id (usr_\w+)/.exec(instance.stderr())?.[1] ?? "";
  const { url } = await operatorOf(instance).call("operator.createSignInLink", { userId });
  trackSecret(new URL(url).hash.slice(1));
  return url;
}

/** Runs lines as a person who pastes them into a shell. */
async function paste(lines: string): Promise<void> {
  const home = await temporaryFolder("shell");
  const [{ command }] = distributions;
  const env = { HOME: home, PATH: `${dirname(command[0] ?? "")}:/usr/bin:/bin` };
  const shell = Bun.spawn(["sh", "-ec", lines], { cwd: home, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const said = new Response(shell.stderr).text();
  const code = await withinHung(shell.exited, () => `the shell did not end: ${lines}`);
  if (code !== 0) throw new Error(`it ended with ${code}: ${await said}`);
  await rm(home, { recursive: true });
}

test.each(inputDriversOf("first-publish"))(
  "a new instance: a name, the first push, and the demo goes: %s",
  async (_, driverFor) => {
    const driver = driverFor(page);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const link = (name: string) => page.getByRole("link", { name, exact: true });
    const signInLink = await ownersLink();
    await page.goto(signInLink);
    await page.getByText("This link signs you in as").waitFor();
    expect(new URL(page.url()).pathname).toBe("/login");
    await driver.press(button("Sign in as this account"));

    await page.getByRole("heading", { name: "Choose your username" }).waitFor();
    // Until the page's script runs, a button checks the name.
    await page.getByRole("button", { name: "Check availability" }).waitFor({ state: "hidden" });
    await driver.write(page.getByLabel("Username"), "settings");
    await page.getByText("settings is reserved").waitFor();
    await driver.write(page.getByLabel("Username"), "ada");
    await page.getByText("ada is available.").waitFor();
    await driver.press(button("Claim username"));

    // The demo project does not count as the first publish.
    await page.getByRole("heading", { name: "Publish your first artifact" }).waitFor();
    await driver.press(button("Create key and show command"));
    const commands = page.getByRole("group", { name: "CLI" }).getByRole("code");
    await commands.waitFor();
    const shown = await commands.innerText();
    trackSecret(/SERVICE_TOKEN=(\S+)/.exec(shown)?.[1] ?? "");
    await paste(shown);
    await page.getByRole("heading", { name: "It's live" }).waitFor();
    await driver.press(link("Open"));
    await page.waitForURL("**/ada/notes/hello");
    // The frame is the last of what has that title.
    await page.getByTitle("Hello").last().contentFrame().getByRole("heading", { name: "Hello" }).waitFor();

    await page.goto("/dashboard");
    const demo = page.getByRole("navigation", { name: "Projects" }).getByRole("link", { name: /^Demo project/ });
    await driver.press(demo);
    await page.getByRole("heading", { name: "Demo project" }).waitFor();
    const titles = page.getByRole("list", { name: "Artifacts" }).getByRole("heading");
    const came = ["The third quarter", "Winter hours for the van", "The network on one day", "Which pass is yours?"];
    expect((await titles.allInnerTexts()).toSorted()).toEqual(came.toSorted());
    await driver.press(button("Remove the demo project"));
    await page
      .getByRole("status", { name: /^Messages/ })
      .getByText("4 artifacts deleted.")
      .waitFor();
    expect(await titles.allInnerTexts()).toEqual(["Hello"]);
    expect(await demo.count()).toBe(0);

    await driver.press(button("Undo"));
    await page
      .getByRole("status", { name: /^Messages/ })
      .getByText("4 artifacts restored with their share links.")
      .waitFor();
    await page.reload();
    await demo.waitFor();

    await page.goto(signInLink);
    await page.getByText("This link has expired or has already been used").waitFor();
  },
);
