// The embed page as bytes: what is in it, what its policy allows, and that neither a cookie nor a title changes that.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { FRAME_SANDBOX } from "@plinth/contract/frame";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, project, standInApi } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const contentOrigin = "https://content.example";
const path = "/embed/ada/notes/report";
let api: ReturnType<typeof standInApi>;
let web: WebHandler;

beforeAll(() => ensureBuilt(), 120_000);
const serve = async (given: Partial<Artifact> = {}) => {
  const shown = artifact({ slug: "report", title: "Latency", latestVersion: 3, ...given });
  api = standInApi({ project: project(), artifacts: [{ ...shown, url: `${publicUrl}/ada/notes/report` }] });
  web = await createWebHandler({ api: api.fetch, publicUrl, contentOrigin, version: "1" });
};
beforeEach(() => serve());

const get = (headers: Record<string, string> = {}, address = path) =>
  web(new Request(publicUrl + address, { headers: { accept: "text/html", ...headers } }), { clientAddress: "" });

test("the page is a frame and a line, in 2 KB of script at most", async () => {
  const html = await (await get()).text();
  const [, script = ""] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
  console.info(`the embed page: ${html.length} bytes of HTML, ${script.length} of them script`);
  expect(script.length).toBeGreaterThan(300);
  expect(script.length).toBeLessThanOrEqual(2048);
  expect(html.length).toBeLessThanOrEqual(4096);
  expect(html).not.toMatch(/_app|<form|<button|<input|\bon\w+=|javascript:/);
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect(html).toContain('<link rel="canonical" href="https://plinth.example/ada/notes/report">');
  expect(html).toContain(
    '<a href="https://plinth.example/ada/notes/report" target="_blank" rel="noopener"><bdi>Latency</bdi>' +
      "<span> · on plinth.example</span></a>",
  );
});

test("its policy allows one script, one style and the frame, by their hashes, in an opaque origin", async () => {
  const page = await get();
  const html = await page.text();
  const hashOf = (tag: string) => {
    const [, text = ""] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html) ?? [];
    return new Bun.CryptoHasher("sha256").update(text).digest("base64");
  };
  expect(page.headers.get("content-security-policy")).toBe(
    "sandbox allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox; default-src 'none'; " +
      `style-src 'sha256-${hashOf("style")}'; script-src 'sha256-${hashOf("script")}'; ` +
      `frame-src ${contentOrigin}/_content/e/; base-uri 'none'; form-action 'none'`,
  );
});

test.each(["md", "html", "jsx"] as const)("the frame of %s has the sandbox of the artifact's page", async (type) => {
  await serve({ type });
  const html = await (await get()).text();
  expect(html).toContain(
    `<iframe src="${contentOrigin}/_content/e/art_report/3" title="Latency" data-type="${type}" ` +
      `data-base="${publicUrl}/ada/notes/report" sandbox="${FRAME_SANDBOX[type].join(" ")}" allow="" ` +
      'referrerpolicy="no-referrer"></iframe>',
  );
});

test("a title, and a path, are text", async () => {
  await serve({ title: `"><script>alert('1')</script>`, sourcePath: `guide/"><b>.md` });
  const html = await (await get()).text();
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toContain("<b>");
  expect(html).toContain("&quot;&gt;&lt;script&gt;alert(");
});

test("no cookie is read: the API gets none, and the language is that of the browser", async () => {
  const plain = await get();
  const brought = await get({
    cookie: "plinth_session=x; language=de",
    "x-share-token": "pls_x",
    authorization: "Bearer x",
  });
  expect(await brought.text()).toBe(await plain.text());
  expect(brought.headers.get("etag")).toBe(plain.headers.get("etag"));
  for (const { headers } of api.asked)
    expect(["cookie", "authorization", "x-share-token"].filter((name) => headers.has(name))).toEqual([]);
  expect(await (await get({ "accept-language": "de" })).text()).toContain("· auf plinth.example");
});

test("of one version, and of none that there is", async () => {
  const old = await get({}, `${path}?v=2`);
  const html = await old.text();
  expect(html).toContain(`src="${contentOrigin}/_content/e/art_report/2"`);
  expect(html).toContain('<a href="https://plinth.example/ada/notes/report?v=2"');
  for (const version of ["4", "0", "x", "", "1e1", "99999999999"])
    expect([version, (await get({}, `${path}?v=${version}`)).status]).toEqual([version, 404]);
});

test("what is missing and what fails are a page of one sentence", async () => {
  const missing = await get({}, "/embed/ada/notes/nothing");
  expect([missing.status, await missing.text()]).toEqual([
    404,
    expect.stringContaining("This document isn't available."),
  ]);
  const down = await get({}, "/embed/ada/notes/down");
  expect([down.status, await down.text()]).toEqual([503, expect.stringContaining("Try again in a moment.")]);
  for (const answer of [missing, down]) {
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toStartWith("sandbox ");
    expect(answer.headers.get("content-security-policy")).not.toMatch(/frame-ancestors|script-src|frame-src/);
  }
});
