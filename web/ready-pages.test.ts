// Public artifact pages that were rendered once: the same page for all readers, until anything in it changes.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { createClient, ProblemError, type Read } from "@plinth/contract/client";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { brotliDecompressSync } from "node:zlib";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, project, standInApi } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const path = "/ada/notes/report";
let shown: Artifact;
let reads: string[];
let web: WebHandler;
let unprepared: WebHandler;

beforeAll(() => ensureBuilt(), 120_000);
beforeEach(async () => {
  shown = artifact({ slug: "report", title: "Latency", latestVersion: 3 });
  reads = [];
  const api = () => standInApi({ project: project(), artifacts: [shown] }).fetch;
  const read: Read = async (name, input, headers) => {
    reads.push(name);
    const client = createClient({ baseUrl: publicUrl, fetch: api(), headers: Object.fromEntries(headers) });
    return client.call(name, input).then(
      (value) => ({ value }) as never,
      (error: unknown) => {
        if (!(error instanceof ProblemError)) throw error;
        return { problem: error.problem, retryAfterSeconds: null };
      },
    );
  };
  const asked = (request: Request) => api()(request);
  web = await createWebHandler({ api: asked, read, publicUrl, version: "1.2.3" });
  unprepared = await createWebHandler({ api: asked, publicUrl, version: "1.2.3" });
});

const get = (headers: Record<string, string> = {}, address = path) =>
  web(new Request(publicUrl + address, { headers: { accept: "text/html", ...headers } }), {
    clientAddress: "203.0.113.9",
  });
/** The same page as it is rendered for one visitor. */
const render = () =>
  unprepared(new Request(publicUrl + path, { headers: { accept: "text/html" } }), { clientAddress: "203.0.113.9" });
const withoutNonce = (html: string) => html.replaceAll(/ nonce="[^"]+"/g, "");

test("the page is byte for byte what would be rendered, and is rendered once", async () => {
  const rendered = await render();
  const [first, second] = [await get(), await get()];
  expect(await first.text()).toBe(withoutNonce(await rendered.text()));
  expect(first.headers.get("etag")).toBe(second.headers.get("etag"));
  // One read for each reader decides who may see it.
  expect(reads.filter((name) => name === "artifact.getByPath")).toHaveLength(2);
  const differing = new Set(["content-security-policy", "content-length", "etag", "vary", "x-request-id"]);
  const others = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => !differing.has(name)));
  expect(others(second)).toEqual(others(rendered));
});

test("its one inline script is allowed by its hash, and no other", async () => {
  const page = await get();
  const html = await page.text();
  const policy = page.headers.get("content-security-policy") ?? "";
  const [, inline = ""] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
  const hash = new Bun.CryptoHasher("sha256").update(inline).digest("base64");
  expect(policy).toContain(`script-src ${publicUrl}/_app/immutable/ 'sha256-${hash}';`);
  expect(policy).not.toContain("nonce");
  expect(html).not.toContain("nonce=");
  expect(html.match(/<script>/g)).toHaveLength(1);
});

test.each<readonly [string, Partial<Artifact>]>([
  ["a title", { title: "Throughput" }],
  ["a version", { latestVersion: 4 }],
  ["a description", { description: "Of the last month" }],
  ["the author", { latestBy: { type: "user", id: "usr_2", label: "grace" } }],
])("%s that changes is another page", async (_, change) => {
  const before = await get();
  shown = { ...shown, ...change };
  const after = await get();
  expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  expect(await after.text()).toBe(withoutNonce(await (await render()).text()));
});

test("what is no longer public is gone for the next reader", async () => {
  expect((await get()).status).toBe(200);
  shown = { ...shown, access: { publicView: false, publicEdit: false } };
  const page = await get();
  expect(page.headers.get("content-security-policy")).toContain("nonce-");
  expect(page.headers.get("etag")).toBeNull();
});

test("readers who have it get 304, and a compressed form where they take one", async () => {
  const page = await get({ "accept-encoding": "gzip, br" });
  const etag = page.headers.get("etag") ?? "";
  expect([page.headers.get("content-encoding"), page.headers.get("vary")]).toEqual([
    "br",
    "Accept, Accept-Language, Accept-Encoding",
  ]);
  const html = brotliDecompressSync(await page.bytes()).toString();
  expect(html).toBe(await (await get()).text());
  const zipped = await get({ "accept-encoding": "br;q=0, gzip" });
  expect(zipped.headers.get("content-encoding")).toBe("gzip");
  expect(new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes()))).toBe(html);
  const again = await get({ "if-none-match": etag });
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
});

test("another version, the source, text and signed-in readers are not answered from it", async () => {
  await get();
  for (const [headers, address] of [
    [{}, `${path}?v=2`],
    [{}, `${path}?view=source`],
    [{ cookie: "plinth_session=x" }, path],
  ] as const) {
    const page = await get(headers, address);
    expect([address, page.status, page.headers.get("etag")]).toEqual([address, 200, null]);
  }
  expect((await get({ accept: "text/markdown" })).headers.get("content-type")).not.toContain("text/html");
});

test("each language has its own page, and a reader whose only cookie is the language gets it too", async () => {
  const inGerman = await get({ "accept-language": "de" });
  const inEnglish = await get({ "accept-language": "en" });
  expect(await inGerman.text()).toContain('<html lang="de">');
  expect(await inEnglish.text()).toContain('<html lang="en">');
  const chosen = await get({ cookie: "language=de", "accept-language": "en" });
  expect(chosen.headers.get("etag")).toBe(inGerman.headers.get("etag"));
  expect(chosen.headers.get("etag")).not.toBe(inEnglish.headers.get("etag"));
});

test("each answer has the request id of its request", async () => {
  await get();
  const page = await get({ "x-request-id": "abcdefgh-12" });
  expect(page.headers.get("x-request-id")).toBe("abcdefgh-12");
});
