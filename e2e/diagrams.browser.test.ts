// Diagrams that the worker's browser draws: the document comes with them, for both schemes, and no reader loads the code
// that draws.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Frame, Page, Request } from "playwright-core";

import { pageBudgets } from "./harness/page-budgets.ts";
import { weighPage } from "./harness/page-weight.ts";
import { violationsIn } from "./harness/inspect-page.ts";
import { createArtifact } from "./harness/people.ts";
import { eventually, hung, withScreenshots } from "./harness/process.ts";
import { openSite } from "./harness/site.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(3 * hung);

/** A diagram of each kind, with a word that it shows. */
const kinds = {
  flowchart: ["Get money", 'flowchart LR\n  A[Start] -->|Get money| B\n  click A href "https://example.com/a"'],
  sequence: ["Hello Bob", "sequenceDiagram\n  Alice->>Bob: Hello Bob\n  Bob-->>Alice: Hi"],
  class: ["beakColor", "classDiagram\n  Animal <|-- Duck\n  class Duck{\n    +String beakColor\n  }"],
  gantt: ["A task", "gantt\n  dateFormat YYYY-MM-DD\n  section S\n  A task :a1, 2024-01-01, 30d"],
  pie: ["Dogs", 'pie title Pets\n  "Dogs" : 386\n  "Cats" : 85'],
  state: ["Still", "stateDiagram-v2\n  [*] --> Still\n  Still --> [*]"],
  er: ["places", "erDiagram\n  CUSTOMER ||--o{ ORDER : places"],
} as const;

const fenced = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\`\n`;
const all = Object.values(kinds).map(([, source]) => fenced(source));
const broken = fenced("this is no diagram");
const other = fenced("flowchart LR\n  A[你好] --> B");

/** The script of every Markdown document, in bytes. */
const readingScriptMax = 6 * 1024;

const site = testSite(() => openSite({ env: withScreenshots }));

interface Published {
  readonly artifactId: string;
  readonly slug: string;
}

async function publish(content: string): Promise<Published> {
  const access = { publicView: true, publicEdit: false };
  return createArtifact(site.owner, site.projectSlug, { type: "md", content, access });
}

const frameOf = (artifactId: string, version: number): Promise<Response> =>
  fetch(`${site.instance.origin}/_content/p/${artifactId}/${version}`);

/** The document once its diagrams are drawn. */
const drawnDocument = (artifactId: string, version = 1) =>
  eventually(
    async () => {
      const response = await frameOf(artifactId, version);
      const html = await response.text();
      return /<figure class="mermaid"><svg/.test(html) && { html, etag: response.headers.get("etag") };
    },
    () => "the diagrams were not drawn",
  );

interface Opened {
  readonly page: Page;
  readonly frame: Frame;
  /** Bytes on the wire of all scripts, and of those of the document alone. */
  readonly scriptBytes: { readonly all: number; readonly document: number };
}

async function open({ slug }: Published, colorScheme: "light" | "dark", width = 1440): Promise<Opened> {
  const page = await site.newPage(undefined, { isFresh: true, colorScheme, viewport: { width, height: 900 } });
  const scripts: Request[] = [];
  page.on("requestfinished", (request) => void (request.resourceType() === "script" && scripts.push(request)));
  const weighing = weighPage(page, site.instance.origin);
  await page.goto(`/${site.owner.username}/${site.projectSlug}/${slug}`, { waitUntil: "load" });
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  if (frame === null) throw new Error("the page has no frame");
  await frame.locator("figure.mermaid").last().scrollIntoViewIfNeeded();
  await weighing.settled();
  const bytes = async (of: readonly Request[]) => {
    const sizes = await Promise.all(of.map((request) => request.sizes()));
    return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  };
  const scriptBytes = {
    all: await bytes(scripts),
    document: await bytes(scripts.filter((request) => request.url().includes("/_runtime/"))),
  };
  return { page, frame, scriptBytes };
}

const figures = (frame: Frame) => frame.locator("figure.mermaid");

test("a document has its diagrams of every kind drawn, and no reader loads the code that draws", async () => {
  const published = await publish(`# Kinds\n\n${all.join("\n")}\n${broken}`);
  const before = await frameOf(published.artifactId, 1);
  const { html, etag } = await drawnDocument(published.artifactId);
  expect(html.match(/<figure class="mermaid"><svg/g)).toHaveLength(all.length);
  expect(html).not.toMatch(/<style|<foreignObject|<script(?! type="module" src=)/);
  expect(etag).not.toBe(before.headers.get("etag"));
  const again = await fetch(before.url, { headers: { "if-none-match": etag ?? "" } });
  expect(again.status).toBe(304);

  for (const colorScheme of ["light", "dark"] as const) {
    const { frame, scriptBytes } = await open(published, colorScheme, colorScheme === "dark" ? 390 : 1440);
    expect(await frame.locator("figure.mermaid > svg").count()).toBe(all.length);
    expect(await frame.locator(".diagram-problem").allTextContents()).toEqual([
      expect.stringContaining("This diagram could not be drawn: No diagram type detected"),
    ]);
    expect(scriptBytes.all).toBeGreaterThan(0);
    expect(scriptBytes.all).toBeLessThanOrEqual(pageBudgets.diagramsScript);
    // The script of every document, without the one that draws.
    expect(scriptBytes.document).toBeLessThanOrEqual(readingScriptMax);
    for (const [index, [word]] of Object.values(kinds).entries()) {
      const drawing = figures(frame).nth(index).locator("svg");
      expect((await drawing.textContent())?.replaceAll(/\s+/g, " ")).toContain(word);
    }
    const colour = await figures(frame)
      .first()
      .locator("text")
      .first()
      .evaluate((text) => getComputedStyle(text).fill);
    expect(colour).toBe(colorScheme === "light" ? "rgb(27, 26, 23)" : "rgb(239, 237, 231)");
    expect(await violationsIn(frame)).toEqual([]);
  }
});

test("the text of a drawing can be selected, and the scheme can change while one reads", async () => {
  const published = await publish(`# Text\n\n${all[1]}`);
  await drawnDocument(published.artifactId);
  const { page, frame } = await open(published, "light");
  const selected = await frame.evaluate(() => {
    const text = document.querySelector("figure.mermaid text");
    if (text === null) throw new Error("no text");
    getSelection()?.selectAllChildren(text);
    return getSelection()?.toString();
  });
  expect(selected?.trim()).not.toBe("");
  await page.emulateMedia({ colorScheme: "dark" });
  const text = await frame.locator("figure.mermaid tspan").first().elementHandle();
  await frame.waitForFunction((one) => one !== null && getComputedStyle(one).fill === "rgb(239, 237, 231)", text);
});

test("a new version is drawn too, and a diagram in other letters than the typeface's is left to the reader's browser", async () => {
  const published = await publish(`# Versions\n\n${all[0]}`);
  await drawnDocument(published.artifactId);
  const content = `# Versions\n\n${all[0]}\n${all[4]}\n${all[4]}\n${other}`;
  await site.owner.client.call("version.create", { artifactId: published.artifactId, content });
  const { html } = await drawnDocument(published.artifactId, 2);
  expect(html.match(/<figure class="mermaid"><svg/g)).toHaveLength(3);
  const { frame } = await open(published, "light");
  await frame.locator("figure.mermaid[data-scheme] > svg").waitFor({ state: "attached" });
  expect(await frame.locator("figure.mermaid > svg").count()).toBe(4);
});
