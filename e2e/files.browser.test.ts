// Documents with files beside them, as their readers see them: images, styles, scripts, data and pages of all three types,
// public and private, and links between documents of a folder.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { FrameLocator, Page } from "playwright-core";

import { png, uploadFiles } from "./harness/given-files.ts";
import { createArtifact, createProject } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(2 * hung);

const site = testSite();

/** Uploads the files and publishes a document with them. */
const publish = async (
  type: "md" | "html" | "jsx",
  content: string,
  contents: Parameters<typeof uploadFiles>[1],
  more: object = {},
) =>
  createArtifact(site.owner, site.projectSlug, {
    type,
    content,
    files: await uploadFiles(site.owner, contents),
    ...more,
  });

async function opened(url: string, cookie?: string): Promise<{ page: Page; frame: FrameLocator }> {
  const page = await site.open(url, cookie, { isFresh: true });
  return { page, frame: page.frameLocator("iframe") };
}

/** The widths of the images in the frame, once they are loaded. */
const widths = (frame: FrameLocator): Promise<number[]> =>
  frame.locator("body").evaluate(async (body) => {
    const images = [...body.querySelectorAll("img")];
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
    return images.map(({ naturalWidth }) => naturalWidth);
  });

test("markdown shows its images; a link to a file saves it, one to a page opens it in the frame", async () => {
  const { url } = await publish("md", "![Chart](img/chart.png)\n\n[The data](data.csv) [A page](page.html)\n", {
    "img/chart.png": png,
    "data.csv": "a,b\n1,2\n",
    "page.html": "<h1>Beside it</h1>",
  });
  const { page, frame } = await opened(url);
  await frame.getByRole("img", { name: "Chart" }).waitFor();
  expect(await widths(frame)).toEqual([2]);
  const download = page.waitForEvent("download");
  await frame.getByRole("link", { name: "The data" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe("data.csv");
  await frame.getByRole("link", { name: "A page" }).click();
  await frame.getByRole("heading", { name: "Beside it" }).waitFor();
});

const html = `<!doctype html><link rel="stylesheet" href="style.css"><h1>Sales</h1><img src="img/chart.png" alt="Chart">
<output></output><a href="pages/about.html">About</a><script type="module" src="app.js"></script>`;
const htmlFiles = {
  "style.css": "@font-face{font-family:x;src:url(x.woff2)} h1{color:rgb(1, 2, 3);background:url(img/chart.png)}",
  "app.js":
    "import { sum } from './lib/sum.js'; const rows = await (await fetch('data.json')).json(); document.querySelector('output').textContent = sum(rows);",
  "lib/sum.js": "export const sum = (rows) => rows.reduce((a, b) => a + b, 0);",
  "data.json": "[1,2,3]",
  "img/chart.png": png,
  "pages/about.html": '<h1>About us</h1><img src="../img/chart.png"><a href="more.html">More</a>',
  "pages/more.html": "<h1>More about us</h1>",
};

test.each([true, false])("html loads its styles, scripts, data and pages; public: %p", async (publicView) => {
  const access = { publicView, publicEdit: false };
  const { url } = await publish("html", html, htmlFiles, { access });
  const { page, frame } = await opened(url, site.session);
  await frame.getByText("6", { exact: true }).waitFor();
  expect(await widths(frame)).toEqual([2]);
  expect(await frame.locator("h1").evaluate((heading) => getComputedStyle(heading).color)).toBe("rgb(1, 2, 3)");
  await frame.getByRole("link", { name: "About" }).click();
  await frame.getByRole("heading", { name: "About us" }).waitFor();
  expect(await widths(frame)).toEqual([2]);
  await frame.getByRole("link", { name: "More" }).click();
  await frame.getByRole("heading", { name: "More about us" }).waitFor();
  await page.evaluate(() => history.go(-2));
  await frame.getByRole("heading", { name: "Sales" }).waitFor();
  expect(site.complaints).toEqual([]);
});

test("jsx of several files is one app, with its data, style sheets and images", async () => {
  const { url } = await publish(
    "jsx",
    `import { Chart } from "./src/chart"; import "./app.css";
     export default function App() { return <main className="p-4"><h1>Sales</h1><Chart /></main>; }`,
    {
      "src/chart.jsx": `import { useState } from "react"; import rows from "../data.json"; import dot from "../img/dot.png";
        export function Chart() { const [n, more] = useState(1);
          return <p className="from-css"><button onClick={() => more(n + 1)}>{rows[0].month} {n}</button><img src={dot} /></p>; }`,
      "data.json": '[{ "month": "May" }]',
      "app.css": '@import "more.css"; .from-css { color: rgb(1, 2, 3); }',
      "more.css": ".from-css { background: url(img/dot.png) rgb(4, 5, 6); }",
      "img/dot.png": png,
    },
  );
  const { frame } = await opened(url);
  await frame.getByRole("button", { name: "May 1" }).click();
  const chart = frame.getByText("May 2").locator("..");
  await chart.waitFor();
  const colours = chart.evaluate((element) => [
    getComputedStyle(element).color,
    getComputedStyle(element).backgroundColor,
  ]);
  expect(await colours).toEqual(["rgb(1, 2, 3)", "rgb(4, 5, 6)"]);
  expect(await widths(frame)).toEqual([2]);
  expect(site.complaints).toEqual([]);
});

test("an error in a file beside the document is told with the file and its line", async () => {
  const { url } = await publish("jsx", `import { Broken } from "./broken"; export default () => <Broken />;`, {
    "broken.jsx": `\n\nexport function Broken() { throw new Error("out of paper"); }`,
  });
  const { frame } = await opened(url);
  await frame.getByText("out of paper").first().waitFor();
  await frame.getByText("broken.jsx").first().waitFor();
});

test("jsx fetches its data and shows its images", async () => {
  const { url } = await publish(
    "jsx",
    `import { useEffect, useState } from "react";
export default function App() {
  const [total, setTotal] = useState(null);
  useEffect(() => { fetch("./data.csv").then((r) => r.text()).then((text) => setTotal(text.trim().split("\\n").length)); }, []);
  return <main><img src="img/chart.png" alt="Chart" /><p>{total === null ? "…" : total + " lines"}</p></main>;
}`,
    { "data.csv": "1\n2\n3\n", "img/chart.png": png },
  );
  const { frame } = await opened(url);
  await frame.getByText("3 lines").waitFor();
  expect(await widths(frame)).toEqual([2]);
});

test("links between the documents of a folder lead by source path, in the same tab, with their anchors", async () => {
  const start = await publish("md", "# Start\n\n[Setup](guide/setup.md#second)\n", {}, { sourcePath: "README.md" });
  const text = `# Setup\n\n${"line\n\n".repeat(80)}## Second\n\n[Back](../README.md) [Data](../data.md)\n`;
  await publish("md", text, {}, { sourcePath: "guide/setup.md", slug: "how-to-set-up" });
  const { page, frame } = await opened(start.url);
  await frame.getByRole("link", { name: "Setup" }).click();
  await page.waitForURL("**/how-to-set-up#second");
  await frame.getByRole("link", { name: "Back" }).click();
  await page.waitForURL(start.url);
  expect((await page.goto(`${start.url}x/nothing`))?.status()).toBe(404);
});

test("a document that became private shows nothing of its files to strangers", async () => {
  const { url, artifactId } = await publish("md", "![Chart](chart.png)\n", { "chart.png": png });
  const { frame } = await opened(url);
  await frame.getByRole("img", { name: "Chart" }).waitFor();
  const src = (await frame.getByRole("img").getAttribute("src")) ?? "";
  expect((await fetch(src)).status).toBe(200);
  await site.owner.client.call("access.update", { artifactId, publicView: false, publicEdit: false, viewerEmails: [] });
  expect((await fetch(src)).status).toBe(404);
});

test("the menu of a private version with files lists them, and downloads them as a zip", async () => {
  const access = { publicView: false, publicEdit: false };
  const files = { "img/größe 1.png": png, "data.csv": "1,2\n" };
  const { url, artifactId, slug } = await publish("md", "# Figures\n", files, { access });
  await site.owner.client.call("version.create", { artifactId, content: "# Without files\n", files: [] });
  const { page } = await opened(`${url}?v=1`, site.session);
  const menu = () => page.locator("summary[aria-label=More]").click();
  await menu();
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as zip" }).click();
  const saved = await saving;
  const zip = await Bun.file(await saved.path()).bytes();
  expect([saved.suggestedFilename(), String.fromCharCode(...zip.subarray(0, 2))]).toEqual([`${slug}-v1.zip`, "PK"]);
  await page.getByRole("link", { name: `With 2 files, ${png.length + 4} B` }).click();
  await page.waitForURL(`${url}/files?v=1`);
  expect(await page.getByRole("listitem").allInnerTexts()).toEqual([
    "data.csv\n4 B",
    `img/größe 1.png\n${png.length} B`,
  ]);
  const href = await page.getByRole("link", { name: "img/größe 1.png" }).getAttribute("href");
  const image = await page.request.get(new URL(href ?? "", url).href);
  expect([image.status(), new Uint8Array(await image.body())]).toEqual([200, png]);
  await page.goto(url);
  await menu();
  expect(await page.getByRole("link", { name: "Download as zip" }).count()).toBe(0);
  await page.goto(`${url}/files`);
  expect([page.url(), await page.getByText("This version has no files.").count()]).toEqual([`${url}/files?v=2`, 1]);
  expect(site.complaints).toEqual([]);
});

test("a project shows its documents as a tree, and a document leads to the previous and the next one", async () => {
  const { slug } = await createProject(site.owner);
  const titles = {
    "README.md": "Handbook",
    "guide/README.md": "The guide",
    "guide/2-usage.md": "Usage",
    "z.md": "Last",
  };
  for (const [sourcePath, title] of Object.entries(titles).toReversed())
    await createArtifact(site.owner, slug, { type: "md", title, content: `# ${title}\n`, sourcePath });
  const address = `${site.instance.origin}/${site.owner.username}/${slug}`;
  const { page } = await opened(address);
  const tree = page.getByRole("navigation", { name: "Documents" });
  expect(await tree.getByRole("link").allTextContents()).toEqual(Object.values(titles));
  await tree.getByRole("link", { name: "Handbook" }).click();
  for (const title of Object.values(titles)) {
    await page.getByRole("heading", { name: title, level: 1 }).first().waitFor();
    if (title === "Last") break;
    await page.getByRole("link", { name: /^Next: / }).click();
  }
  expect(await page.getByRole("link", { name: /^Next: / }).count()).toBe(0);
  await page.getByRole("link", { name: "Previous: Usage" }).click();
  await page.getByRole("heading", { name: "Usage", level: 1 }).first().waitFor();
  const text = await (await fetch(address, { headers: { accept: "text/markdown" } })).text();
  expect([...text.matchAll(/^- \[(.*?)\]/gm)].map(([, title]) => title)).toEqual(Object.values(titles));
});
