// The pages of the documentation as the built web app answers them: the same bytes for everyone, compressed, with an
// ETag, also as Markdown, and a search that needs no script.
import { beforeAll, expect, test } from "bun:test";

import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";

const publicUrl = "https://plinth.test";
let web: WebHandler;
/** Requests that pages made of the API. */
const asked: string[] = [];

beforeAll(async () => {
  await ensureBuilt();
  const api = async (request: Request) => {
    asked.push(request.url);
    return new Response(null, { status: 503 });
  };
  web = await createWebHandler({ api, publicUrl, version: "1" });
}, 120_000);

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  web(new Request(publicUrl + path, { method, headers: { accept: "text/html", ...headers } }), { clientAddress: "" });

test("a page is the same for everyone, and asks the API nothing", async () => {
  const one = await get("/docs/first-steps");
  const other = await get("/docs/first-steps", {
    cookie: "__Host-plinth_session=x",
    "user-agent": "Mozilla/5.0 (Macintosh)",
  });
  expect(await other.text()).toBe(await one.text());
  expect(other.headers.get("etag")).toBe(one.headers.get("etag"));
  expect(one.headers.get("cache-control")).toBe("public, no-cache");
  expect(one.headers.get("vary")).toBe("Accept, Accept-Language, Accept-Encoding");
  expect(one.headers.get("set-cookie")).toBeNull();
  expect(asked).toEqual([]);
});

test("a page is compressed, and not sent again to a browser that has it", async () => {
  const plain = await get("/docs/cli/general");
  const [whole, tag] = [(await plain.bytes()).byteLength, plain.headers.get("etag") ?? ""];
  const small = await get("/docs/cli/general", { "accept-encoding": "gzip, br" });
  expect(small.headers.get("content-encoding")).toBe("br");
  expect((await small.bytes()).byteLength).toBeLessThan(whole / 4);
  expect((await get("/docs/cli/general", { "if-none-match": tag })).status).toBe(304);
  const head = await get("/docs/cli/general", {}, "HEAD");
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, String(whole), ""]);
});

test("a page names its text by a link, and is Markdown with `.md` or for a program that asks for it", async () => {
  for (const [page, text] of [
    ["/docs", "/docs/index.md"],
    ["/docs/share", "/docs/share.md"],
    ["/docs/errors/not_found", "/docs/errors/not_found.md"],
  ] as const) {
    const shown = await get(page);
    expect(shown.headers.get("link")).toContain(`<${publicUrl}${text}>; rel="alternate"; type="text/markdown"`);
    expect(await shown.text()).toContain(`<link rel="alternate" type="text/markdown" href="${text}"`);
    const answers = [await get(text), await get(page, { accept: "text/markdown" })];
    for (const answer of answers) {
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
      expect(await answer.text()).toStartWith("# ");
    }
  }
});

test("the front page is Markdown at `/docs.md` too", async () => {
  expect(await (await get("/docs.md")).text()).toBe(await (await get("/docs/index.md")).text());
});

test("examples name this instance", async () => {
  for (const accept of ["text/html", "text/markdown"]) {
    const text = await (await get("/docs/first-steps", { accept })).text();
    expect(text).toContain(`${publicUrl}/install.sh`);
    expect(text).not.toContain("plinth.example.com");
  }
});

test("a page that does not exist is not found, also as text", async () => {
  for (const path of ["/docs/nothing", "/docs/errors/nothing", "/docs/errors/constructor", "/docs/nothing.md"])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test("the search answers without script, marks what it found and escapes what was typed", async () => {
  const found = await (await get("/docs/search?q=retention")).text();
  expect(found).toContain('href="/docs/concepts#retention"');
  expect(found).toContain("<mark>");
  const hostile = await (await get(`/docs/search?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`)).text();
  expect(hostile).not.toContain("<img");
  expect((await get("/docs/search")).status).toBe(200);
  expect((await get(`/docs/search?q=${"word%20".repeat(500)}`)).status).toBe(200);
});

test("every page works without script: its links are in the HTML, and the page before and after is named", async () => {
  const html = await (await get("/docs/concepts")).text();
  expect(html).toContain('href="/docs/rest/artifact"');
  expect(html).toContain('rel="prev"');
  expect(html).toContain('rel="next"');
  expect(html).toContain('href="#retention"');
  expect(html.match(/<script src/g)).toHaveLength(1);
});

test("the frame is in the reader's language and says that the text is in English", async () => {
  for (const headers of [{ "accept-language": "de-AT,de;q=0.9" }, { cookie: "language=de" }]) {
    const html = await (await get("/docs/concepts", headers)).text();
    expect(html).toContain('<html lang="de">');
    expect(html).toContain("Auf dieser Seite");
    expect(html).toContain("nur auf Englisch");
    expect(html).toMatch(/<article [^>]*lang="en"/);
  }
  expect(await (await get("/docs/concepts", { "accept-language": "fr" })).text()).toContain("On this page");
});
