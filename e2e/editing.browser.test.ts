// Writing and publishing in Chromium: what people see and press, by role and label. The pages' consoles must have no
// error, and no violation of their policy. Two of the user flows (journeys/) are about writing too.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { createArtifact, createPerson, fresh, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSharedSite } from "./harness/site.ts";
import { sample, testRandom } from "./harness/test-seed.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(3 * hung);

const text = "# Title\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n";

// One of both, by the seed of the run; `TEST_SAMPLES=all bun run test e2e/editing` has both.
const origins = sample(["the app's own origin", "an origin of its own"], 1, testRandom("editing"));

describe.each(origins)("content on %s", (where) => {
  const site = testSite(() => openSharedSite(where === "an origin of its own"));
  afterEach(() => {
    // The status of a conflict is tested.
    site.forgive(/status of 409/);
    expect(site.complaints).toEqual([]);
  });

  const publish = async (content = text, access = { publicView: true, publicEdit: false }) => {
    const made = await createArtifact(site.owner, site.projectSlug, {
      type: "md",
      content,
      title: fresh("Report"),
      access,
    });
    return { ...made, path: new URL(made.url).pathname };
  };
  const editor = (page: Page) => page.locator(".cm-content");
  /** The field, which the editor replaces on its first use. */
  async function reach(page: Page) {
    if ((await editor(page).count()) > 0) return;
    await page.getByRole("textbox", { name: /^(?:Markdown|HTML|JSX) of / }).focus();
    await editor(page).waitFor();
  }
  const preview = (page: Page) => page.frameLocator("iframe[title^='Preview of']:not([aria-hidden])");
  const sourceOf = async (artifactId: string) => site.owner.client.call("version.content", { artifactId });

  test("a viewer without edit permission: no editor", async () => {
    const { path, artifactId } = await publish();
    const stranger = await signIn(site.instance, (await createPerson(site.instance)).userId);
    const answers = [
      await (await site.open("/")).request.get(`${path}/edit`, { maxRedirects: 0 }),
      await (await site.open("/", stranger)).request.get(`${path}/edit`, { maxRedirects: 0 }),
    ];
    expect(answers.map((answer) => answer.status())).toEqual([303, 403]);
    await site.owner.client.call("access.update", { artifactId, publicView: true, publicEdit: true, viewerEmails: [] });
    const page = await site.open(`${path}/edit`, stranger);
    await preview(page).getByRole("heading", { name: "Title" }).waitFor();
  });

  test("a long text comes after its page, and is written and saved as any other", async () => {
    const long = `# Long\n\n${"Words of a line.\n".repeat(15_000)}`;
    const { path, artifactId } = await publish(long);
    const page = await site.open(`${path}/edit`, site.session);
    await reach(page);
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("First. ");
    await page.getByRole("button", { name: "Save v2" }).click();
    await page.getByText("Saved as v2.").first().waitFor();
    expect(await sourceOf(artifactId)).toBe(`First. ${long}`);
  });

  test("without script a long text is not edited, and a form of one is refused", async () => {
    const { path, artifactId } = await publish("x".repeat(200_001));
    const page = await site.open(`${path}/edit`, site.session, { javaScriptEnabled: false });
    await page.getByText("This text (200 KB) is too long to edit without JavaScript.").waitFor();
    expect(await page.getByRole("textbox").count()).toBe(0);
    const form = { artifactId, base: "1", ending: "lf", note: "", content: "y".repeat(700_000) };
    const headers = { origin: site.instance.origin };
    const refused = await page.request.post(`${path}/edit?/save`, { form, headers, maxRedirects: 0 });
    expect([refused.status(), (await refused.text()).includes("too long to save")]).toEqual([413, true]);
    expect(await sourceOf(artifactId)).toBe("x".repeat(200_001));
  });

  test("the preview stays where one reads while one writes", async () => {
    const long = Array.from({ length: 80 }, (_, n) => `## Part ${n}\n\nWords.\n`).join("\n");
    const { path } = await publish(long);
    const page = await site.open(`${path}/edit`, site.session);
    const part = (n: number) => preview(page).getByRole("heading", { name: `Part ${n}` });
    await part(60).scrollIntoViewIfNeeded();
    const inSight = () => part(60).evaluate((heading) => Math.abs(heading.getBoundingClientRect().top) < innerHeight);
    expect(await inSight()).toBe(true);
    await reach(page);
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("Begun anew. ");
    await preview(page).getByText("Begun anew.").waitFor({ state: "attached" });
    await page.waitForFunction(() => document.querySelectorAll("iframe").length === 1);
    for (const ends = Date.now() + hung; !(await inSight()); await Bun.sleep(50)) expect(Date.now()).toBeLessThan(ends);
  });

  test("a draft that loads itself again is previewed again, and one that does so over and over is not", async () => {
    const { url } = await createArtifact(site.owner, site.projectSlug, {
      type: "html",
      content: `<h1>Draft</h1><a href="?tab=2">Query</a>`,
    });
    const page = await site.open(`${new URL(url).pathname}/edit`, site.session);
    const heading = preview(page).getByRole("heading", { name: "Draft" });
    await heading.evaluate((element) => element.append(" (first)"));
    await preview(page).getByRole("link", { name: "Query" }).click();
    await preview(page).getByRole("heading", { name: "Draft", exact: true }).waitFor();
    await preview(page).getByRole("link", { name: "Query" }).click();
    await page.getByText("The preview isn't available at the moment.").waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    expect(page.url()).toBe(`${url}/edit`);
  });

  test("links in the preview are asked about or opened beside it, relative to the artifact, and what is written stays", async () => {
    const { path } = await publish();
    const content = `<p><a href="https://elsewhere.example/">Out</a> <a href="${path.split("/").at(-1)}">Beside</a>`;
    const made = await createArtifact(site.owner, site.projectSlug, { type: "html", content });
    const page = await site.open(`${new URL(made.url).pathname}/edit`, site.session);
    await page.context().route("https://elsewhere.example/**", (route) => route.fulfill({ body: "there" }));
    await reach(page);
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("Not saved.");
    await preview(page).getByText("Not saved.").waitFor();
    const card = page.getByRole("complementary", { name: "Request by this document" });
    const [beside] = await Promise.all([page.waitForEvent("popup"), preview(page).getByText("Beside").click()]);
    await beside.getByRole("heading", { name: "Report" }).waitFor();
    expect(new URL(beside.url()).pathname).toBe(path);
    await page.bringToFront();
    await preview(page).getByText("Out").click();
    await card.getByText("Open elsewhere.example?").waitFor();
    const [there] = await Promise.all([page.waitForEvent("popup"), card.locator("a[href]").click()]);
    await there.getByText("there").waitFor();
    expect(await editor(page).textContent()).toContain("Not saved.");
  });

  test("what does not compile is marked where it is, in the preview and when it is saved", async () => {
    const made = await createArtifact(site.owner, site.projectSlug, {
      type: "jsx",
      content: "export default () => <b>One</b>;\n",
    });
    const page = await site.open(`${new URL(made.url).pathname}/edit`, site.session);
    await preview(page).getByText("One", { exact: true }).waitFor();
    await reach(page);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("const broken = {;");
    await preview(page)
      .getByRole("heading", { name: /^Line 2, column/ })
      .waitFor();
    await page.locator(".cm-lint-marker-error").waitFor();
    await page.getByRole("button", { name: "Save v2" }).click();
    await page
      .getByRole("alert")
      .getByText(/^Line 2, column/)
      .waitFor();
    expect((await site.owner.client.call("artifact.get", { artifactId: made.artifactId })).latestVersion).toBe(1);
    site.forgive(/status of 400/);
  });

  test("a dropped file and a pasted text are seen, named, warned of and published", async () => {
    const page = await site.open(`/dashboard/${site.owner.username}/publish?project=${site.projectSlug}`, site.session);
    await page.getByText("Drop files or a folder here").waitFor();
    const title = fresh("Dropped");
    const key = `sk_live_${"a1B2c3D4e5F6g7H8".repeat(2)}`;
    await page.evaluate(
      ([name, content]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content ?? ""], name ?? "", { type: "text/markdown" }));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      },
      ["notes.md", `# ${title}\n\n${key}\n`],
    );
    await preview(page).getByRole("heading", { name: title }).waitFor();
    expect(await page.getByRole("textbox", { name: "Title", exact: true }).inputValue()).toBe(title);
    expect(await page.getByRole("textbox", { name: "Slug", exact: true }).inputValue()).toBe(title.toLowerCase());
    await page.getByText("Stripe live key").waitFor();
    await page.getByText("is available.").waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.waitForURL(`**/${site.owner.username}/${site.projectSlug}/${title.toLowerCase()}`);
    await page.frameLocator("iframe").getByRole("heading", { name: title }).waitFor();
  });

  test("several files are published one by one, into a project made with them", async () => {
    const person = await createPerson(site.instance, "free");
    const page = await site.open(`/dashboard/${person.username}/publish`, await signIn(site.instance, person.userId));
    await page.getByLabel("Choose files").setInputFiles([
      { name: "one.md", mimeType: "text/markdown", buffer: Buffer.from("# One\n") },
      { name: "two.html", mimeType: "text/html", buffer: Buffer.from("<h1>Two</h1>") },
      { name: "picture.md", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0xff, 0xfe]) },
    ]);
    await page.getByText("picture.md isn't a text file. Upload UTF-8 files up to").waitFor();
    await page.getByText("Private artifacts require Pro.").waitFor();
    await page.getByLabel("New project name").fill("Field notes");
    await page.getByRole("button", { name: "Publish 2 artifacts" }).click();
    await page.getByRole("status").getByText("2 of 2 published.").waitFor();
    const { artifacts } = await person.client.call("artifact.listMine", { limit: 10 });
    expect(artifacts.map(({ projectSlug, slug, type }) => `${projectSlug}/${slug}.${type}`).toSorted()).toEqual([
      "field-notes/one.md",
      "field-notes/two.html",
    ]);
    await page.getByRole("link", { name: "One" }).click();
    await page.waitForURL(`**/${person.username}/field-notes/one`);
  });

  test("without script both are plain forms", async () => {
    const { path, artifactId } = await publish("\nfirst\r\nsecond\r\n");
    const page = await site.open(`${path}/edit`, site.session, { javaScriptEnabled: false });
    const area = page.getByRole("textbox", { name: /^Markdown of/ });
    expect(await area.inputValue()).toBe("\nfirst\nsecond\n");
    await area.fill("\nfirst\nsecond\nthird\n");
    await site.owner.client.call("version.create", { artifactId, content: "theirs\n" });
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("Another version was published while you were editing.").waitFor();
    expect(await area.inputValue()).toBe("\nfirst\nsecond\nthird\n");
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.waitForURL(`**${path}`);

    await page.goto(`/dashboard/${site.owner.username}/publish?project=${site.projectSlug}`);
    const title = fresh("Plain");
    await page.getByLabel("Or paste text").fill(`# ${title}\n`);
    await page.getByRole("button", { name: "Publish" }).click();
    await page.waitForURL(`**/${site.owner.username}/${site.projectSlug}/${title.toLowerCase()}`);
    const made = await site.owner.client.call("artifact.getByPath", {
      owner: site.owner.username,
      projectSlug: site.projectSlug,
      slug: title.toLowerCase(),
    });
    expect([made.title, made.type]).toEqual([title, "md"]);
    expect(await sourceOf(made.artifactId)).toBe(`# ${title}\n`);
    site.forgive(/./);
  });
});
