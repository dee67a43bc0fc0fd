// The QR code of an artifact's URL: who gets it, what it says to a scanner, and that Share shows it.
import { expect, setDefaultTimeout, test } from "bun:test";
import readCode from "jsqr";

import { createArtifact, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(hung);

const site = testSite();

const qrOf = (url: string, query = "", headers: Record<string, string> = {}) =>
  fetch(`${url}/qr.svg${query}`, { headers, redirect: "manual" });

/** The text that a scanner reads in a code. */
function scanned(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x, y] of svg.matchAll(/M(\d+),(\d+)h10v10h-10z/g))
    for (let row = 0; row < 10; row++)
      for (let column = 0; column < 10; column++)
        pixels.fill(
          0,
          ((Number(y) + row) * size + Number(x) + column) * 4,
          ((Number(y) + row) * size + Number(x) + column) * 4 + 3,
        );
  return readCode(pixels, size, size)?.data;
}

test("the code has the URL of the latest or one version, for those who can see the artifact, with an ETag", async () => {
  const { url } = await createArtifact(site.owner, site.projectSlug);
  const hidden = await createArtifact(site.owner, site.projectSlug, {
    access: { publicView: false, publicEdit: false },
  });
  const code = await qrOf(url);
  expect(code.headers.get("content-type")).toBe("image/svg+xml");
  const svg = await code.text();
  expect(svg).not.toMatch(/<script|\bon\w+=|href/);
  expect([scanned(svg), scanned(await (await qrOf(url, "?v=1")).text())]).toEqual([url, `${url}?v=1`]);
  expect((await qrOf(url, "", { "if-none-match": code.headers.get("etag") ?? "" })).status).toBe(304);
  const statuses = await Promise.all([
    qrOf(url, "?v=2"),
    qrOf(url, "?v=x"),
    qrOf(hidden.url),
    qrOf(`${url}-missing`),
    qrOf(hidden.url, "", { cookie: await signIn(site.instance, site.owner.userId) }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 200]);
});

test("Share shows the code and offers it as a file", async () => {
  const { url, slug } = await createArtifact(site.owner, site.projectSlug);
  const context = await site.browser.newContext();
  const [name = "", value = ""] = (await signIn(site.instance, site.owner.userId)).split("=");
  await context.addCookies([{ name, value, url: site.instance.origin }]);
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("link", { name: "Share", exact: true }).first().click();
  await page.getByText("QR code", { exact: true }).click();
  const image = page.getByRole("img", { name: "QR code of the link" });
  await image.waitFor();
  await page.waitForFunction(() =>
    [...document.images].some(({ alt, naturalWidth }) => alt === "QR code of the link" && naturalWidth > 0),
  );
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the QR code" }).click();
  expect((await started).suggestedFilename()).toBe(`${slug}.svg`);
  await context.close();
});
