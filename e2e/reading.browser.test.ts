// A document with every markdown feature, read in its frame on a real instance: the effects of the stylesheet and the
// reading script under the document policy.
import { beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Frame, Page } from "playwright-core";

import { viewAddress } from "@plinth/contract/frame";

import { violationsIn } from "./harness/inspect-page.ts";
import { createArtifact } from "./harness/people.ts";
import { eventually, hung } from "./harness/process.ts";
import { code, document as source } from "./harness/reading-document.ts";
import { testSite } from "./harness/test-site.ts";
import { colorSchemesOf } from "./harness/test-seed.ts";

setDefaultTimeout(3 * hung);

const site = testSite();
let path: string;
let page: Page;
let asked: string[];

beforeAll(async () => {
  const { slug } = await createArtifact(site.owner, site.projectSlug, { content: source });
  path = `/${site.owner.username}/${site.projectSlug}/${slug}`;
  await untilRendered();
});
beforeEach(() => {
  asked = [];
});

interface Seen {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
  readonly view?: "document" | "source";
}

/** A busy machine shows the source if the rendering is late; a finished rendering is kept. */
async function untilRendered(): Promise<void> {
  const isRendered = async () => {
    const page = await (await fetch(site.instance.origin + path)).text();
    const address = /\/_content\/[\w/]+/.exec(page)?.[0];
    return (await (await fetch(`${site.instance.origin}${address}`)).text()).includes('class="toc"');
  };
  await eventually(isRendered, () => "the document was not rendered");
}

/** Opens the artifact's page and gives its frame, once its script has run. */
async function open({ width = 1440, colorScheme = "light", view = "document" }: Seen = {}): Promise<Frame> {
  page = await site.newPage(undefined, { isFresh: true, colorScheme, viewport: { width, height: 900 } });
  page.on("request", (request) => void asked.push(request.url()));
  await page.addInitScript(() => {
    const heights: number[] = [];
    Object.assign(window, { heights });
    window.addEventListener("message", ({ data }) => {
      if (data?.type === "plinth:height") heights.push(data.height);
    });
  });
  await page.goto(path);
  if (view === "source") {
    const address = (await page.locator("iframe").getAttribute("src")) ?? "";
    await page.locator("iframe").evaluate((frame, to) => frame.setAttribute("src", to), viewAddress(address, "source"));
  }
  const handle = await page.waitForSelector("iframe");
  const frame = await handle.contentFrame();
  if (!frame) throw new Error("the page has no frame");
  await frame
    .locator(view === "source" ? ".source-view .copy" : "figure.code .copy")
    .first()
    .waitFor({ state: "attached" });
  return frame;
}

/** Brings every diagram near the window, and waits until each is drawn or has said why it isn't. */
async function drawAll(frame: Frame): Promise<void> {
  for (const figure of await frame.locator("figure.mermaid").all()) {
    await figure.scrollIntoViewIfNeeded();
    await figure.locator("> svg, > .diagram-problem").first().waitFor({ state: "attached" });
  }
}

/** What the clipboard holds, as one finds by pasting. */
async function pasted(): Promise<string> {
  const other = await page.context().newPage();
  await other.setContent("<textarea></textarea>");
  await other.locator("textarea").focus();
  await other.keyboard.press("Control+V");
  const text = await other.locator("textarea").inputValue();
  await other.close();
  return text;
}

test("diagrams are drawn by this instance, and what can't be says why and keeps its source", async () => {
  const frame = await open();
  await drawAll(frame);
  expect(await frame.locator("figure.mermaid > svg").count()).toBe(2);
  const problems = await frame.locator(".diagram-problem").allTextContents();
  expect(problems).toEqual([
    "This diagram is too large to draw: it has more than 200 parts.",
    expect.stringContaining("This diagram could not be drawn: "),
  ]);
  expect(await frame.locator("figure.mermaid > pre").count()).toBe(2);
  expect(asked.filter((url) => !url.startsWith(`${site.instance.origin}/`) && !url.startsWith("data:"))).toEqual([]);
  expect(site.complaints).toEqual([]);
});

test("a diagram can't loosen how it is drawn, nor carry what runs", async () => {
  const frame = await open();
  await drawAll(frame);
  const drawn = await frame.locator("figure.mermaid > svg").evaluateAll((all) =>
    all.map((one) => ({
      text: one.textContent,
      elements: [...new Set([...one.querySelectorAll("*")].map(({ localName }) => localName))],
      attributes: [...one.querySelectorAll("*")].flatMap(({ attributes }) =>
        [...attributes].map((a) => `${a.name}=${a.value}`),
      ),
    })),
  );
  expect(drawn).toHaveLength(2);
  for (const { text, elements, attributes } of drawn) {
    for (const name of ["script", "foreignObject", "iframe", "img", "image"]) expect(elements).not.toContain(name);
    expect(attributes.filter((attribute) => /^on|javascript:/i.test(attribute))).toEqual([]);
    expect(text).not.toMatch(/fill: ?red/);
  }
  expect(drawn[0]?.text).toContain("pushes");
});

test("diagrams are drawn again in the other scheme's colours", async () => {
  const frame = await open();
  await drawAll(frame);
  await page.emulateMedia({ colorScheme: "dark" });
  await frame.locator('figure.mermaid[data-scheme="dark"]').first().waitFor({ state: "attached" });
  expect(await frame.locator("figure.mermaid > svg").count()).toBe(2);
});

test("code is copied unchanged, in a frame without clipboard access", async () => {
  const frame = await open();
  const button = frame.locator("figure.code .copy").first();
  await button.click();
  expect(await button.textContent()).toBe("Copied");
  expect(await pasted()).toBe(code);
});

test("contents stand beside the text, mark the section one reads, and are folded on a small screen", async () => {
  const wide = await open();
  const links = wide.locator(".toc a");
  expect(await links.allTextContents()).toEqual([
    "Code",
    "Lists and asides",
    "Tables",
    "Mathematics",
    "Diagrams",
    "Images",
  ]);
  const [rail, text] = [
    await wide.locator(".toc").boundingBox(),
    await wide.locator(".markdown > p").first().boundingBox(),
  ];
  expect(rail?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0));
  await links.nth(3).click();
  await wide.locator('.toc a[aria-current="location"]', { hasText: "Mathematics" }).waitFor();
  expect(await wide.locator(".toc a[aria-current]").count()).toBe(1);
  const narrow = await open({ width: 360 });
  expect(await narrow.locator(".toc details").getAttribute("open")).toBeNull();
});

test("a link to an author's own id finds it", async () => {
  const frame = await open();
  await frame.getByRole("link", { name: "a section" }).click();
  await frame.waitForFunction(() => {
    const top = document.getElementById("user-content-mine")?.getBoundingClientRect().top ?? -1;
    return top >= 0 && top < innerHeight;
  });
});

test("an image that was not published is named, and a table from right to left keeps its numbers", async () => {
  const content = "# כותרת\n\n![תרשים](./chart.png)\n\n| רבעון | שינוי |\n|---|---|\n| ראשון | +4% |";
  const { url } = await createArtifact(site.owner, site.projectSlug, { content });
  page = await site.open(url);
  const frame = page.frameLocator("iframe");
  const pill = frame.locator(".missing-image");
  await pill.waitFor();
  expect([await pill.textContent(), await pill.getAttribute("title")]).toEqual([
    "תרשים",
    "chart.png was not published",
  ]);
  const [plus, percent, text] = await frame
    .locator("td")
    .last()
    .evaluate((cell) => {
      const range = document.createRange();
      const leftOf = (from: number) => {
        range.setStart(cell.firstChild as Text, from);
        range.setEnd(cell.firstChild as Text, from + 1);
        return range.getBoundingClientRect().left;
      };
      return [leftOf(0), leftOf(2), cell.textContent] as const;
    });
  expect(text).toBe("+4%");
  expect(plus).toBeLessThan(percent);
});

test("the page around it is told how high the document is", async () => {
  const frame = await open();
  await drawAll(frame);
  const height = () => frame.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height));
  const lastHeight = () => page.evaluate(() => (window as unknown as { heights: number[] }).heights.at(-1));
  // A face that comes late changes both.
  while ((await lastHeight()) !== (await height())) await page.waitForTimeout(50);
});

test.each([360, 768, 1440])("nothing is wider than a window of %d px", async (width) => {
  const frame = await open({ width });
  await drawAll(frame);
  expect(await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("the source is numbered, its numbers stay while a long line scrolls, and it is copied whole", async () => {
  const frame = await open({ view: "source", width: 768 });
  expect(await frame.locator(".source-lines .line").count()).toBe(source.trimEnd().split("\n").length);
  const number = () =>
    frame.evaluate(() => {
      const line = document.getElementById("L3");
      return line && getComputedStyle(line, "::before").position;
    });
  expect(await number()).toBe("sticky");
  expect(await frame.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(true);
  await frame.locator(".copy").click();
  expect((await pasted()).replaceAll("\r\n", "\n")).toBe(source.trimEnd());
  expect(site.complaints).toEqual([]);
});

test.each(colorSchemesOf("reading"))("axe finds nothing in the document nor in its source: %s", async (colorScheme) => {
  const document = await open({ colorScheme });
  await drawAll(document);
  expect(await violationsIn(document)).toEqual([]);
  expect(await violationsIn(await open({ colorScheme, view: "source" }))).toEqual([]);
});
