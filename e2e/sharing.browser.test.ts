// Sharing in Chromium: an artifact's settings show and change who can see it, and a link opens it for its holder until
// it is revoked. Uses only what people see and press.
import { beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import { expireLink } from "./harness/expire-link.ts";
import { send } from "./harness/http.ts";
import { clientOf, createArtifact, createPerson, createProject, fresh, operatorOf, signIn } from "./harness/people.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";
import { sample, testRandom } from "./harness/test-seed.ts";

setDefaultTimeout(3 * hung);

const site = testSite();
let artifactId: string;
/** Of the private artifact of a test. */
let path: string;

beforeEach(async () => {
  const made = await createArtifact(site.owner, site.projectSlug, {
    title: "Board memo",
    access: { publicView: false, publicEdit: false },
  });
  artifactId = made.artifactId;
  path = new URL(made.url).pathname;
});

async function makeLink(role: "viewer" | "editor") {
  const made = await site.owner.client.call("shareLink.create", { artifactId, role });
  return { shareLinkId: made.shareLinkId, token: trackSecret(made.token ?? ""), url: made.url ?? "" };
}

const useCount = async () => (await site.owner.client.call("shareLink.list", { artifactId })).shareLinks[0]?.useCount;

// With script or without, by the seed of the run; `TEST_SAMPLES=all bun run test e2e/sharing` has both.
describe.each(sample([true, false], 1, testRandom("sharing", "script")))(
  "the settings, script %p",
  (javaScriptEnabled) => {
    const settings = (part: string) => site.open(`${path}/settings${part}`, site.session, { javaScriptEnabled });

    test("access is said in words, and the words follow what one changes", async () => {
      const page = await settings("/access");
      await page.getByText("1 person can see this.").waitFor();
      await page.getByLabel("Email", { exact: true }).fill("ada@example.com, grace@example.com");
      await page.getByRole("button", { name: "Add" }).click();
      await page.getByText("3 people can see this.").waitFor();
      await page.getByRole("button", { name: "Remove ada@example.com" }).click();
      await page.getByText("2 people can see this.").waitFor();
      expect(await site.owner.client.call("access.get", { artifactId })).toEqual({
        publicView: false,
        publicEdit: false,
        viewerEmails: ["grace@example.com"],
      });

      await page.getByLabel("Their email").fill("stranger@example.com");
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByText("stranger@example.com can't view.").waitFor();

      await page.getByRole("radio", { name: /^Public/ }).check();
      await page.getByLabel("Anyone signed in can edit it too").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Anyone with the URL can see this.").waitFor();
      await page.getByText("Anyone who is signed in can edit this.").waitFor();
      expect(await site.owner.client.call("access.get", { artifactId })).toEqual({
        publicView: true,
        publicEdit: true,
        viewerEmails: ["grace@example.com"],
      });
    });

    test("what is no address is refused beside its field, and nothing is lost", async () => {
      const page = await settings("/access");
      await page.getByLabel("Email", { exact: true }).fill("ada@example.com nobody");
      await page.getByRole("button", { name: "Add" }).click();
      await page.locator("[aria-invalid=true]").waitFor();
      expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("ada@example.com nobody");
      expect((await site.owner.client.call("access.get", { artifactId })).viewerEmails).toEqual([]);
    });

    test("a link is shown once, opens the page at its clean address, and is revoked", async () => {
      const page = await settings("/links");
      await page.getByLabel("Label").fill("Auditors");
      await page.getByRole("button", { name: "Create link" }).click();
      const url = await page.locator("[data-secret]").innerText();
      trackSecret(url.split("/").at(-1) ?? "");
      await page.goto(`${path}/settings/links`);
      expect(await page.content()).not.toContain(url);

      const theirs = await site.open(url);
      expect(new URL(theirs.url()).pathname).toBe(path);
      await theirs.getByText("can view").waitFor();
      await theirs.frameLocator("iframe").getByRole("heading", { name: "First" }).waitFor();
      expect(await theirs.getByRole("link", { name: "Share", exact: true }).count()).toBe(0);

      const row = page.getByRole("row").filter({ hasText: "Auditors" });
      await row.getByText("Revoke").first().click();
      await row.getByRole("button", { name: "Revoke Auditors" }).click();
      await page.getByText("Everyone using this link has lost access").waitFor();
      await theirs.reload();
      await theirs.getByRole("heading", { name: "Page not found" }).waitFor();
      await theirs.getByRole("link", { name: "Sign in to see what's shared with you" }).waitFor();
      await theirs.goto(url);
      await theirs.getByRole("heading", { name: "This link was revoked." }).waitFor();

      await page.goto(`${path}/settings/activity`);
      const said = await page.locator("ol summary").allInnerTexts();
      expect(said.some((text) => text.includes("revoked the view link Auditors"))).toBe(true);
      expect(said.some((text) => text.includes("created the view link Auditors"))).toBe(true);
      await page.getByLabel("Kind").selectOption("share_link.revoked");
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Show" }).click();
      await page.waitForURL("**/activity?kind=share_link.revoked");
      expect(await page.locator("ol > li").count()).toBe(1);
    });

    test("another address, and the end with its way back", async () => {
      const page = await settings("");
      const slug = fresh("moved");
      await page.getByLabel("Title", { exact: true }).fill("Board memo, final");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      await page.getByLabel("Slug").first().fill(slug);
      await page.getByRole("button", { name: "Move or rename URL" }).click();
      await page.waitForURL(`**/${slug}/settings?moved`);
      await page.getByRole("heading", { name: "Board memo, final" }).waitFor();

      await page.getByText("Delete this artifact").click();
      await page.getByLabel("Type the slug to confirm").fill("something-else");
      await page.getByRole("button", { name: "Delete artifact" }).click();
      await page.getByText(`Type ${slug}.`).waitFor();
      await page.getByLabel("Type the slug to confirm").fill(slug);
      await page.getByRole("button", { name: "Delete artifact" }).click();
      await page.waitForURL("**/settings/deleted?gone");
      await page.getByRole("button", { name: "Restore Board memo, final" }).first().click();
      await page.getByText(/^Restored /).waitFor();
      expect((await site.owner.client.call("artifact.get", { artifactId })).slug).toBe(slug);
    });
  },
);

test("a plan that has no private artifacts is told kindly, and nothing changes", async () => {
  const free = await createPerson(site.instance, "free");
  const made = await createArtifact(free, (await createProject(free)).slug);
  const page = await site.open(
    `${new URL(made.url).pathname}/settings/access`,
    await signIn(site.instance, free.userId),
  );
  await page.getByText("Private artifacts require Pro.").waitFor();
  await page.getByRole("radio", { name: /^Private/ }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("Private artifacts require Pro.").waitFor();
  expect((await free.client.call("access.get", { artifactId: made.artifactId })).publicView).toBe(true);
});

test("opening a link sets its cookie, does not count as a use, and leaks the token to no other server", async () => {
  const { token, url } = await makeLink("editor");
  for (const method of ["HEAD", "GET"]) {
    const answer = await send(url, { method, headers: { accept: "text/html" } });
    expect([method, answer.status, answer.headers.get("location")]).toEqual([method, 303, path]);
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    const cookie = answer.headers.getSetCookie().join("\n");
    expect(cookie).toMatch(/^plinth-grants=[^;]+;.*HttpOnly.*SameSite=Lax/i);
    expect(cookie + answer.text).not.toContain(token);
  }
  expect(await useCount()).toBe(0);
  const editor = await site.open(url);
  await editor.getByText("can edit").waitFor();
  expect(await editor.content()).not.toContain(token);
  // Where the page's own script asks again for an address of the content.
  const ticket = await editor.evaluate(
    async (asked) => (await fetch(`/api/artifacts/${asked}/ticket`)).status,
    artifactId,
  );
  expect(ticket).toBe(200);
});

test("invalid links have separate pages, which say nothing of the artifact", async () => {
  const revoked = await makeLink("viewer");
  await site.owner.client.call("shareLink.revoke", { shareLinkId: revoked.shareLinkId });
  const expired = await makeLink("viewer");
  await expireLink(site.instance, expired.shareLinkId);
  const page = await send(expired.url, { headers: { accept: "text/html" } });
  expect(page.text).toContain("This link has expired.");
  const cases = [
    [page, expired.token],
    [await send(revoked.url, { headers: { accept: "text/html" } }), revoked.token],
    [await send(`${site.instance.origin}/share/nothing`, { headers: { accept: "text/html" } }), "share/nothing"],
  ] as const;
  for (const [answer, token] of cases) {
    expect(answer.status).toBe(404);
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.getSetCookie()).toEqual([]);
    for (const hidden of [token, "Board memo", site.owner.username, site.projectSlug, artifactId, "<script"])
      expect(answer.text.replace(/<script nonce[^]*?<\/script>/, "")).not.toContain(hidden);
  }
  expect(new Set(cases.map(([{ text }]) => /<h1[^>]*>([^<]*)/.exec(text)?.[1]))).toEqual(
    new Set(["This link has expired.", "This link was revoked.", "This link isn't valid."]),
  );
});

test("a link goes on beside a session, and only its holder has what it gives", async () => {
  const { url } = await makeLink("viewer");
  const stranger = await createPerson(site.instance);
  const cookie = await signIn(site.instance, stranger.userId);
  const page = await site.open(path, cookie);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.goto(url);
  await page.frameLocator("iframe").getByRole("heading", { name: "First" }).waitFor();
  expect((await page.goto(`${path}/settings/access`))?.status()).toBe(404);
});

test("only a workspace's admins can read its audit events", async () => {
  const admin = clientOf(site.instance.origin, site.session);
  const { slug, workspaceId } = await admin.call("workspace.create", { slug: fresh("team"), name: "Acme" });
  const member = await createPerson(site.instance);
  await operatorOf(site.instance).call("operator.setMember", { workspaceId, userId: member.userId, role: "member" });
  const page = await site.open(`/settings/workspaces/${slug}`, site.session);
  await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Activity" }).click();
  await page.getByText("created the team").first().waitFor();
  await page.locator("ol summary").first().click();
  await page.getByText("Request").first().waitFor();

  const theirs = await site.open(`/settings/workspaces/${slug}`, await signIn(site.instance, member.userId));
  await theirs.getByRole("heading", { name: "Acme" }).waitFor();
  expect(await theirs.getByRole("link", { name: "Activity" }).count()).toBe(0);
  expect((await theirs.goto(`/settings/workspaces/${slug}/activity`))?.status()).toBe(404);
});

test("Share opens over the document: choices apply at once, and the copied link follows the chosen version", async () => {
  const page = await site.open(path, site.session);
  await page.getByRole("link", { name: "Share", exact: true }).click();
  const popover = page.getByRole("dialog", { name: /^Share / });
  await popover.getByRole("radio", { name: "Anyone with the link" }).waitFor();
  const accessNow = () => site.owner.client.call("access.get", { artifactId });
  await popover.getByRole("radio", { name: "Anyone with the link" }).check();
  await popover.getByRole("status").getByText("Anyone with the link can view this.").waitFor();
  expect((await accessNow()).publicView).toBe(true);
  await popover.getByRole("radio", { name: "Only people with access" }).check();
  await popover.getByRole("status").getByText("Only people with access can view this.").waitFor();
  expect((await accessNow()).publicView).toBe(false);
  // Who can see it, by name.
  await popover.getByText(/can see this\b/).click();
  await popover
    .getByRole("listitem")
    .filter({ hasText: `Members of the workspace: ${site.owner.username}` })
    .waitFor();

  await popover.getByLabel("Email").fill("no address");
  await popover.getByRole("button", { name: "Add" }).click();
  await popover
    .getByRole("alert")
    .filter({ hasText: /email|address/i })
    .waitFor();
  await popover.getByLabel("Email").fill("client@example.org");
  await popover.getByRole("button", { name: "Add" }).click();
  await popover.getByRole("list", { name: "People" }).getByTitle("client@example.org").waitFor();
  expect((await accessNow()).viewerEmails).toContain("client@example.org");
  await popover.getByRole("button", { name: "Remove client@example.org" }).click();
  await popover.getByRole("status").getByText("Removed client@example.org.").waitFor();
  expect((await accessNow()).viewerEmails).not.toContain("client@example.org");

  const shown = popover.locator("[data-part=share-url]");
  expect(await shown.innerText()).not.toContain("?v=");
  await popover.getByLabel("Link opens").selectOption("version");
  expect(await shown.innerText()).toContain("?v=");

  await page.keyboard.press("Escape");
  await popover.waitFor({ state: "hidden" });
  expect(new URL(page.url()).pathname).toBe(path);
});
