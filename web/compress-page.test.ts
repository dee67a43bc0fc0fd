import { expect, test } from "bun:test";
import { compressPage } from "./compress-page.ts";

const asking = (accepted: string) => new Request("http://x", { headers: { "accept-encoding": accepted } });
const page = (text: string, type = "text/html; charset=utf-8") =>
  new Response(text, { headers: { "content-type": type, "content-length": String(text.length), vary: "Accept" } });
const long = "<p>words</p>".repeat(500);

test("a page is sent compressed as the browser accepts it, and says on what that depends", async () => {
  const zstd = await compressPage(asking("gzip, zstd"), page(long));
  expect(Object.fromEntries(zstd.headers)).toMatchObject({
    "content-encoding": "zstd",
    vary: "Accept, Accept-Encoding",
  });
  const bytes = await zstd.bytes();
  expect(zstd.headers.get("content-length")).toBe(String(bytes.length));
  expect(Buffer.from(Bun.zstdDecompressSync(bytes)).toString()).toBe(long);
  const gzip = await compressPage(asking("gzip"), page(long));
  expect(Buffer.from(Bun.gunzipSync(await gzip.bytes())).toString()).toBe(long);
  const plain = await compressPage(asking("identity"), page(long));
  expect([plain.headers.get("content-encoding"), plain.headers.get("vary")]).toEqual([null, "Accept, Accept-Encoding"]);
});

test("what is short, is no page, or has a status without a body stays as it is", async () => {
  const unchanged = [page("<p>short</p>"), page(long, "text/markdown"), new Response(null, { status: 303 })];
  for (const answer of unchanged)
    expect((await compressPage(asking("gzip"), answer)).headers.get("content-encoding")).toBeNull();
});
