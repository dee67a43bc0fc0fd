// Publishing by dropping in Chromium: folders with images, sites and modules, and the next version of an artifact with the
// difference shown first. Folders are real ones, dropped as a desktop drops them.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { FrameLocator, Page } from "playwright-core";

import { untilScriptRuns } from "./harness/browser.ts";
import { dropFiles, png, uploadFiles } from "./harness/given-files.ts";
import { watchPage } from "./harness/inspect-page.ts";
import { createArtifact, createProject } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(2 * hung);

const site = testSite();
let folders: string;

beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), "plinth-drop-"));
});
afterEach(() => {
  // The preview of a document has none of its files.
  site.forgive(/NETWORK_ACCESS_REVOKED|_content\/draft|frame-src/);
  expect(site.complaints).toEqual([]);
});
afterAll(() => rm(folders, { recursive: true }));

const sha256Of = (file: Uint8Array): string => new Bun.CryptoHasher("sha256").update(file).digest("hex");

/** A folder of this machine with these files. */
async function folderOf(name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = join(folders, name);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await Bun.write(join(folder, path), content);
  }
  return folder;
}

const open = (path: string) => site.open(path, site.session, { isFresh: true });

async function openPublish(): Promise<{ page: Page; project: string }> {
  const { slug: project } = await createProject(site.owner);
  const page = await open(`/dashboard/${site.owner.username}/publish?project=${project}`);
  await page.getByText("Drop files or a folder here").waitFor();
  return { page, project };
}

/** What makes the page hard to use: faults that axe finds, and a page that is wider than its screen. */
const hardships = async (page: Page): Promise<string[]> => watchPage(page, site.instance.origin).faults();

/** The documents that the page would publish, by their paths. */
const listed = async (page: Page): Promise<string[]> =>
  (await page.getByRole("button", { name: /^Remove / }).allInnerTexts()).map((text) => text.replace(/^Remove\s+/, ""));

/** The paths of the latest version's files. */
async function filesOf(project: string, path: string) {
  const found = await site.owner.client.call("artifact.getBySourcePath", {
    owner: site.owner.username,
    projectSlug: project,
    path,
  });
  const { files } = await site.owner.client.call("version.files", {
    artifactId: found.artifactId,
    versionNumber: found.latestVersion,
  });
  return { ...found, files: files.map((file) => file.path) };
}

const frame = (page: Page): FrameLocator => page.frameLocator("iframe");

test("a dropped folder: markdown with its images, links between documents, and what is left out", async () => {
  const { page, project } = await openPublish();
  const folder = await folderOf("handbook", {
    "README.md": "# Handbook\n\n![Logo](img/logo.png) [Set up](guide/setup.md)\n",
    "guide/setup.md": "# Set up\n\n![Chart](../img/chart.png) ![Gone](gone.png) [x](../tool.exe)\n",
    "img/logo.png": png,
    "img/chart.png": png,
    "tool.exe": "x",
    "notes.psd": "x",
    "node_modules/x/README.md": "# No",
    ".git/config": "x",
  });
  await dropFiles(page, [folder]);
  await page.getByRole("button", { name: "Publish 2 artifacts" }).waitFor();
  expect(await listed(page)).toEqual(["README.md", "guide/setup.md"]);
  await page.getByText("1 file, 74 B").first().waitFor();
  await page.getByText("1 referenced file wasn't found.").waitFor();
  await page.getByText("gone.png (line 3)").waitFor();
  await page.getByText("files of its type are not published").waitFor();
  await page.getByText("Skipped hidden files and installed packages: .git, node_modules.").waitFor();
  await page.getByText("Skipped 2 files that no document refers to: notes.psd, tool.exe.").waitFor();
  expect(await hardships(page)).toEqual([]);
  await page.getByRole("button", { name: "Publish 2 artifacts" }).click();
  await page.getByText("2 of 2 published.").waitFor();
  expect((await filesOf(project, "guide/setup.md")).files).toEqual(["img/chart.png"]);
  const readme = await filesOf(project, "README.md");
  expect(readme.files).toEqual(["img/logo.png"]);
  await page.goto(readme.url);
  await frame(page).getByRole("img", { name: "Logo" }).waitFor();
  await frame(page).getByRole("link", { name: "Set up" }).click();
  await frame(page).getByRole("heading", { name: "Set up" }).waitFor();
});

const pages = {
  "index.html": `<!doctype html><link rel="stylesheet" href="css/site.css"><h1>Home</h1><a href="about.html">About</a>
<iframe src="parts/frame.html" title="Part"></iframe>`,
  "about.html": '<h1>About us</h1><img src="img/team.png" alt="Team"><script type="module" src="js/app.js"></script>',
  "parts/frame.html": "<p>Framed</p>",
  "css/site.css": "h1 { background: url(../img/bg.png) }",
  "img/bg.png": png,
  "img/team.png": png,
  "js/app.js": 'import { said } from "./lib.js"; document.querySelector("h1").textContent += said;',
  "js/lib.js": 'export const said = ", as ever";',
};
const asOne = (page: Page) =>
  page.getByRole("checkbox", { name: "Publish the folder as one document, with all of its files" });

test("a dropped site, page by page: their styles and scripts, and a page that another one frames goes with it", async () => {
  const { page, project } = await openPublish();
  await dropFiles(page, [await folderOf("site", pages)]);
  await asOne(page).uncheck();
  await page.getByRole("button", { name: "Publish 2 artifacts" }).click();
  await page.getByText("2 of 2 published.").waitFor();
  expect((await filesOf(project, "about.html")).files).toEqual(["img/team.png", "js/app.js", "js/lib.js"]);
  const home = await filesOf(project, "index.html");
  expect(home.files).toEqual(["css/site.css", "img/bg.png", "parts/frame.html"]);
  await page.goto(home.url);
  await frame(page).getByRole("link", { name: "About" }).click();
  await frame(page).getByRole("heading", { name: "About us, as ever" }).waitFor();
});

test("a dropped report is one document with all of its files, whose paths lead where they do on GitHub Pages", async () => {
  const { page, project } = await openPublish();
  const folder = await folderOf("report", {
    ...pages,
    "index.html": `<!doctype html><title>Report</title><h1>Home</h1><a href="guide">Guide</a>
<script>fetch("data/" + 1 + ".json").then((answer) => answer.json()).then(({ said }) => document.body.append(said))</script>`,
    "guide/index.html": '<h1>Guide</h1><a href="../about">About</a><a href="../index.html">Home again</a>',
    "data/1.json": '{"said": "from its data"}',
    "404.html": "<h1>Nothing here</h1>",
    "objects.inv": "x",
  });
  await dropFiles(page, [folder]);
  await page.getByText("1 file of the folder can't be published with it:").waitFor();
  await page.getByText("objects.inv: files of its type are not published").waitFor();
  expect([await asOne(page).isChecked(), await listed(page)]).toEqual([true, ["index.html"]]);
  expect(await hardships(page)).toEqual([]);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.waitForURL(`**/${site.owner.username}/${project}/report`);
  const { artifactId } = await site.owner.client.call("artifact.getByPath", {
    owner: site.owner.username,
    projectSlug: project,
    slug: "report",
  });
  const { files } = await site.owner.client.call("version.files", { artifactId, versionNumber: 1 });
  expect(files.map(({ path }) => path)).toEqual(
    [...Object.keys(pages), "guide/index.html", "data/1.json", "404.html"]
      .filter((path) => path !== "index.html")
      .toSorted(),
  );
  const shown = frame(page);
  await shown.getByText("from its data").waitFor();
  await shown.getByRole("link", { name: "Guide" }).click();
  await shown.getByRole("heading", { name: "Guide" }).waitFor();
  await shown.getByRole("link", { name: "About" }).click();
  await shown.getByRole("heading", { name: "About us, as ever" }).waitFor();
  const go = (address: string) =>
    shown.locator("body").evaluate((_body, to) => void setTimeout(() => location.assign(to)), address);
  // A script goes to a folder without the guard.
  await go("guide");
  await shown.getByRole("heading", { name: "Guide" }).waitFor();
  await go("missing");
  await shown.getByRole("heading", { name: "Nothing here" }).waitFor();
  await go("./");
  await shown.getByRole("link", { name: "Home again" }).click();
  await shown.getByText("from its data").waitFor();
  // Of the preview, which has none of its files, and of the page that is missing.
  site.forgive(/^Failed to fetch$|status of 404/);
});

test("a chosen folder: jsx with its module and image; an upload that failed is tried again alone", async () => {
  const { page, project } = await openPublish();
  // The service has the image of other tests.
  const logo = new Uint8Array([...png, 0]);
  const folder = await folderOf("app", {
    "app.jsx": `import { Chart } from "./src/chart"; import logo from "./logo.png";
export default function App() { return <main><h1>Sales</h1><Chart /><img src={logo} alt="Logo" /></main>; }`,
    "src/chart.jsx": "export const Chart = () => <p>A chart</p>;",
    "logo.png": logo,
  });
  await page.getByLabel("Choose a folder").setInputFiles(folder);
  await page.getByText("2 files, ").waitFor();
  expect(await listed(page)).toEqual(["app.jsx"]);
  const sent: string[] = [];
  const isLogo = (url: string) => url.includes(sha256Of(logo));
  await page.route("**/api/files/*?*", async (route) => {
    sent.push(isLogo(route.request().url()) ? "logo" : "chart");
    if (sent.filter((one) => one === "logo").length === 1 && sent.at(-1) === "logo") await route.abort();
    else await route.continue();
  });
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("alert").getByText("Couldn't upload logo.png.").waitFor();
  site.forgive(/net::ERR_FAILED/);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.waitForURL(`**/${site.owner.username}/${project}/app`);
  await frame(page).getByText("A chart").waitFor();
  expect((await filesOf(project, "app.jsx")).files).toEqual(["logo.png", "src/chart.jsx"]);
  expect(sent.toSorted()).toEqual(["chart", "logo", "logo"]);
});

test("files chosen together: an image is found by its name; on http the text alone is published", async () => {
  const { page } = await openPublish();
  const folder = await folderOf("loose", { "report.md": "# Loose\n\n![A](img/a.png) ![B](img/b.png)\n", "a.png": png });
  await page.getByLabel("Choose files").setInputFiles([join(folder, "report.md"), join(folder, "a.png")]);
  await page.getByText("img/b.png (line 3)").waitFor();
  await page.getByText("1 file, 74 B").waitFor();
  await page
    .getByLabel("Add more files")
    .setInputFiles({ name: "b.png", mimeType: "image/png", buffer: Buffer.from("b") });
  await page.getByText("2 files, 75 B").waitFor();
  expect(await page.getByText(/n't found/).count()).toBe(0);
  await page.addInitScript(() => Object.defineProperty(globalThis, "isSecureContext", { value: false }));
  await page.reload();
  await page.getByLabel("Choose files").setInputFiles([join(folder, "report.md"), join(folder, "a.png")]);
  await page.getByText("Publishing files with a document requires https or localhost.").waitFor();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await frame(page).getByRole("heading", { name: "Loose" }).waitFor();
});

/** An artifact with an image beside it. */
async function publish(content: string): Promise<{ artifactId: string; path: string }> {
  const { slug } = await createProject(site.owner);
  const files = await uploadFiles(site.owner, { "img/old.png": png });
  const made = await createArtifact(site.owner, slug, { type: "md", content, title: "Report", files });
  return { artifactId: made.artifactId, path: new URL(made.url).pathname };
}
const latest = async (artifactId: string) => {
  const { latestVersion } = await site.owner.client.call("artifact.get", { artifactId });
  const [content, { files }] = await Promise.all([
    site.owner.client.call("version.content", { artifactId }),
    site.owner.client.call("version.files", { artifactId, versionNumber: latestVersion }),
  ]);
  return { latestVersion, content, files: files.map(({ path }) => path) };
};
const text = "# Report\n\nOne.\n\n![Old](img/old.png)\n";

test("a file dropped onto an artifact: the difference first, nothing on Cancel, then the next version with the same files", async () => {
  const { artifactId, path } = await publish(text);
  const page = await open(path);
  await page.getByLabel("More", { exact: true }).click();
  await page.getByRole("link", { name: "New version from a file" }).click();
  await page.getByText("Drop a file or a folder on this page").waitFor();
  await untilScriptRuns(page);
  const folder = await folderOf("one-file", {
    "report.md": text.replace("One.", "Two.\n\nThree."),
    "same.md": text,
    "page.html": "<p>",
  });
  await dropFiles(page, [join(folder, "page.html")]);
  await page.getByRole("alert").getByText("page.html is HTML, but this artifact is Markdown.").waitFor();
  await dropFiles(page, [join(folder, "same.md")]);
  await page.getByText("No changes: same.md is identical to version 1.").waitFor();

  await dropFiles(page, [join(folder, "report.md")]);
  await page.getByRole("heading", { name: "Changes in version 2" }).waitFor();
  await page.getByText("3 lines added, 1 line removed").waitFor();
  await page.getByText("The file of the latest version stays.").waitFor();
  expect(await page.getByText(/n't found/).count()).toBe(0);
  expect(await hardships(page)).toEqual([]);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("textbox", { name: "Markdown of Report" }).waitFor();
  expect((await latest(artifactId)).latestVersion).toBe(1);

  await page.getByLabel("Choose files").setInputFiles(join(folder, "report.md"));
  await page.getByLabel("Describe your changes (optional)").fill("Counted on");
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await page.waitForURL(`**${path}`);
  await frame(page).getByText("Three.").waitFor();
  expect(await latest(artifactId)).toEqual({
    latestVersion: 2,
    content: text.replace("One.", "Two.\n\nThree."),
    files: ["img/old.png"],
  });
});

test("a folder dropped onto an artifact replaces its files, and says which are added, removed and missing", async () => {
  const { artifactId, path } = await publish(text);
  const page = await open(`${path}/edit`);
  await untilScriptRuns(page);
  const folder = await folderOf("next", {
    "report.md": `${text}![New](img/new.png)\n`,
    "img/new.png": png,
    "rest.txt": "x",
  });
  await dropFiles(page, [folder]);
  await page.getByText("Added: 1 file").waitFor();
  await page.getByText("Removed: 1 file").waitFor();
  await page.getByText("img/old.png (line 5)").waitFor();
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await page.waitForURL(`**${path}`);
  expect((await latest(artifactId)).files).toEqual(["img/new.png"]);
});

test("a version that came in between is merged, as while editing, and the files go with it", async () => {
  const { artifactId, path } = await publish(text);
  const page = await open(`${path}/edit`);
  await untilScriptRuns(page);
  const folder = await folderOf("between", {
    "report.md": `${text}\n![New](img/new.png)\n`,
    "img/new.png": png,
    "img/old.png": png,
  });
  await dropFiles(page, [folder]);
  await page.getByRole("button", { name: "Publish version 2" }).waitFor();
  await site.owner.client.call("version.create", { artifactId, content: text.replace("One.", "Theirs.") });
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await page.getByText("without conflicts").waitFor();
  await page.getByRole("button", { name: "Save v3" }).click();
  await page.getByText("Saved as v3.").waitFor();
  expect(await latest(artifactId)).toEqual({
    latestVersion: 3,
    content: `${text.replace("One.", "Theirs.")}\n![New](img/new.png)\n`,
    files: ["img/new.png", "img/old.png"],
  });
  site.forgive(/status of 409/);
});
