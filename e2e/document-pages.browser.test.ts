// The artifact page of html and jsx documents, besides showing them: errors, blank documents, their background, dark
// mode and printing.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Frame, Page } from "playwright-core";

import { createArtifact, fresh } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(3 * hung);

const site = testSite();

async function open(type: "html" | "jsx", content: string, colorScheme: "light" | "dark" = "light"): Promise<Page> {
  const { url } = await createArtifact(site.owner, site.projectSlug, { type, content, title: fresh("Page") });
  return site.open(new URL(url).pathname, undefined, { colorScheme });
}

const frameOf = (page: Page) => page.frameLocator("iframe");

async function innerFrame(page: Page): Promise<Frame> {
  const handle = await page.waitForSelector("iframe");
  const frame = await handle.contentFrame();
  if (!frame) throw new Error("the page has no frame");
  return frame;
}

const blank = "This document is blank";

test("errors of an html document's scripts are listed in the bar, each once, with its line", async () => {
  const source =
    "<h1>Shown</h1>\n<script>\nfor (const name of ['a', 'a']) setTimeout(() => missing());\n" +
    "Promise.reject(new RangeError('too far'));\n</script>\n";
  const page = await open("html", source);
  const notices = page.locator("[data-part=notices]");
  await notices.getByText("2 errors").click();
  await notices.getByText("ReferenceError: missing is not defined (line 3)").waitFor();
  await notices.getByText("RangeError: too far").waitFor();
  expect(await page.getByText(blank).isVisible()).toBe(false);
});

test("a blank document of which something was blocked says so in the middle; one that draws later does not", async () => {
  const script = '<script src="https://cdn.example/library.js"></script>';
  const page = await open("html", `${script}<script>library.draw();</script>`);
  await page.getByText(blank).waitFor();
  await page.getByText("1 request was blocked, 1 error in its script.").waitFor();
  await (await innerFrame(page)).evaluate(() => void (document.body.textContent = "Drawn"));
  await page.getByText(blank).waitFor({ state: "hidden" });

  for (const body of [
    "<p>Text</p>",
    '<svg width="9" height="9"></svg>',
    '<div style="height:9px;background:red"></div>',
  ]) {
    const drawn = await open(
      "html",
      `${body}${script}<script>setTimeout(() => { document.title = "later" }, 1500)</script>`,
    );
    await drawn.locator("[data-part=notices]").getByText("1 blocked").waitFor();
    await (await innerFrame(drawn)).waitForFunction(() => document.title === "later");
    expect(await drawn.getByText(blank).isVisible()).toBe(false);
  }
});

test("an html document without a background stands on white, also in a dark page", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await open("html", "<h1>Own</h1>", colorScheme);
    await frameOf(page).getByText("Own").waitFor();
    const shot = await page.screenshot({ clip: { x: 600, y: 500, width: 1, height: 1 } });
    const counting = await page.context().newPage();
    const colour = await counting.evaluate(
      async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const context = new OffscreenCanvas(1, 1).getContext("2d");
        context?.drawImage(image, 0, 0);
        return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
      },
      `data:image/png;base64,${shot.toString("base64")}`,
    );
    expect(colour).toEqual([255, 255, 255, 255]);
  }
});

test("a jsx document in the colours of the theme follows the reader's dark mode", async () => {
  const source = 'export default () => <main className="bg-background text-foreground">Themed</main>;';
  const grounds: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await open("jsx", source, colorScheme);
    const main = frameOf(page).getByText("Themed");
    await main.waitFor();
    grounds.push(await main.evaluate((element) => getComputedStyle(element).backgroundColor));
  }
  expect(grounds[0]).toBe("rgb(255, 255, 255)");
  expect(grounds[1]).not.toBe(grounds[0]);
});

test("html and jsx are printed whole, with what scrolls within them", async () => {
  const lines = 300;
  const html =
    '<style>html, body { height: 100%; margin: 0 } p { margin: 0; line-height: 30px } main { height: 100%; overflow: auto }</style><main id="scroller">' +
    `${"<p>Line</p>".repeat(lines)}<p>The end</p></main>`;
  const jsx = `export default () => <main id="scroller" style={{ height: "100vh", overflow: "auto" }}>
    {Array.from({ length: ${lines} }, (_, n) => <p key={n} style={{ margin: 0, lineHeight: "30px" }}>Line</p>)}<p style={{ margin: 0 }}>The end</p></main>;`;
  for (const [type, source] of [
    ["html", html],
    ["jsx", jsx],
  ] as const) {
    const page = await open(type, source);
    await frameOf(page).getByText("The end").waitFor();
    const heights = await (
      await innerFrame(page)
    ).evaluate(() => {
      const scroller = document.querySelector("#scroller");
      const height = () => scroller?.getBoundingClientRect().height ?? 0;
      const before = height();
      dispatchEvent(new Event("beforeprint"));
      const onPaper = height();
      dispatchEvent(new Event("afterprint"));
      return { before, onPaper, after: height(), content: scroller?.scrollHeight ?? 0 };
    });
    expect(heights.onPaper).toBe(heights.content);
    expect(heights.onPaper).toBeGreaterThan(3 * heights.before);
    expect(heights.after).toBe(heights.before);
  }
});

test("the browser's own menu prints an html document as high as it is", async () => {
  const page = await open("html", `${"<p>Line</p>".repeat(200)}<p>The end</p>`);
  await frameOf(page).getByText("The end").waitFor();
  await page.waitForFunction(() => document.documentElement.style.getPropertyValue("--whole-height") !== "");
  const pdf = (await page.pdf({ format: "A4", preferCSSPageSize: true })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0).toBeGreaterThan(4);
});
