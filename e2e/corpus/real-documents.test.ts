// Real documents, a sample of two of each type (`TEST_SAMPLES=all bun run test e2e/corpus` has all): published, read
// back byte for byte, updated, compared, restored, and opened by a reader in a browser.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "playwright-core";

import { onceCompiled } from "@plinth/contract/test/refusals";
import { send } from "../harness/http.ts";
import { hung, temporaryFolder } from "../harness/process.ts";
import { openSharedSiteAlone } from "../harness/site.ts";
import { testSite } from "../harness/test-site.ts";
import { createArtifact } from "../harness/people.ts";
import { sample, testRandom } from "../harness/test-seed.ts";
import { realDocuments, type RealDocument } from "./corpus.ts";

setDefaultTimeout(hung);

const site = testSite(() => openSharedSiteAlone());
const folder = await temporaryFolder("corpus");
const ofType = 2;
const documents = [...Map.groupBy(await realDocuments(folder), ({ type }) => type)].flatMap(([type, some]) =>
  sample(some, ofType, testRandom("corpus", type)),
);

const screenshots = await temporaryFolder("screenshots");
console.error(`screenshots in ${screenshots}`);
afterAll(() => rm(folder, { recursive: true }));

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A newline ends a line; text after the last newline is one more line. */
const lineCount = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

async function readBack(artifactId: string, version: number, content: string): Promise<void> {
  const answer = await send(`${site.instance.origin}/api/artifacts/${artifactId}/content?version=${version}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-artifact-id")).toBe(artifactId);
  expect(answer.headers.get("x-artifact-version")).toBe(String(version));
  expect(Buffer.compare(answer.bytes, Buffer.from(content))).toBe(0);
}

/** The frame with the document, after it has loaded. */
async function contentFrame(page: Page) {
  const element = await page.waitForSelector("iframe[src*='/_content/']", { state: "attached", timeout: hung });
  const frame = await element.contentFrame();
  if (frame === null) throw new Error("the element holds no frame");
  await frame.waitForLoadState("load");
  return frame;
}

async function seen(url: string, screenshot: string, { words }: RealDocument): Promise<void> {
  const page = await site.newPage();
  const ours: string[] = [];
  // A document's own script can fail in its sandbox. The URL in the stack shows it.
  page.on(
    "pageerror",
    (error) => void (error.stack?.includes("/_content/") || ours.push(String(error.stack ?? error))),
  );
  try {
    const response = await page.goto(url, { waitUntil: "load", timeout: hung });
    expect(response?.status()).toBe(200);
    const frame = await contentFrame(page);
    for (const word of words) {
      await frame
        .getByText(new RegExp(`\\b${word}\\b`, "i"))
        .filter({ visible: true })
        .first()
        .waitFor({ timeout: hung });
    }
    await page.screenshot({ path: join(screenshots, screenshot) });
    expect(ours).toEqual([]);
  } finally {
    await page.close();
  }
}

documents.forEach((document, index) =>
  test(
    `${document.type} ${index}: ${document.name}`,
    async () => {
      const { type, content } = document;
      const artifact = await createArtifact(site.owner, site.projectSlug, {
        type,
        content,
        title: document.name.slice(0, 200),
      });
      const { artifactId } = artifact;
      await readBack(artifactId, 1, content);
      const first = (await site.owner.client.call("version.list", { artifactId })).versions[0];
      expect(first).toMatchObject({
        versionNumber: 1,
        sha256: sha256(content),
        sizeBytes: Buffer.byteLength(content),
        isLatest: true,
      });
      await seen(artifact.url, `${type}-${index}-${document.name.replaceAll(/\W+/g, "-")}.png`, document);

      const changed = `${content}\n${type === "html" ? "<!-- a note -->" : type === "jsx" ? "// a note" : "A note."}\n`;
      const update = { artifactId, content: changed, expectedLatestVersion: 1 };
      const second = await onceCompiled(() => site.owner.client.call("version.create", update));
      expect(second).toMatchObject({ versionNumber: 2, sha256: sha256(changed) });
      await readBack(artifactId, 2, changed);

      const diff = await site.owner.client.call("version.diff", { artifactId, from: 1, to: 2 });
      expect(diff.coarse).toBe(false);
      expect(diff.stats.additions).toBeGreaterThanOrEqual(1);
      expect(diff.stats.additions - diff.stats.deletions).toBe(lineCount(changed) - lineCount(content));

      const third = await site.owner.client.call("version.restore", { artifactId, versionNumber: 1 });
      expect(third).toMatchObject({ versionNumber: 3, restoredFrom: 1, sha256: sha256(content) });
      await readBack(artifactId, 3, content);
    },
    2 * hung,
  ),
);
