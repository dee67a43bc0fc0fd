// A token that opens no share link gets the page for broken links, with any text in its place.
import { beforeAll, expect, test } from "bun:test";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { project, standInApi } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
let web: WebHandler;
beforeAll(async () => {
  await ensureBuilt();
  const api = standInApi({ project: project(), artifacts: [] });
  web = await createWebHandler({ api: api.fetch, publicUrl, version: "1" });
}, 120_000);

test.each(["pls_abc%E2%80%8B", "pls_abc%0Adef", "pls_%00", "pls_%F0%9F%94%97"])(
  "/share/%s is not found: no header could carry that",
  async (token) => {
    const request = new Request(`${publicUrl}/share/${token}`, { headers: { accept: "text/html" } });
    const answer = await web(request, { clientAddress: "203.0.113.9" });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await answer.text()).toContain("This link isn't valid.");
  },
);

test("a link opens with the sign after it that a mail or a chat took for a part of it", async () => {
  const tokens: (string | null)[] = [];
  const opening = await createWebHandler({
    api: (request) => {
      tokens.push(request.headers.get("x-share-token"));
      return Promise.resolve(Response.json({ url: "/ada/notes/report" }));
    },
    publicUrl,
    version: "1",
  });
  for (const sign of ["", ".", ")", ",", "%20", "%3E", "%22", ".)", "%E2%80%9D"]) {
    const request = new Request(`${publicUrl}/share/pls_abc${sign}`, { headers: { accept: "text/html" } });
    const answer = await opening(request, { clientAddress: "203.0.113.9" });
    expect([sign, answer.status, answer.headers.get("location")]).toEqual([sign, 303, "/ada/notes/report"]);
  }
  expect(new Set(tokens)).toEqual(new Set(["pls_abc"]));
});
