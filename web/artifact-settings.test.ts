// The pages of an artifact's settings: the API calls that each makes, and the callers that see it.
import type { Preview } from "@plinth/contract/schemas/artifact";
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, profile, project, standInApi } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const everything = { edit: true, share: true, manageAccess: true, delete: true };
const report = artifact({ slug: "report", title: "As it was", permissions: everything });
const hostile = "</p><script>alert(1)</script>";
const render: Partial<Preview> = {
  thumbnail: "pending",
  warnings: [`A formula is shown as written: ${hostile}`],
  page: { errors: [{ message: hostile, line: 3, column: 7 }], console: [{ level: "warning", text: hostile }] },
};
const api = standInApi({
  project: project(),
  artifacts: [report, artifact({ slug: "other" })],
  profile: profile(),
  render,
});
let web: WebHandler;
beforeAll(async () => {
  await ensureBuilt();
  const answer = async (request: Request): Promise<Response> => {
    if (request.method !== "PATCH") return api.fetch(request);
    return Response.json(Object.assign(report, await request.json()));
  };
  web = await createWebHandler({ api: answer, publicUrl, version: "1" });
}, 120_000);
beforeEach(() => {
  api.asked.length = 0;
});

const send = (path: string, init: RequestInit = {}) => {
  const headers = { accept: "text/html", cookie: "__Host-plinth_session=good", origin: publicUrl };
  return web(new Request(publicUrl + path, { ...init, headers }), { clientAddress: "203.0.113.9" });
};
const asked = () => api.asked.filter(({ url }) => new URL(url).pathname.startsWith("/api/by-path/"));

describe.each(["", "/access", "/links", "/views", "/activity"])("settings%s", (page) => {
  test("a view asks for the artifact once", async () => {
    expect((await send(`/ada/notes/report/settings${page}`)).status).toBe(200);
    expect(asked()).toHaveLength(1);
  });

  test("a caller who does not manage the artifact gets a page that isn't there", async () => {
    expect((await send(`/ada/notes/other/settings${page}`)).status).toBe(404);
  });

  test("a former address leads to the same page at the present one", async () => {
    const answer = await send(`/ada-before/notes/report/settings${page}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([308, `/ada/notes/report/settings${page}`]);
  });
});

test("views are a total, an image with a description, and a table", async () => {
  const page = await (await send("/ada/notes/report/settings/views")).text();
  expect(page).toContain("1,234 views in the last 1 days");
  expect(page).toContain('aria-label="Views by day. The most were 1,234, on 27 November 2026."');
  expect(page.replaceAll(/<!--.*?-->/g, "")).toMatch(
    /<th scope="row"[^>]*>27 November 2026<\/th> *<td[^>]*>1,234<\/td>/,
  );
});

test("the last render is a screenshot, its state, and what the page said, as text", async () => {
  const page = await (await send("/ada/notes/report/settings/rendering")).text();
  expect(page).toContain(`src="/api/artifacts/${report.artifactId}/thumbnail?size=600"`);
  expect(page).toContain("taking the screenshot");
  expect(page).toContain("line 3, column 7");
  expect(page).toContain("A formula is shown as written: ");
  expect(page.split("&lt;/p>&lt;script>alert(1)").length - 1).toBe(3);
  expect(page).not.toContain("<script>alert(1)");
});

test("the page that answers a form shows what the form has changed", async () => {
  const body = new URLSearchParams({ title: "As it is now" });
  const page = await (await send("/ada/notes/report/settings?/details", { method: "POST", body })).text();
  expect(page).toContain("As it is now");
  expect(page).not.toContain("As it was");
});
