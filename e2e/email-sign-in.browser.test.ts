// Signing in by a mailed link, in browsers with and without script, and coming back to an invitation in another browser.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";

import { openInbox, type Inbox } from "./harness/inbox.ts";
import { clientOf, createPerson, fresh, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSite } from "./harness/site.ts";
import { testSite } from "./harness/test-site.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";

setDefaultTimeout(hung);

let inbox: Inbox;
const site = testSite(async () => {
  inbox = await openInbox();
  return openSite({ env: { ...inbox.env, EMAIL_SIGN_IN: "1" } });
});
afterAll(() => inbox.close());

async function mailedLink(email: string): Promise<string> {
  const { text } = await inbox.mailTo(email);
  const link = text.match(/http:\S+\/login\/email\/\S+/)?.[0] ?? "";
  trackSecret(link.split("/").at(-1) ?? "");
  return link;
}

async function requestLink(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Email me a sign-in link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
}

test("without script: the form mails a link, opening it does not sign in, and its button does once and leads back", async () => {
  const person = await createPerson(site.instance);
  const page = await site.open("/login?next=%2Fsettings%2Fsessions", undefined, { javaScriptEnabled: false });
  await page.getByLabel("Email").fill("ada@localhost");
  await page.getByRole("button", { name: "Email me a sign-in link" }).click();
  await page.getByText("Email must be an email address, such as ada@example.com").waitFor();
  await requestLink(page, `${person.username}@example.com`);
  const link = await mailedLink(`${person.username}@example.com`);
  for (let scans = 0; scans < 3; scans++) {
    const scanned = await fetch(link, { redirect: "manual" });
    expect([scanned.status, scanned.headers.getSetCookie()]).toEqual([200, []]);
    expect(scanned.headers.get("referrer-policy")).toBe("same-origin");
    expect(scanned.headers.get("cache-control")).toBe("private, no-store");
  }
  const elsewhere = await site.open(link, undefined, { javaScriptEnabled: false });
  await elsewhere.getByText(person.username, { exact: true }).waitFor();
  await elsewhere.getByRole("button", { name: "Sign in" }).click();
  await elsewhere.waitForURL("**/settings/sessions");
  const late = await site.open(link);
  await late.getByRole("heading", { name: "This link no longer works" }).waitFor();
  expect(site.instance.stderr()).not.toContain(link.split("/").at(-1) ?? "?");
});

test("an invited person without an account comes back to the invitation, in whichever browser the mail is opened", async () => {
  const admin = await createPerson(site.instance);
  const asAdmin = clientOf(site.instance.origin, await signIn(site.instance, admin.userId));
  const { workspaceId } = await asAdmin.call("workspace.create", { slug: fresh("team"), name: "Acme" });
  const email = `${fresh("guest")}@example.com`;
  const { url = "" } = await asAdmin.call("invitation.create", { workspaceId, email, role: "member" });
  trackSecret(new URL(url).hash.slice(1));
  const invited = await inbox.mailTo(email);
  expect(invited.text).toContain(`${admin.username} invited you to the workspace “Acme” on Plinth, as a member.`);
  const page = await site.open(url);
  await page.getByText(`${admin.username} invited you to Acme as a member.`).waitFor();
  await page.getByRole("link", { name: "Sign in", exact: true }).last().click();
  await page.waitForURL("**/login?next=*");
  await requestLink(page, email);
  expect(page.url()).not.toContain(new URL(url).hash.slice(1));
  let link = "";
  while (link === "") {
    const mail = inbox.deliveries.find(({ to, text }) => to === email && text.includes("/login/email/"));
    link = mail?.text.match(/http:\S+\/login\/email\/\S+/)?.[0] ?? "";
    if (link === "") await Bun.sleep(20);
  }
  const elsewhere = await site.open(link);
  await elsewhere.getByText("This link creates an account for").waitFor();
  await elsewhere.getByRole("button", { name: "Sign in" }).click();
  await elsewhere.waitForURL("**/invitations/accept");
  await elsewhere.getByRole("button", { name: "Accept invitation" }).click();
  await elsewhere.getByRole("heading", { name: "You joined Acme" }).waitFor();
});

test("turned off, the sign-in page has no form and the page of a link is not found", async () => {
  const off = await openSite({ env: inbox.env });
  try {
    const { origin } = off.instance;
    expect(await (await fetch(`${origin}/login`)).text()).not.toContain("sign-in link</button>");
    const answers = [
      await fetch(`${origin}/login/email/anything`, { headers: { accept: "text/html" } }),
      await fetch(`${origin}/login?/email`, {
        method: "POST",
        headers: { origin, accept: "text/html" },
        body: new URLSearchParams({ email: "ada@example.com" }),
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  } finally {
    await off.close();
  }
});
