// The title of a document that is published on the web without one: what it calls itself, by paste, drop, file and form.
// Two of one title go beside each other.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";

import { untilScriptRuns } from "./harness/browser.ts";
import { createArtifact, createPerson, createProject, signIn, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(2 * hung);

const site = testSite();

async function openPublish() {
  const { slug: project } = await createProject(site.owner);
  const page = await site.open(`/dashboard/${site.owner.username}/publish?project=${project}`, site.session);
  await page.getByText("Drop files or a folder here").waitFor();
  return { page, project };
}

const html = (title: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><p>Words</p></body></html>`;

const give = (page: Page, kind: "paste" | "drop", name: string, content: string) =>
  page.evaluate(
    ([kind, name, content]) => {
      const clipboardData = new DataTransfer();
      if (kind === "paste") clipboardData.setData("text/plain", content ?? "");
      else clipboardData.items.add(new File([content ?? ""], name ?? ""));
      const init = { bubbles: true, cancelable: true };
      document.body.dispatchEvent(
        kind === "paste"
          ? new ClipboardEvent("paste", { ...init, clipboardData })
          : new DragEvent("drop", { ...init, dataTransfer: clipboardData }),
      );
    },
    [kind, name, content],
  );
const paste = (page: Page, content: string) => give(page, "paste", "", content);

const titles = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true });
const slugs = (page: Page) => page.getByRole("textbox", { name: "Slug", exact: true });
const valuesOf = async (fields: ReturnType<typeof titles>) =>
  Promise.all((await fields.all()).map((field) => field.inputValue()));
const count = (page: Page, number: number) =>
  titles(page)
    .nth(number - 1)
    .waitFor();

/** `slug: title` of what is in the project. */
async function published(person: Person, project: string): Promise<string[]> {
  const { artifacts } = await person.client.call("artifact.listMine", { limit: 50 });
  return artifacts
    .filter(({ projectSlug }) => projectSlug === project)
    .map(({ slug, title }) => `${slug}: ${title}`)
    .toSorted();
}

test("publish page: pastes have their titles, and those of one title go beside each other", async () => {
  const { page, project } = await openPublish();
  const documents = [
    html("Quarter &amp; numbers"),
    html("Quarter &amp; numbers"),
    "export default function SalesReport() {\n  return <p>Hi</p>;\n}\n",
    "We ship on Monday.\n\nTwo risks remain.",
    "We ship on Monday.\n\nOne risk remains.",
  ];
  for (const [at, document] of documents.entries()) {
    await paste(page, document);
    await count(page, at + 1);
  }
  expect(await valuesOf(titles(page))).toEqual([
    "Quarter & numbers",
    "Quarter & numbers",
    "Sales Report",
    "We ship on Monday",
    "We ship on Monday",
  ]);
  expect(await valuesOf(slugs(page))).toEqual([
    "quarter-numbers",
    "quarter-numbers-2",
    "sales-report",
    "we-ship-on-monday",
    "we-ship-on-monday-2",
  ]);
  await page.getByRole("button", { name: "Publish 5 artifacts" }).click();
  await page.getByText("5 of 5 published.").waitFor();
  expect(await published(site.owner, project)).toEqual([
    "quarter-numbers-2: Quarter & numbers",
    "quarter-numbers: Quarter & numbers",
    "sales-report: Sales Report",
    "we-ship-on-monday-2: We ship on Monday",
    "we-ship-on-monday: We ship on Monday",
  ]);
});

test("publish page: where the slug is in use, each paste takes the next free one; a slug that is typed stays", async () => {
  const { page, project } = await openPublish();
  for (const slug of ["report", "report-3"]) await createArtifact(site.owner, project, { slug, title: "There" });
  await paste(page, html("Report"));
  await page.getByText("“report” is already in use.").waitFor();
  await page.getByText(`/${site.owner.username}/${project}/report-2 is available.`).waitFor();
  await paste(page, html("Report"));
  await count(page, 2);
  await page.getByText(`/${site.owner.username}/${project}/report-4 is available.`).waitFor();
  expect(await valuesOf(slugs(page))).toEqual(["report-2", "report-4"]);

  await slugs(page).nth(1).fill("report");
  await page.getByText("That URL is already in use.").waitFor();
  await page.getByRole("button", { name: "Use “report-3”" }).click();
  await page.getByText("That URL is already in use.").waitFor();
  await slugs(page).nth(1).fill("report-2");
  await page.getByText("Another file here has the same slug.").first().waitFor();
  expect(await page.getByRole("button", { name: "Publish 2 artifacts" }).isDisabled()).toBe(true);
  await slugs(page).nth(1).fill("report-4");
  await page.getByRole("button", { name: "Publish 2 artifacts" }).click();
  await page.getByText("2 of 2 published.").waitFor();
  expect(await published(site.owner, project)).toEqual([
    "report-2: Report",
    "report-3: There",
    "report-4: Report",
    "report: There",
  ]);
});

test("publish page: a file and a drop have the title of the document, else the file's name; another type another title", async () => {
  const { page } = await openPublish();
  await page
    .getByLabel("Choose files")
    .setInputFiles({ name: "x.html", mimeType: "text/html", buffer: Buffer.from(html("From a file")) });
  await count(page, 1);
  await give(page, "drop", "out.html", "<svg><title>No</title></svg><h1>From a drop</h1>");
  await count(page, 2);
  await give(page, "drop", "plain.html", "<p>Words</p>");
  await count(page, 3);
  await paste(page, "<div><h1>A part</h1></div>");
  await count(page, 4);
  expect(await valuesOf(titles(page))).toEqual(["From a file", "From a drop", "plain", "A part"]);
  await paste(page, "<p>Before</p>\n\n<h1>After</h1>");
  await count(page, 5);
  await page.getByRole("combobox", { name: "Type" }).nth(4).selectOption("html");
  await page.getByText(/\/after(?: is available\.)?$/).waitFor();
  expect((await valuesOf(slugs(page))).at(4)).toBe("after");
  expect((await valuesOf(titles(page))).at(4)).toBe("After");
});

test("dashboard: a dropped document has its title on the page that publishes it", async () => {
  const page = await site.open(`/dashboard/${site.owner.username}`, site.session);
  await untilScriptRuns(page);
  await give(page, "drop", "out.html", html("Dropped here"));
  await page.waitForURL("**/publish**");
  await count(page, 1);
  expect(await valuesOf(titles(page))).toEqual(["Dropped here"]);
});

test("landing page and first publish: the document's title, and the second of one title gets the next slug", async () => {
  const person = await createPerson(site.instance);
  const cookie = await signIn(site.instance, person.userId);
  const page = await site.open("/", cookie);
  await page.getByRole("textbox", { name: "Your document" }).fill(html("Quarter in numbers"));
  await page.locator("[data-part=paste-publish]").click();
  await page.waitForURL("**/workspaces/new/publish");
  await page.getByText("Your document is ready to publish.").waitFor();
  const publish = async (slug: string) => {
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("link", { name: `/notes/${slug}` }).waitFor();
  };
  await publish("quarter-in-numbers");
  const further = {
    "quarter-in-numbers-2": html("Quarter in numbers"),
    "only-words-and": "Only words, and\nno heading.",
  };
  for (const [slug, document] of Object.entries(further)) {
    await page.goto("/workspaces/new/publish");
    await untilScriptRuns(page);
    await page.getByLabel("Document", { exact: true }).fill(document);
    await publish(slug);
  }
  expect(await published(person, "notes")).toEqual([
    "only-words-and: Only words, and",
    "quarter-in-numbers-2: Quarter in numbers",
    "quarter-in-numbers: Quarter in numbers",
  ]);
});

test("without script: the title of the text or file, its type by how it begins, and the next free slug", async () => {
  const { slug: project } = await createProject(site.owner);
  const page = await site.open("/", site.session, { javaScriptEnabled: false });
  const send = async (fill: () => Promise<void>, slug: string) => {
    await page.goto(`/dashboard/${site.owner.username}/publish?project=${project}`);
    await fill();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.waitForURL(`**/${site.owner.username}/${project}/${slug}`);
  };
  const text = (content: string) => () => page.getByLabel("Or paste text").fill(content);
  const file = (name: string, content: string) => () =>
    page
      .getByLabel("File", { exact: true })
      .setInputFiles({ name, mimeType: "text/html", buffer: Buffer.from(content) });
  await send(text(html("Plain")), "plain");
  await send(text(html("Plain")), "plain-2");
  await send(file("x.html", html("Plain")), "plain-3");
  await send(text("No heading."), "no-heading");
  const { artifacts } = await site.owner.client.call("artifact.listMine", { limit: 50 });
  expect(
    artifacts.filter(({ projectSlug }) => projectSlug === project).map(({ title, type }) => `${title} ${type}`),
  ).toEqual(["No heading md", "Plain html", "Plain html", "Plain html"]);
  // A slug that a person wrote is theirs to change.
  await page.goto(`/dashboard/${site.owner.username}/publish?project=${project}`);
  await page.getByLabel("Or paste text").fill("x");
  await page.getByRole("textbox", { name: /^Slug/ }).fill("plain");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("is already in use; plain-4 is available").waitFor();
  // A long form would hold the thread that answers all other requests.
  await page.goto(`/dashboard/${site.owner.username}/publish?project=${project}`);
  await file("long.md", "x".repeat(4 * 1024 * 1024))();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("too long to save without JavaScript").waitFor();
  expect((await site.owner.client.call("artifact.listMine", { limit: 50 })).artifacts).toHaveLength(artifacts.length);
});
