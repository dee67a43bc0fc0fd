// A dashboard in Chromium: finding, choosing, changing, deleting and restoring, with the pointer, with the keyboard
// alone, and without script. Uses only what people see and press.
import { beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Page } from "playwright-core";

import { untilScriptRuns } from "./harness/browser.ts";
import { until } from "./harness/events.ts";
import { untilFound } from "./harness/found.ts";
import {
  clientOf,
  createArtifact,
  createPerson,
  createProject,
  fresh,
  operatorOf,
  signIn,
  type Person,
} from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite, type PageOptions } from "./harness/test-site.ts";

setDefaultTimeout(4 * hung);

const site = testSite();
let session: string;
/** A person with two projects and three artifacts. */
let ada: Person;
let home: string;
let notes: string;
let drafts: string;

beforeEach(async () => {
  ada = await createPerson(site.instance);
  session = await signIn(site.instance, ada.userId);
  home = `/dashboard/${ada.username}`;
  [notes, drafts] = [(await createProject(ada)).slug, (await createProject(ada)).slug];
  await publish("Board memo", "md", "# Memo\n\nThe budget.\n");
  await publish("Revenue", "html", "<h1>Revenue</h1>");
  await publish("Reading list", "md", "# Books\n");
});

const publish = (title: string, type: ArtifactType, content: string) =>
  createArtifact(ada, notes, { title, type, content });

const open = (path: string, options: PageOptions = {}) => site.open(path, session, options);
const titles = async (page: Page) =>
  (await page.getByRole("list", { name: "Artifacts" }).getByRole("heading").allInnerTexts()).toSorted();
/** The page's message about an action: a toast, or a fixed message without script. */
const said = (page: Page, words: string) => page.getByRole("status").getByText(words, { exact: true }).waitFor();
const choose = (page: Page, title: string) => page.getByRole("checkbox", { name: `Select ${title}` }).check();
const mine = async () => (await ada.client.call("artifact.list", { owner: ada.username })).artifacts;
const named = async (title: string) => {
  const found = (await mine()).find((one) => one.title === title);
  if (found === undefined) throw new Error(`${title} is not there`);
  return found;
};

test("the dashboard begins at one's own workspace and finds by text, type and visibility, all in the address", async () => {
  await untilFound(ada, "budget");
  const page = await open("/dashboard");
  expect(new URL(page.url()).pathname).toBe(home);
  expect(await titles(page)).toEqual(["Board memo", "Reading list", "Revenue"]);

  const search = page.getByRole("searchbox", { name: `Search ${ada.username}` });
  await search.pressSequentially("budg");
  await page.waitForURL(`**${home}?q=budg`);
  await page.getByText("Reading list").waitFor({ state: "detached" });
  expect(await titles(page)).toEqual(["Board memo"]);
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);

  await page.getByLabel("Type").selectOption("html");
  await page.getByRole("heading", { name: "No artifacts match “budg”" }).waitFor();
  expect(new URL(page.url()).search).toBe("?q=budg&type=html");
  await page.getByRole("link", { name: "Clear filters" }).click();
  await page.getByRole("link", { name: "Revenue" }).waitFor();
  expect(await search.inputValue()).toBe("");
  await page.goBack();
  await page.getByRole("heading", { name: "No artifacts match “budg”" }).waitFor();
  expect(await search.inputValue()).toBe("budg");

  await page.goto(`${home}?visibility=private`);
  await page.getByRole("heading", { name: "No matching artifacts" }).waitFor();
  await page.getByRole("link", { name: "List" }).click();
  await page.waitForURL("**?visibility=private&view=list");
  expect(site.complaints).toEqual([]);
});

test("without a network a page is called offline, and its visitor stays signed in", async () => {
  const page = await open(`${home}?view=list`);
  await untilScriptRuns(page);
  await page.context().setOffline(true);
  await page.getByRole("navigation", { name: "Projects" }).getByRole("link").last().click();
  await page.getByRole("heading", { name: "You're offline" }).waitFor();
  await page.getByRole("banner").getByText(ada.username).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Reload" }).click();
  await page.getByRole("list", { name: "Artifacts" }).waitFor();
});

test("input before the page's script runs is applied, and another URL resets it", async () => {
  await untilFound(ada, "budget");
  const page = await open("/");
  const script = Promise.withResolvers<void>();
  await page.route(/\/_app\/.*\.js$/, async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.goto(home, { waitUntil: "commit" });
  const search = page.getByRole("searchbox", { name: `Search ${ada.username}` });
  const type = page.getByLabel("Type");
  await search.fill("re");
  await type.selectOption("md");
  await page.getByText("New project").click();
  script.resolve();
  await page.waitForURL(`**${home}?q=re&type=md`);
  await page.getByText("Revenue").waitFor({ state: "detached" });
  expect([await search.inputValue(), await type.inputValue()]).toEqual(["re", "md"]);
  expect(await page.getByLabel("Title", { exact: true }).isVisible()).toBe(true);
  await page.getByRole("link", { name: /^All artifacts/ }).click();
  await page.waitForURL(`**${home}`);
  await page.getByText("Revenue").waitFor();
  expect([await search.inputValue(), await type.inputValue()]).toEqual(["", ""]);
  expect(site.complaints).toEqual([]);
});

test("many at once: made private, moved, deleted and restored", async () => {
  const page = await open(home);
  await choose(page, "Board memo");
  await page.getByRole("checkbox", { name: "Select Revenue" }).click();
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Make private" }).click();
  await said(page, "2 artifacts made private.");
  expect(
    (await mine())
      .filter(({ access }) => !access.publicView)
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual(["Board memo", "Revenue"]);

  await choose(page, "Board memo");
  await page.getByLabel("Move to").selectOption(drafts);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await said(page, "1 artifact moved.");
  expect((await named("Board memo")).projectSlug).toBe(drafts);

  // Shift chooses everything between two boxes.
  const boxes = page.getByRole("checkbox");
  await boxes.first().check();
  await boxes.last().click({ modifiers: ["Shift"] });
  await page.getByText("3 selected").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await said(page, "3 artifacts deleted.");
  expect(await mine()).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await said(page, "3 artifacts restored with their share links.");
  expect(await titles(page)).toEqual(["Board memo", "Reading list", "Revenue"]);
  expect(site.complaints).toEqual([]);
});

test("what is refused is said one by one, and the rest is done", async () => {
  const taken = await named("Board memo");
  await createArtifact(ada, drafts, { slug: taken.slug, title: "In the way" });
  const page = await open(`${home}/p/${notes}`);
  await choose(page, "Board memo");
  await choose(page, "Revenue");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await said(page, "1 artifact moved, 1 not.");
  const refusal = page.getByRole("listitem").filter({ hasText: "Board memo:" });
  expect(await refusal.innerText()).toMatch(/already an artifact with the slug[^]*Request \S+/);
  expect((await named("Revenue")).projectSlug).toBe(drafts);
});

test("a title and an address are changed where they stand", async () => {
  const page = await open(`${home}?view=list`);
  // The menu opens without script, but its items need it.
  await untilScriptRuns(page);
  await page.getByLabel("More actions for Revenue").click();
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Revenue, final");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Revenue, final" }).waitFor();
  await said(page, "Renamed.");

  await page.getByLabel("More actions for Revenue, final").click();
  await page.getByRole("button", { name: "Move or rename URL" }).click();
  const dialog = page.getByRole("dialog", { name: "Move or rename URL" });
  const slug = fresh("final");
  await dialog.getByLabel("Slug").fill(slug);
  await dialog.getByLabel("Project").selectOption(drafts);
  await dialog.getByRole("button", { name: "Move" }).click();
  await dialog.waitFor({ state: "detached" });
  await said(page, "URL updated.");
  expect(await named("Revenue, final")).toMatchObject({ slug, projectSlug: drafts });
  expect(site.complaints).toEqual([]);
});

test("the menu of an artifact shares, downloads, duplicates and deletes it, with undo", async () => {
  const page = await open(`${home}?view=list`);
  await untilScriptRuns(page);
  const menu = (title: string) => page.getByLabel(`More actions for ${title}`, { exact: true });
  await menu("Revenue").click();
  expect(await page.getByRole("link", { name: "Download" }).first().getAttribute("href")).toMatch(
    /^\/api\/artifacts\/art_\w+\/content$/,
  );
  await page.getByRole("link", { name: "Share", exact: true }).click();
  await page.getByRole("dialog", { name: "Share Revenue" }).getByText("Anyone with the link").waitFor();
  await page.keyboard.press("Escape");

  await menu("Revenue").click();
  await page.getByRole("button", { name: "Duplicate" }).click();
  await said(page, "1 artifact duplicated.");
  await page.getByRole("link", { name: "Copy of Revenue" }).waitFor();
  const [original, copy] = [await named("Revenue"), await named("Copy of Revenue")];
  expect(copy).toMatchObject({ projectSlug: original.projectSlug, type: original.type, latestVersion: 1 });
  const contentOf = ({ artifactId }: { artifactId: string }) => ada.client.call("version.content", { artifactId });
  expect(await contentOf(copy)).toBe(await contentOf(original));

  await menu("Copy of Revenue").click();
  await page.getByRole("button", { name: "Delete", exact: true }).first().click();
  await said(page, "1 artifact deleted.");
  expect((await mine()).map(({ title }) => title)).not.toContain("Copy of Revenue");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("link", { name: "Copy of Revenue" }).waitFor();
  expect(site.complaints).toEqual([]);
});

test("a project is made, renamed, and deleted once it is empty", async () => {
  const page = await open(home);
  await page.getByText("New project").click();
  await page.getByLabel("Title", { exact: true }).fill("Crème brûlée");
  await page.getByRole("button", { name: "Create project" }).click();
  await page.waitForURL(`**${home}/p/creme-brulee`);
  await page.getByRole("heading", { name: "Publish your first artifact" }).waitFor();
  await page.getByText("Edit project").click();
  await page.getByLabel("Slug").last().fill("desserts");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL(`**${home}/p/desserts`);
  await page.getByText("Edit project").click();
  await page.getByRole("button", { name: "Delete project" }).click();
  await page.waitForURL(`**${home}`);
  expect(await page.getByRole("link", { name: "Crème brûlée" }).count()).toBe(0);
  expect(site.complaints).toEqual([]);
});

test("beside more projects than a column holds, there is a page of all of them", async () => {
  const many = 104;
  for (let made = 0; made < many; made += 8) await Promise.all(Array.from({ length: 8 }, () => createProject(ada)));
  const page = await open(home);
  const column = page.getByRole("navigation", { name: "Projects" });
  // The newest, and the links to all artifacts, favorites, recent and shared artifacts and all projects.
  expect(await column.getByRole("link").count()).toBe(12 + 5);
  await column.getByRole("link", { name: "All projects 100+" }).click();
  await page.waitForURL(`**${home}/projects`);
  const all = page.getByRole("list", { name: `Projects of ${ada.username}` });
  await all.getByRole("link").nth(99).waitFor();
  expect(await all.getByRole("link").count()).toBe(100);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Older" }).click();
  await page.waitForURL("**/projects?cursor=*");
  // The first ones were created before these.
  await all
    .getByRole("link")
    .and(page.locator(`[href="${home}/p/${notes}"]`))
    .click();
  await page.waitForURL(`**${home}/p/${notes}`);
  await page.getByRole("link", { name: "Board memo" }).waitFor();
  // The form offers the current project, even if the list of projects ends before it.
  const plain = await open(`${home}/publish?project=${notes}`, { javaScriptEnabled: false });
  expect(await plain.getByLabel("Project", { exact: true }).inputValue()).toBe(notes);

  // Moving by name works from a list of only the newest; Enter presses none of the buttons beside it.
  await page.goto(home);
  await choose(page, "Board memo");
  await page.getByText("1 selected").waitFor();
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.keyboard.press("Enter");
  await page.getByLabel("Move to").fill(drafts);
  await page.keyboard.press("Enter");
  expect(await page.getByText("1 selected").isVisible()).toBe(true);
  expect(sent).toEqual([]);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await said(page, "1 artifact moved.");
  expect((await named("Board memo")).projectSlug).toBe(drafts);
  await untilScriptRuns(page);
  await page.getByLabel("More actions for Board memo").click();
  await page.getByRole("button", { name: "Move or rename URL" }).click();
  const dialog = page.getByRole("dialog", { name: "Move or rename URL" });
  expect(await dialog.getByLabel("Project").inputValue()).toBe(drafts);
  await dialog.getByLabel("Project").fill(notes);
  await dialog.getByRole("button", { name: "Move" }).click();
  await said(page, "URL updated.");
  expect((await named("Board memo")).projectSlug).toBe(notes);
  expect(site.complaints).toEqual([]);
});

test("a dashboard under a former username leads on to the present one, with what its address says", async () => {
  const next = fresh("renamed");
  const colleague = await createPerson(site.instance);
  await clientOf(site.instance.origin, session).call("profile.update", { username: next });
  const page = await open(home);
  expect(new URL(page.url()).pathname).toBe(`/dashboard/${next}`);
  for (const rest of [
    `/p/${notes}?view=list`,
    `/p/${notes}/settings`,
    `/publish?project=${notes}`,
    "/projects",
    "?q=memo",
  ]) {
    await page.goto(home + rest);
    expect(page.url()).toBe(`${site.instance.origin}/dashboard/${next}${rest}`);
  }
  // To a stranger neither exists.
  const stranger = await site.open("/", await signIn(site.instance, colleague.userId));
  for (const path of [home, `/dashboard/${next}`]) expect((await stranger.goto(path))?.status()).toBe(404);
});

test("without script one reads, searches, deletes and undoes", async () => {
  await untilFound(ada, "budget");
  const page = await open(home, { javaScriptEnabled: false });
  await page.getByRole("searchbox").fill("budget");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/[?&]q=budget/);
  expect(await titles(page)).toEqual(["Board memo"]);
  await choose(page, "Board memo");
  await page.getByRole("button", { name: "Delete" }).click();
  await said(page, "1 artifact deleted.");
  expect((await mine()).map(({ title }) => title).toSorted()).toEqual(["Reading list", "Revenue"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await said(page, "1 artifact restored with its share links.");
  expect(await titles(page)).toEqual(["Board memo"]);
});

test("the keyboard alone searches and opens, chooses, deletes and undoes", async () => {
  await untilFound(ada, "budget");
  const page = await open(home);
  const search = page.getByRole("searchbox");
  // Keys work once the page's script runs.
  while (!(await search.evaluate((field) => field === document.activeElement))) await page.keyboard.press("/");
  await search.fill("");
  await page.keyboard.type("budget");
  await page.waitForURL(`**${home}?q=budget`);
  await page.getByText("Reading list").waitFor({ state: "detached" });
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("x");
  await page.getByText("1 selected").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("1 selected").waitFor({ state: "hidden" });
  await page.keyboard.press("x");
  await page.keyboard.press("Delete");
  await said(page, "1 artifact deleted.");
  expect((await mine()).length).toBe(2);
  // The undo button gets the focus, and then the restored item.
  await page.waitForFunction(() => document.activeElement?.textContent?.trim() === "Undo");
  await page.keyboard.press("Enter");
  await said(page, "1 artifact restored with its share links.");
  await page.waitForFunction(() => document.activeElement?.textContent?.trim() === "Board memo");
  await page.keyboard.press("/");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const { projectSlug, slug } = await named("Board memo");
  await page.waitForURL(`**/${ada.username}/${projectSlug}/${slug}`);
  expect(site.complaints).toEqual([]);
});

test("dropped files and texts continue to publishing in this project", async () => {
  const page = await open(`${home}/p/${notes}`);
  await page.getByRole("link", { name: "Revenue" }).waitFor();
  const fire = (kind: string) =>
    page.evaluate((type) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["# Dropped"], "dropped.md"));
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }, kind);
  // Repeats the drag until the page's script runs.
  const held = page.getByText("Drop to publish in A project");
  for (const ends = Date.now() + hung; !(await held.isVisible()); await Bun.sleep(100)) {
    expect(Date.now()).toBeLessThan(ends);
    await fire("dragenter");
  }
  await fire("drop");
  await page.waitForURL(`**${home}/publish?project=${notes}`);
});

test("a viewer sees the dashboard without forbidden actions, and a stranger gets 404", async () => {
  const owner = await createPerson(site.instance);
  const { workspaceId, slug } = await operatorTeam(owner);
  await operatorOf(site.instance).call("operator.setMember", { workspaceId, userId: ada.userId, role: "viewer" });
  const page = await open(`/dashboard/${slug}`);
  await page.getByRole("heading", { name: "Acme", exact: true }).waitFor();
  await page.getByText("Nothing published yet").waitFor();
  for (const name of ["Publish", "Billing", "Activity"]) expect(await page.getByRole("link", { name }).count()).toBe(0);
  expect(await page.getByText("New project").count()).toBe(0);
  expect(site.complaints).toEqual([]);
  // The dashboard opens where the person was last.
  await page.goto("/dashboard");
  expect(new URL(page.url()).pathname).toBe(`/dashboard/${slug}`);

  const theirs = await site.open("/", await signIn(site.instance, (await createPerson(site.instance)).userId));
  expect((await theirs.goto(`/dashboard/${slug}`))?.status()).toBe(404);
  expect((await theirs.goto(home))?.status()).toBe(404);
});

test("removing the demo project keeps changed artifacts, and says which it could not delete", async () => {
  const act = async (action: "addDemo" | "removeDemo", cookie = session, place = home) => {
    const answer = await fetch(`${site.instance.origin}${place}?/${action}`, {
      method: "POST",
      headers: { cookie, origin: site.instance.origin, accept: "text/html" },
      body: new URLSearchParams(),
      redirect: "manual",
    });
    return { status: answer.status, text: await answer.text() };
  };
  const demo = async () => (await ada.client.call("artifact.list", { owner: ada.username, project: "demo" })).artifacts;
  expect((await act("addDemo")).status).toBe(303);
  expect(await demo()).toHaveLength(4);
  const [changed] = await demo();
  if (changed === undefined) throw new Error("there is no demo");
  const { artifactId, latestVersion } = changed;
  for (let version = latestVersion; version < 5; version++)
    await ada.client.call("version.create", { artifactId, content: `# Mine ${version}\n` });
  // A second press, or one on an old page, adds nothing to a person's own content.
  await act("addDemo");
  expect((await ada.client.call("artifact.get", { artifactId })).latestVersion).toBe(5);

  expect((await act("removeDemo")).text).toContain("3 artifacts deleted.");
  expect((await demo()).map((artifact) => artifact.artifactId)).toEqual([artifactId]);
  expect((await act("removeDemo")).status).toBe(303);
  expect(await demo()).toHaveLength(1);
  const { projectId } = await ada.client.call("project.getByPath", { owner: ada.username, projectSlug: "demo" });
  await ada.client.call("project.update", { projectId, description: "Mine" });
  expect((await act("removeDemo")).status).toBe(404);
});

for (const javaScriptEnabled of [true, false])
  test(`${javaScriptEnabled ? "with" : "without"} script the star of a card keeps an artifact among the favorites, and lets it go`, async () => {
    const person = await createPerson(site.instance);
    const { slug } = await createProject(person);
    const { artifactId } = await createArtifact(person, slug, { title: "Starred", content: "# Starred\n" });
    const cookie = await signIn(site.instance, person.userId);
    const page = await site.open(`/dashboard/${person.username}?view=list`, cookie, { javaScriptEnabled });
    const favorites = async () =>
      (await person.client.call("favorite.list", {})).artifacts.map((one) => one.artifactId);
    const star = (isPressed: boolean) => page.getByRole("button", { name: "Favorite: Starred", pressed: isPressed });
    if (javaScriptEnabled) await untilScriptRuns(page);
    await star(false).click();
    await star(true).waitFor();
    await until(async () => (await favorites()).length === 1);
    expect(await favorites()).toEqual([artifactId]);
    await page.reload();
    await star(true).click();
    await star(false).waitFor();
    await until(async () => (await favorites()).length === 0);
    expect(new URL(page.url()).searchParams.get("view")).toBe("list");
    expect(site.complaints).toEqual([]);
  });

for (const javaScriptEnabled of [true, false])
  test(`${javaScriptEnabled ? "with" : "without"} script what was opened is listed under Recent, and the list can be cleared`, async () => {
    const { url } = await publish("Opened just now", "md", "# Opened\n");
    const guest = await createPerson(site.instance);
    const cookie = await signIn(site.instance, guest.userId);
    // Chromium without a window names itself as a program, which opens nothing.
    const userAgent =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";
    const page = await site.open(new URL(url).pathname, cookie, { javaScriptEnabled, userAgent });
    const client = clientOf(site.instance.origin, cookie);
    await until(async () => (await client.call("recent.list", {})).artifacts.length === 1);
    await page.goto(`/dashboard/${guest.username}`);
    await page.getByRole("navigation", { name: "Projects" }).getByRole("link", { name: "Recent" }).click();
    const opened = page.getByRole("list", { name: "Recent" }).getByRole("link", { name: "Opened just now" });
    await opened.waitFor();
    if (javaScriptEnabled) {
      await page.keyboard.press("Control+k");
      const search = page.getByRole("dialog", { name: "Search" });
      await search.getByRole("group", { name: "Recent" }).getByRole("option", { name: "Opened just now" }).waitFor();
      await page.keyboard.press("Escape");
    }
    await page.getByRole("button", { name: "Clear history" }).click();
    await page.getByText("Nothing here yet.").waitFor();
    expect((await client.call("recent.list", {})).artifacts).toEqual([]);
    expect(site.complaints).toEqual([]);
  });

async function operatorTeam(owner: Person) {
  const client = clientOf(site.instance.origin, await signIn(site.instance, owner.userId));
  return client.call("workspace.create", { slug: fresh("team"), name: "Acme" });
}

for (const javaScriptEnabled of [true, false])
  test(`${javaScriptEnabled ? "with" : "without"} script a favorite is added on the artifact's page and removed from the list`, async () => {
    const { artifactId, url } = await publish("A favorite", "md", "# Kept\n");
    const guest = await createPerson(site.instance);
    const cookie = await signIn(site.instance, guest.userId);
    const page = await site.open(new URL(url).pathname, cookie, { javaScriptEnabled });
    await page.getByLabel("More", { exact: true }).click();
    await page.getByRole("button", { name: "Add to favorites" }).click();
    await page.getByLabel("More", { exact: true }).click();
    await page.getByRole("button", { name: "Remove from favorites" }).waitFor();
    await page.goto(`/dashboard/${guest.username}`);
    await page.getByRole("navigation", { name: "Projects" }).getByRole("link", { name: "Favorites" }).click();
    await page.getByRole("list", { name: "Favorites" }).getByRole("link", { name: "A favorite" }).waitFor();
    await page.getByRole("button", { name: "Remove A favorite from favorites" }).click();
    await page.getByText("No favorites yet.").waitFor();
    const access = { publicView: false, publicEdit: false, viewerEmails: [`${guest.username}@example.com`] };
    await ada.client.call("access.update", { artifactId, ...access });
    await page.goto(`/dashboard/${guest.username}/shared`);
    await page.getByRole("list", { name: "Shared with me" }).getByRole("link", { name: "A favorite" }).waitFor();
    expect(site.complaints).toEqual([]);
  });
