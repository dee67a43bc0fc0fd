// Writing and publishing in Chromium: what people see and press, by role and label; one journey by keyboard alone. The
// pages may say nothing in the console that is an error, a refusal of their own policy least of all.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { Browser, BrowserContext, Page } from "playwright-core";

import { openContext } from "./harness/browser.ts";
import type { Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, fresh, signIn, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSite, type Site } from "./harness/site.ts";

setDefaultTimeout(3 * hung);

const text = "# Title\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n";

describe.each(["the app's own origin", "an origin of its own"])("content on %s", (where) => {
  let site: Site;
  let instance: Instance;
  let browser: Browser;
  let owner: Person;
  let session: string;
  let project: string;
  let contexts: BrowserContext[] = [];
  let errors: string[] = [];

  beforeAll(async () => {
    site = await openSite({ contentApart: where === "an origin of its own", env: { CHROMIUM_PATH: "off" } });
    ({ instance, browser, owner, projectSlug: project } = site);
    session = await signIn(instance, owner.userId);
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    // What Chromium says of headers that it does not know yet is no fault; that a version was taken is what is tested.
    const faults = errors.filter((said) => !/Permissions-Policy|status of 409/.test(said));
    errors = [];
    expect(faults).toEqual([]);
  });
  afterAll(() => site.close());

  async function open(path: string, cookie?: string, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
    const context = await openContext(browser, instance.origin, cookie, options);
    contexts.push(context);
    context.setDefaultTimeout(8000);
    const page = await context.newPage();
    page.on("console", (said) => said.type() === "error" && errors.push(said.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(path);
    return page;
  }
  const publish = async (content = text, access = { publicView: true, publicEdit: false }) => {
    const made = await createArtifact(owner, project, { type: "md", content, title: fresh("Report"), access });
    return { ...made, path: new URL(made.url).pathname };
  };
  const editor = (page: Page) => page.locator(".cm-content");
  const preview = (page: Page) => page.frameLocator("iframe[title^='Preview of']:not([aria-hidden])");
  const sourceOf = async (artifactId: string) => owner.client.call("version.content", { artifactId });
  /** Puts the cursor behind a text and goes on writing. */
  async function writeAfter(page: Page, found: string, more: string) {
    await editor(page).getByText(found, { exact: true }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(more);
  }

  test("who has a link that edits writes, sees it as it will be, and saves without an account", async () => {
    const { path, artifactId } = await publish(text, { publicView: false, publicEdit: false });
    const { url } = await owner.client.call("shareLink.create", { artifactId, role: "editor", label: "Reviewers" });
    const page = await open(url ?? "");
    await page.getByRole("link", { name: "can edit" }).click();
    await page.waitForURL(`**${path}/edit`);
    await preview(page).getByRole("heading", { name: "Title" }).waitFor();
    const entries = await page.evaluate(() => history.length);
    await writeAfter(page, "Two.", " And a half.");
    await preview(page).getByText("Two. And a half.").waitFor();
    // A preview is no place to go back to.
    expect(await page.evaluate(() => history.length)).toBe(entries);
    await page.getByText("Draft kept on this device").waitFor();

    await page.reload();
    await page.getByText(/^You have an unsaved draft from .*, based on v1\.$/).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await editor(page).getByText("Two. And a half.").waitFor();
    await page.getByLabel("Note of what changed").fill("A half");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved as v2.").waitFor();
    expect(await sourceOf(artifactId)).toBe(text.replace("Two.", "Two. And a half."));
    const { versions } = await owner.client.call("version.list", { artifactId });
    expect([versions[0]?.changelog, versions[0]?.createdBy.type]).toEqual(["A half", "share_link"]);
    await page.getByRole("link", { name: "Open it" }).click();
    await page.waitForURL(`**${path}`);

    await page.goto(`${path}/edit`);
    await editor(page).waitFor();
    expect(await page.getByText("unsaved draft").count()).toBe(0);
  });

  test("whoever may not change it finds no editor", async () => {
    const { path, artifactId } = await publish();
    const stranger = await signIn(instance, (await createPerson(instance)).userId);
    const answers = [
      await (await open("/")).request.get(`${path}/edit`, { maxRedirects: 0 }),
      await (await open("/", stranger)).request.get(`${path}/edit`, { maxRedirects: 0 }),
    ];
    expect(answers.map((answer) => answer.status())).toEqual([303, 403]);
    await owner.client.call("access.update", { artifactId, publicView: true, publicEdit: true, viewerEmails: [] });
    const page = await open(`${path}/edit`, stranger);
    await preview(page).getByRole("heading", { name: "Title" }).waitFor();
  });

  describe("two who write at once", () => {
    /** Somebody else saves; the page has heard of it. */
    async function meanwhile(page: Page, artifactId: string, content: string) {
      await owner.client.call("version.create", { artifactId, content });
      await page.getByText(/is out, by/).waitFor();
    }

    test("what does not overlap is merged at a press", async () => {
      const { path, artifactId } = await publish();
      const page = await open(`${path}/edit`, session);
      await writeAfter(page, "Five.", " Mine.");
      await meanwhile(page, artifactId, text.replace("One.", "One. Theirs."));
      await page.getByRole("button", { name: "Merge" }).click();
      await page.getByText("nothing overlapped", { exact: false }).waitFor();
      await preview(page).getByText("One. Theirs.").waitFor();
      await page.getByRole("button", { name: "Save v3" }).click();
      await page.getByText("Saved as v3.").waitFor();
      expect(await sourceOf(artifactId)).toBe(text.replace("One.", "One. Theirs.").replace("Five.", "Five. Mine."));
    });

    test("a conflict is settled by keyboard alone, and goes round again where there is another", async () => {
      const { path, artifactId } = await publish();
      const page = await open(`${path}/edit`, session);
      await editor(page).waitFor();
      await editor(page).focus();
      const { keyboard } = page;
      await keyboard.press("Control+Home");
      for (let down = 0; down < 2; down++) await keyboard.press("ArrowDown");
      await keyboard.press("End");
      await keyboard.type(" Mine.");
      for (let down = 0; down < 4; down++) await keyboard.press("ArrowDown");
      await keyboard.press("End");
      await keyboard.type(" Mine.");
      await meanwhile(
        page,
        artifactId,
        text.replace("One.", "One. Theirs.").replace("Three.", "Three. Theirs.").replace("Five.", "V."),
      );
      await keyboard.press("Control+s");

      const heading = page.getByRole("heading", { name: "Two people changed the same lines" });
      await heading.waitFor();
      expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.getByRole("status").getByText("2 of 2 conflicts left.").waitFor();
      const first = page.getByRole("group", { name: "Conflict 1 of 2" });
      await first.getByRole("heading", { name: /Theirs, v2/ }).waitFor();
      const choose = async (times: number) => {
        await keyboard.press("Space");
        for (let right = 0; right < times; right++) await keyboard.press("ArrowRight");
      };
      await keyboard.press("Tab");
      await choose(2);
      expect(await first.getByLabel("Take both").isChecked()).toBe(true);
      await page.getByRole("status").getByText("1 of 2 conflicts left.").waitFor();
      // The summary of what it was before lies between.
      await keyboard.press("Tab");
      await keyboard.press("Tab");
      await choose(3);
      const second = page.getByRole("group", { name: "Conflict 2 of 2" });
      expect(await second.getByLabel("Edit by hand").isChecked()).toBe(true);
      await keyboard.press("Tab");
      await keyboard.press("Control+a");
      await keyboard.type("Three, by both.");
      await page.getByRole("status").getByText("Everything is decided.").waitFor();

      // Somebody is quicker once more, in the same line.
      const third = text.replace("One.", "One. Theirs.").replace("Three.", "Three. Again.").replace("Five.", "V.");
      await owner.client.call("version.create", { artifactId, content: third });
      for (let tabs = 0; tabs < 4; tabs++) await keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Save v3");
      await keyboard.press("Enter");
      await page.getByRole("group", { name: "Conflict 1 of 1" }).waitFor();
      await keyboard.press("Tab");
      await keyboard.press("Space");
      for (let tabs = 0; tabs < 4; tabs++) await keyboard.press("Tab");
      await keyboard.press("Enter");
      await page.getByText("Saved as v4.").waitFor();
      expect(await sourceOf(artifactId)).toBe(
        "# Title\n\nOne. Theirs.\nOne. Mine.\n\nTwo.\n\nThree, by both.\n\nFour.\n\nV.\n",
      );
    });
  });

  test("what does not compile is marked where it is, in the preview and when it is saved", async () => {
    const made = await createArtifact(owner, project, { type: "jsx", content: "export default () => <b>One</b>;\n" });
    const page = await open(`${new URL(made.url).pathname}/edit`, session);
    await preview(page).getByText("One", { exact: true }).waitFor();
    await editor(page).focus();
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
    expect((await owner.client.call("artifact.get", { artifactId: made.artifactId })).latestVersion).toBe(1);
    errors = errors.filter((said) => !said.includes("status of 400"));
  });

  test("a dropped file and a pasted text are seen, named, warned of and published", async () => {
    const page = await open(`/dashboard/${owner.username}/publish?project=${project}`, session);
    await page.getByText("Drop files here").waitFor();
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
    await page.getByText("is free.").waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.waitForURL(`**/${owner.username}/${project}/${title.toLowerCase()}`);
    await page.frameLocator("iframe").getByRole("heading", { name: title }).waitFor();
  });

  test("several files are published one by one, into a project made with them", async () => {
    const person = await createPerson(instance, "free");
    const page = await open(`/dashboard/${person.username}/publish`, await signIn(instance, person.userId));
    await page.getByLabel("Choose files").setInputFiles([
      { name: "one.md", mimeType: "text/markdown", buffer: Buffer.from("# One\n") },
      { name: "two.html", mimeType: "text/html", buffer: Buffer.from("<h1>Two</h1>") },
      { name: "picture.md", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0xff, 0xfe]) },
    ]);
    await page.getByText("picture.md is no text", { exact: false }).waitFor();
    await page.getByText("Private takes the Pro plan.").waitFor();
    await page.getByLabel("Title of the new project").fill("Field notes");
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
    const page = await open(`${path}/edit`, session, { javaScriptEnabled: false });
    const area = page.getByRole("textbox", { name: /^Markdown of/ });
    expect(await area.inputValue()).toBe("\nfirst\nsecond\n");
    await area.fill("\nfirst\nsecond\nthird\n");
    await owner.client.call("version.create", { artifactId, content: "theirs\n" });
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("Somebody saved another version meanwhile").waitFor();
    expect(await area.inputValue()).toBe("\nfirst\nsecond\nthird\n");
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.waitForURL(`**${path}`);

    await page.goto(`/dashboard/${owner.username}/publish?project=${project}`);
    const title = fresh("Plain");
    await page.getByLabel("Or text").fill(`# ${title}\n`);
    await page.getByRole("button", { name: "Publish" }).click();
    await page.waitForURL(`**/${owner.username}/${project}/${title.toLowerCase()}`);
    const made = await owner.client.call("artifact.getByPath", {
      owner: owner.username,
      projectSlug: project,
      slug: title.toLowerCase(),
    });
    expect([made.title, made.type]).toEqual([title, "md"]);
    expect(await sourceOf(made.artifactId)).toBe(`# ${title}\n`);
    errors = [];
  });
});
