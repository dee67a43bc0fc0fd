// Does operations through the web app's forms. The page shows their outcome; the rest of the answer is read inside the
// page.
import type { Client } from "@plinth/contract/client";
import type { Input, OperationName, Output } from "@plinth/contract/registry";
import type { Page } from "playwright-core";

import { untilScriptRuns } from "../harness/browser.ts";

export interface Visit {
  readonly page: Page;
  /** Sends as the page does. */
  readonly api: Client;
}

type Form<Name extends OperationName> = (visit: Visit, input: Input<Name>) => Promise<Output<Name>>;

/** Resolves with the answer that REST would give. */
export const forms: { readonly [Name in OperationName]?: Form<Name> } = {
  "artifact.patch": async (visit, { artifactId, title = "" }) => {
    await openSettings(visit, artifactId, "");
    await visit.page.getByLabel("Title", { exact: true }).fill(title);
    await visit.page.getByRole("region", { name: "General" }).getByRole("button", { name: "Save" }).click();
    await visit.page.getByText("Saved.").waitFor();
    return visit.api.call("artifact.get", { artifactId });
  },

  "access.update": async (visit, { artifactId, ...wanted }) => {
    const current = await visit.api.call("access.get", { artifactId });
    await openSettings(visit, artifactId, "/access");
    const added = wanted.viewerEmails.filter((email) => !current.viewerEmails.includes(email));
    const removed = current.viewerEmails.filter((email) => !wanted.viewerEmails.includes(email));
    if (added.length > 0) await addToAllowlist(visit.page, added);
    else if (removed.length > 0) await removeFromAllowlist(visit.page, removed);
    else await setVisibility(visit.page, wanted);
    return visit.api.call("access.get", { artifactId });
  },

  "access.explain": async (visit, { artifactId, email }) => {
    await openSettings(visit, artifactId, "/access");
    const asked = visit.page.getByRole("region", { name: "View as …" });
    await asked.getByLabel("Their email").fill(email);
    await asked.getByRole("button", { name: "Check" }).click();
    const explained = await visit.api.call("access.explain", { artifactId, email });
    const edits = explained.canEdit ? `${email} can view and edit.` : `${email} can view but not edit.`;
    await asked.getByText(explained.canView ? edits : `${email} can't view.`).waitFor();
    for (const { detail } of explained.because) await asked.getByText(detail, { exact: true }).waitFor();
    return explained;
  },

  "shareLink.create": async (visit, { artifactId, role, label = "", expiresAt }) => {
    await openSettings(visit, artifactId, "/links");
    await visit.page.getByRole("radio", { name: role === "editor" ? "Can edit" : "Can view" }).check();
    await visit.page.getByLabel("Label").fill(label);
    await visit.page.getByLabel("Expires in").selectOption({ label: expiresAt ? "30 days" : "Never" });
    await visit.page.getByRole("button", { name: "Create link" }).click();
    const url = await visit.page.locator("[data-secret]").innerText();
    const { shareLinks } = await visit.api.call("shareLink.list", { artifactId, limit: 1 });
    const [made] = shareLinks;
    if (made === undefined) throw new Error("the link that was made is not listed");
    return { ...made, token: url.slice(url.lastIndexOf("/") + 1), url };
  },

  "shareLink.revoke": async (visit, { shareLinkId }) => {
    const { artifactId, label } = await linkOf(visit.api, shareLinkId);
    await openSettings(visit, artifactId, "/links");
    const row = visit.page.getByRole("row", { name: label ?? "" });
    await row.locator("summary").click();
    await row.getByRole("button", { name: "Revoke" }).click();
    await visit.page.getByText("Revoked. Everyone using this link has lost access").waitFor();
    return {};
  },

  "artifact.delete": async (visit, { artifactId }) => {
    const { slug } = await openSettings(visit, artifactId, "");
    await visit.page.getByText("Delete this artifact").click();
    await visit.page.getByLabel("Type the slug to confirm").fill(slug);
    await visit.page.getByRole("button", { name: "Delete artifact" }).click();
    await visit.page.getByText("Deleted. You can restore it here.").waitFor();
    return {};
  },

  "artifact.undelete": async (visit, { artifactId }) => {
    const { artifacts } = await visit.api.call("artifact.listMine", { deleted: true });
    const title = artifacts.find((deleted) => deleted.artifactId === artifactId)?.title ?? "";
    await go(visit, "/settings/deleted");
    await visit.page.getByRole("button", { name: `Restore ${title}` }).click();
    const said = (await visit.page.getByText(/^Restored /).textContent()) ?? "";
    const [, links = said.includes("Its share link works") ? "1" : "0"] = /Its (\d+) share links/.exec(said) ?? [];
    return { ...(await visit.api.call("artifact.get", { artifactId })), workingShareLinks: Number(links) };
  },
};

/** Waits for the page's script, because earlier input can be lost. */
async function go({ page }: Visit, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await untilScriptRuns(page);
}

async function openSettings(visit: Visit, artifactId: string, section: string): Promise<Output<"artifact.get">> {
  const artifact = await visit.api.call("artifact.get", { artifactId });
  await go(visit, `${new URL(artifact.url).pathname}/settings${section}`);
  return artifact;
}

async function setVisibility(page: Page, { publicView, publicEdit }: { publicView: boolean; publicEdit: boolean }) {
  const form = page.getByRole("region", { name: "Public or private" });
  await form.getByRole("radio", { name: publicView ? "Public" : "Private", exact: false }).check();
  if (publicView) await form.getByRole("checkbox", { name: "Anyone signed in can edit it too" }).setChecked(publicEdit);
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("Saved.").waitFor();
}

async function addToAllowlist(page: Page, emails: readonly string[]): Promise<void> {
  const people = page.getByRole("region", { name: "People by email" });
  await people.getByRole("textbox").fill(emails.join(", "));
  await people.getByRole("button", { name: "Add", exact: true }).click();
  await people.getByText("Added.").waitFor();
}

async function removeFromAllowlist(page: Page, emails: readonly string[]): Promise<void> {
  for (const email of emails) {
    await page.getByRole("button", { name: `Remove ${email}` }).click();
    await page.getByText(`Removed ${email}.`).waitFor();
  }
}

/** The page's URL does not name a link, so it is searched among those of every artifact. */
async function linkOf(api: Client, shareLinkId: string): Promise<Output<"shareLink.create">> {
  for (const { artifactId } of (await api.call("artifact.listMine", {})).artifacts) {
    const { shareLinks } = await api.call("shareLink.list", { artifactId });
    const link = shareLinks.find((known) => known.shareLinkId === shareLinkId);
    if (link !== undefined) return link;
  }
  throw new Error("there is no such link");
}
