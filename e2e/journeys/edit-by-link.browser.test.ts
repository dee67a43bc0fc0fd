// A user flow: a person with an editor link writes, sees a preview, and saves, without an account.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { hasFocus, pressOn, tabTo, typeInto } from "../harness/keyboard.ts";
import { createArtifact, fresh } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { openSharedSite } from "../harness/site.ts";
import { testSite } from "../harness/test-site.ts";

setDefaultTimeout(3 * hung);

const site = testSite(() => openSharedSite(true));

afterEach(() => expect(site.complaints).toEqual([]));

const text = "# Title\n\nOne.\n\nTwo.\n";

/** A private artifact and its link. */
async function shared() {
  const { artifactId, title, url } = await createArtifact(site.owner, site.projectSlug, {
    content: text,
    title: fresh("Report"),
    access: { publicView: false, publicEdit: false },
  });
  const { url: link } = await site.owner.client.call("shareLink.create", {
    artifactId,
    role: "editor",
    label: "Reviewers",
  });
  return { artifactId, title, link: link ?? "", path: new URL(url).pathname };
}

const editor = (page: Page) => page.getByRole("textbox", { name: /^Markdown of/ });
const preview = (page: Page, title: string) => page.getByTitle(`Preview of ${title}`).last().contentFrame();
const sourceOf = (artifactId: string) => site.owner.client.call("version.content", { artifactId });

async function isSaved(artifactId: string, content: string, note: string) {
  expect(await sourceOf(artifactId)).toBe(content);
  const { versions } = await site.owner.client.call("version.list", { artifactId });
  expect([versions[0]?.changelog, versions[0]?.createdBy.type]).toEqual([note, "share_link"]);
}

test("by role and label", async () => {
  const { artifactId, title, link, path } = await shared();
  const page = await site.open(link);
  await page.getByRole("link", { name: "can edit" }).click();
  await page.waitForURL(`**${path}/edit`);
  await preview(page, title).getByRole("heading", { name: "Title" }).waitFor();
  const entries = await page.evaluate(() => history.length);
  await editor(page).focus();
  await editor(page).getByText("Two.", { exact: true }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" And a half.");
  await preview(page, title).getByText("Two. And a half.").waitFor();
  // A preview adds no history entry.
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await page.getByText("Draft kept on this device").waitFor();

  await page.reload();
  await page.getByText(/^You have an unsaved draft from .*, based on v1\.$/).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await editor(page).focus();
  await editor(page).getByText("Two. And a half.").waitFor();
  await page.getByLabel("Describe your changes").fill("A half");
  await page.getByRole("button", { name: "Save v2" }).click();
  await page.getByText("Saved as v2.").waitFor();
  await isSaved(artifactId, text.replace("Two.", "Two. And a half."), "A half");
  await page.getByRole("link", { name: "View artifact" }).click();
  await page.waitForURL(`**${path}`);

  await page.goto(`${path}/edit`);
  await editor(page).waitFor();
  expect(await page.getByText("unsaved draft").count()).toBe(0);
});

test("by keyboard alone: into the editor and out of it again", async () => {
  const { artifactId, title, link, path } = await shared();
  const page = await site.open(link);
  const { keyboard } = page;
  await pressOn(page, page.getByRole("link", { name: "can edit" }));
  await page.waitForURL(`**${path}/edit`);
  await preview(page, title).getByRole("heading", { name: "Title" }).waitFor();
  await tabTo(page, editor(page));
  await keyboard.press("Control+End");
  await keyboard.press("ArrowUp");
  await keyboard.press("End");
  await keyboard.type(" And a half.");
  // Text typed into the plain field is kept when the editor replaces it.
  await editor(page).getByText("Two. And a half.").waitFor();
  // In a text Tab indents; after Escape it moves the focus, and so does Shift+Tab.
  await keyboard.press("Escape");
  await keyboard.press("Tab");
  expect(await hasFocus(editor(page))).toBe(false);
  await tabTo(page, editor(page), { back: true });
  await keyboard.press("Escape");
  await keyboard.press("Shift+Tab");
  expect(await hasFocus(editor(page))).toBe(false);
  const note = page.getByLabel("Describe your changes");
  await tabTo(page, note, { back: true });
  await typeInto(page, note, "A half");
  await keyboard.press("Enter");
  await page.getByText("Saved as v2.").waitFor();
  await isSaved(artifactId, text.replace("Two.", "Two. And a half."), "A half");
  await pressOn(page, page.getByRole("link", { name: "View artifact" }));
  await page.waitForURL(`**${path}`);
  await page.getByTitle(title, { exact: true }).last().contentFrame().getByText("Two. And a half.").waitFor();
});
