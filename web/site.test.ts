// The operator's name, paragraph and logo in place of Plinth's own.
import { beforeAll, expect, test } from "bun:test";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, profile, project, standInApi } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const api = standInApi({ project: project(), artifacts: [artifact({ slug: "report" })], profile: profile() });
const body = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const site = {
  name: "Acme <Papers>",
  about: "Reports of Acme & friends.",
  logo: { type: "image/svg+xml", body },
} as const;
let own: WebHandler;
let plain: WebHandler;

beforeAll(async () => {
  await ensureBuilt();
  const options = { api: api.fetch, publicUrl, version: "1" };
  own = await createWebHandler({ ...options, site });
  plain = await createWebHandler(options);
}, 120_000);

const get = (web: WebHandler, path: string, method = "GET") =>
  web(new Request(publicUrl + path, { method, headers: { accept: "text/html" } }), { clientAddress: "203.0.113.9" });
const logoOf = (html: string) => /<img src="([^"]+)" alt=""/.exec(html)?.[1];

test.each(["/", "/login", "/search", "/ada/notes", "/ada/notes/report", "/docs", "/nothing/here/at/all"])(
  "%s has the name, escaped, and the logo",
  async (path) => {
    const html = await (await get(own, path)).text();
    expect(/<title>([^<]*)<\/title>/.exec(html)?.[1]).toEndWith(" · Acme &lt;Papers>");
    expect(logoOf(html)).toStartWith("/_app/immutable/logo-");
    expect(html).not.toContain("<Papers>");
  },
);

test("the landing page has the paragraph", async () => {
  const html = await (await get(own, "/")).text();
  expect(html).toContain("Reports of Acme &amp; friends.</p>");
  expect(html).toContain('name="description" content="Reports of Acme &amp; friends."');
  expect(html).toContain('property="og:site_name" content="Acme &lt;Papers>"');
});

test("the logo is an image, and no document with rights of this origin", async () => {
  const address = logoOf(await (await get(own, "/")).text()) ?? "";
  const answer = await get(own, address);
  expect(Object.fromEntries(answer.headers)).toEqual({
    "cache-control": "public, max-age=31536000, immutable",
    "content-length": String(body.byteLength),
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    "content-type": "image/svg+xml",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(body);
  const head = await get(own, address, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await get(plain, address)).status).toBe(404);
});

test("an instance without them is called Plinth", async () => {
  const html = await (await get(plain, "/")).text();
  expect(html).toContain(" · Plinth</title>");
  expect(logoOf(html)).toBeUndefined();
});
