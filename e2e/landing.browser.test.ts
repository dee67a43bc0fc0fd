// From the landing page to a live link, without an account before: a document is pasted, previewed without anything
// stored, and published after signing in.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";

import { clientOf, operatorOf } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSite } from "./harness/site.ts";
import { testSite } from "./harness/test-site.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";

setDefaultTimeout(3 * hung);

// Its owner has chosen no name yet.
const site = testSite(() => openSite({ env: { CHROMIUM_PATH: "off" } }));

const text = "# Quarterly numbers\n\nRevenue was 90.\n";
const field = (page: Page) => page.getByRole("textbox", { name: "Your document" });
const preview = (page: Page) => page.frameLocator("iframe[title='Preview of your document']").first();
const isReady = (page: Page) => page.locator("[data-part=paste-publish]").waitFor();

test("pasting previews at once, the document outlives signing in, and five presses lead to a live link", async () => {
  const username = "visitor";
  const userId = /--user-id (usr_\w+)/.exec(site.instance.stderr())?.[1] ?? "";
  const { url } = await operatorOf(site.instance).call("operator.createSignInLink", { userId });
  trackSecret(new URL(url).hash.slice(1));
  let presses = 0;
  const press = async (page: Page, name: string) => {
    presses++;
    await page
      .getByRole("button", { name, exact: true })
      .or(page.getByRole("link", { name, exact: true }))
      .click();
  };

  const page = await site.open("/");
  await field(page).fill(text);
  await preview(page).getByRole("heading", { name: "Quarterly numbers" }).waitFor();
  await press(page, "Sign in to publish");
  await page.waitForURL("**/login?next=**");

  // The link opens in another tab.
  const tab = await page.context().newPage();
  await tab.goto(url);
  await press(tab, "Sign in as this account");
  await tab.getByLabel("Username").fill(username);
  await tab.getByText(`${username} is available.`).waitFor();
  await press(tab, "Claim username");
  await tab.getByText("Your document is ready to publish.").waitFor();
  expect(await tab.getByLabel("Document", { exact: true }).inputValue()).toBe(text);
  await press(tab, "Publish");
  await tab.getByRole("heading", { name: "It's live" }).first().waitFor();
  expect(presses).toBeLessThanOrEqual(5);

  const link = tab.getByRole("link", { name: /quarterly-numbers$/ });
  const path = new URL((await link.getAttribute("href")) ?? "").pathname;
  expect(path).toBe(`/${username}/notes/quarterly-numbers`);
  await tab.getByRole("button", { name: "Copy link" }).waitFor();
  const [owner = "", projectSlug = "", slug = ""] = path.slice(1).split("/");
  const artifact = await clientOf(site.instance.origin).call("artifact.getByPath", { owner, projectSlug, slug });
  expect(artifact.title).toBe("Quarterly numbers");
  // Published is not kept.
  await tab.goto("/workspaces/new/publish");
  expect(await tab.getByLabel("Document", { exact: true }).inputValue()).toBe("");
});

test("a dropped file is previewed by its type, and one that is no document is refused by name", async () => {
  const page = await site.open("/");
  await field(page).hover();
  const choose = page.locator("[data-part=paste] input[type=file]");
  const give = (name: string, content: string) =>
    choose.setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
  await field(page).fill("x");
  await isReady(page);
  await give("photo.png", "no document");
  await page.getByText("photo.png isn't a Markdown, HTML or JSX file.").waitFor();
  await give("counter.jsx", "export default () => <button>Press me</button>;\n");
  await preview(page).getByRole("button", { name: "Press me" }).waitFor();
  await give("page.html", "<h1>Plain page</h1>");
  await preview(page).getByRole("heading", { name: "Plain page" }).waitFor();
});

test("the landing page has one coloured button, which knows who is signed in, and an image for link previews", async () => {
  const page = await site.open("/");
  expect(await page.locator(".button-accent").allInnerTexts()).toEqual(["Get started"]);
  const image = await page.locator("meta[property='og:image']").getAttribute("content");
  expect(image).toBe(`${site.instance.origin}/og.png`);
  const answer = await page.request.get("/og.png");
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "image/png"]);
  const own = await site.open("/", site.session);
  expect(await own.locator(".button-accent").allInnerTexts()).toEqual(["Open dashboard"]);
  await own.locator(".button-accent").click();
  await own.waitForURL("**/dashboard/**");
});
