// The budgets of docs/reference/experience.md §4, held against what the built pages really load.
import { beforeAll, expect, test } from "bun:test";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, profile, project, standInApi, workspace } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const api = standInApi({
  project: project(),
  artifacts: [artifact({ slug: "report" })],
  profile: profile({ workspaces: [workspace()] }),
});
let web: WebHandler;

beforeAll(async () => {
  await ensureBuilt();
  web = await createWebHandler({ api: api.fetch, publicUrl, version: "1" });
}, 120_000);

const get = (path: string, headers: Record<string, string> = {}) =>
  web(new Request(publicUrl + path, { headers: { "accept-encoding": "gzip", ...headers } }), { clientAddress: "" });

/** The HTML of a page, and its bytes on the wire. */
async function read(path: string, headers?: Record<string, string>): Promise<{ html: string; bytes: number }> {
  const page = await get(path, headers);
  expect(page.headers.get("content-encoding")).toBe("gzip");
  const zipped = await page.bytes();
  return { html: new TextDecoder().decode(Bun.gunzipSync(zipped)), bytes: zipped.byteLength };
}

/** What comes with the first press of a key, or of something in a frame, or with the first use of the paste box. */
const onPress = / data-(?:keys|palette|requests|paste|share)="([^"]+)"/g;

/** Gzipped bytes of the scripts and stylesheets a page names, which is all that its first load takes. */
async function weigh(path: string, headers?: Record<string, string>) {
  const page = (await read(path, headers)).html.replace(onPress, "");
  const weight = { js: 0, css: 0 };
  for (const asset of new Set(page.match(/\/_app\/immutable\/[^"']+\.(?:js|css)/g))) {
    const bytes = (await (await get(asset)).bytes()).byteLength;
    weight[asset.endsWith(".css") ? "css" : "js"] += bytes;
  }
  return { page, weight };
}

test.each(["/ada/notes", "/ada", "/search", "/"])("%s, plain HTML, has one small script", async (path) => {
  const { page, weight } = await weigh(path);
  console.info(`${path}: ${weight.js} bytes of script, ${weight.css} of CSS (gzipped)`);
  expect(page.match(/\/_app\/immutable\/[^"']+\.js/g)).toHaveLength(1);
  expect(weight.js).toBeGreaterThan(300);
  expect(weight.js).toBeLessThanOrEqual(2 * 1024);
  expectLittleElse(page, weight);
});

test("what comes with a press is one script for keys, for the search, for what a frame asks and for the paste box", async () => {
  const { html: page } = await read("/");
  const named = [...page.matchAll(onPress)].map(([, address = ""]) => address);
  expect(named).toHaveLength(4);
  const weights = await Promise.all(named.map(async (address) => (await (await get(address)).bytes()).byteLength));
  const [least = 0, middle = 0, paste = 0, most = 0] = weights.toSorted((a, b) => a - b);
  console.info(`keys, what a frame asks, paste box, search: ${least}, ${middle}, ${paste} and ${most} bytes (gzipped)`);
  expect(middle).toBeLessThanOrEqual(3 * 1024);
  expect(paste).toBeLessThanOrEqual(6 * 1024);
  expect(most).toBeLessThanOrEqual(45 * 1024);
});

test("the page of an artifact has one script, a tenth of an app page's", async () => {
  const { page, weight } = await weigh("/ada/notes/report");
  console.info(`an artifact's page: ${weight.js} bytes of script, ${weight.css} of CSS (gzipped)`);
  expect(page.match(/\/_app\/immutable\/[^"']+\.js/g)).toHaveLength(1);
  expect(weight.js).toBeGreaterThan(1_000);
  // It holds the card by which documents open links, save files and copy texts.
  // The frame's own script comes on top (e2e/page-weight.browser.test.ts).
  expect(weight.js).toBeLessThanOrEqual(12 * 1024);
  expectLittleElse(page, weight);
});

test.each(["/dashboard/ada", "/dashboard/ada/p/notes"])("%s stays within the budget of app pages", async (path) => {
  const { page, weight } = await weigh(path, { cookie: "__Host-plinth_session=good" });
  console.info(`${path}: ${weight.js} bytes of script, ${weight.css} of CSS (gzipped)`);
  expect(page).toContain("Sign out");
  expect(weight.js).toBeLessThanOrEqual(110 * 1024);
  expectLittleElse(page, weight);
});

test("the HTML of a dashboard with 42 artifacts is at most 20 KB on the wire", async () => {
  const artifacts = Array.from({ length: 42 }, (_, n) =>
    artifact({
      slug: `report-${n}`,
      title: `Report ${n} of ${Bun.hash(String(n)).toString(36)}`,
      artifactId: `art_${Bun.hash(String(n))}`,
    }),
  );
  const full = standInApi({ project: project(), artifacts, profile: profile({ workspaces: [workspace()] }) });
  const other = await createWebHandler({ api: full.fetch, publicUrl, version: "1" });
  const headers = { "accept-encoding": "gzip", cookie: "__Host-plinth_session=good" };
  const page = await other(new Request(`${publicUrl}/dashboard/ada`, { headers }), { clientAddress: "" });
  const zipped = await page.bytes();
  console.info(`/dashboard/ada with 42 artifacts: ${zipped.byteLength} bytes of HTML (gzipped)`);
  expect(new TextDecoder().decode(Bun.gunzipSync(zipped)).match(/Report \d+ of/g)?.length).toBeGreaterThanOrEqual(42);
  expect(zipped.byteLength).toBeLessThanOrEqual(20 * 1024);
});

function expectLittleElse(page: string, weight: { css: number }): void {
  expect(weight.css).toBeGreaterThan(1_000);
  expect(weight.css).toBeLessThanOrEqual(20 * 1024);
  const fonts = page.match(/href="[^"]+\.woff2"/g) ?? [];
  expect(fonts.length).toBeLessThanOrEqual(2);
  const elsewhere = [...page.matchAll(/(?:src|href)="(https?:\/\/[^"]+)"/g)].map((match) => match[1] ?? "");
  expect(
    elsewhere.filter((address) => !/^https:\/\/plinth\.example|^http:\/\/localhost\/(?:ada|api\/oembed)/.test(address)),
  ).toEqual([]);
}
