// Responses to programs at the URLs of pages: the text in a page, links to its other forms, lists as markdown, and
// instructions after a refusal.
import { beforeAll, describe, expect, test } from "bun:test";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { textOfHtml } from "./src/lib/server/document-text.ts";
import { refusalForm } from "./src/lib/server/for-programs.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, project, standInApi } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const hostile = "# Report\n\n</noscript><script>alert(1)</script>\n";
const sources: Record<string, { readonly type: string; readonly text: string }> = {
  report: { type: "text/markdown", text: hostile },
  page: { type: "text/html", text: "<title>No</title><script>x()</script><h1>Sales</h1><p>1 &lt; 2</p>" },
  long: { type: "text/markdown", text: "word ".repeat(20_000) },
};
const api = standInApi({
  project: project(),
  artifacts: Object.keys(sources).map((slug) => artifact({ slug })),
});
let web: WebHandler;

beforeAll(async () => {
  await ensureBuilt();
  const answer = async (request: Request): Promise<Response> => {
    const slug = /%2F(\w+)\/content/.exec(request.url)?.[1] ?? "";
    const source = sources[slug];
    if (source === undefined) return api.fetch(request);
    const [, last = ""] = /^bytes=0-(\d+)$/.exec(request.headers.get("range") ?? "") ?? [];
    const bytes = new TextEncoder().encode(source.text);
    const part = bytes.subarray(0, Number(last) + 1);
    const headers = { "content-type": source.type, "content-range": `bytes 0-${part.length - 1}/${bytes.length}` };
    return new Response(part, { status: 206, headers });
  };
  web = await createWebHandler({ api: answer, publicUrl, version: "1" });
}, 120_000);

const get = (path: string, headers: Record<string, string> = {}) =>
  web(new Request(publicUrl + path, { headers }), { clientAddress: "" });

const textIn = (html: string) => /<noscript>[^]*?<pre[^>]*>([^]*?)<\/pre>/.exec(html)?.[1];

describe("the page of an artifact", () => {
  test("has the text of its document, escaped, for visitors without a cookie", async () => {
    const html = await (await get("/ada/notes/report")).text();
    expect(textIn(html)).toContain("# Report\n\n&lt;/noscript>&lt;script>alert(1)&lt;/script>");
    expect(html).not.toContain("<script>alert(1)");
    expect(html.match(/<\/noscript>/g)?.length).toBe(html.match(/<noscript>/g)?.length);
    expect(textIn(await (await get("/ada/notes/report", { cookie: "a=b" })).text())).toBeUndefined();
  });

  test("has of html what a reader sees, and of a long text the beginning", async () => {
    expect(textIn(await (await get("/ada/notes/page")).text())).toBe("Sales\n1 &lt; 2");
    const html = await (await get("/ada/notes/long")).text();
    expect(textIn(html)?.length).toBe(16_000);
    expect(html).toContain("This is the beginning.");
  });

  test("links its other forms and the guides, as do the source and the lists", async () => {
    const url = `${publicUrl}/ada/notes/report`;
    for (const headers of [{}, { accept: "text/markdown" }] as Record<string, string>[]) {
      const link = (await get("/ada/notes/report", headers)).headers.get("link") ?? "";
      expect(link).toContain(`<${url}>; rel="alternate"; type="text/markdown"`);
      expect(link).toContain(`<${publicUrl}/api/by-path/ada/notes/report>; rel="alternate"; type="application/json"`);
      expect(link).toContain(`<${publicUrl}/llms.txt>; rel="describedby"`);
      expect(link).toContain(`<${publicUrl}/api/openapi.json>; rel="service-desc"`);
      expect(link).toContain(`<${publicUrl}/SKILL.md>; rel="help"`);
    }
    expect((await get("/ada/notes")).headers.get("link")).toContain(`<${publicUrl}/api/by-path/ada/notes>;`);
    expect((await get("/ada")).headers.get("link")).toContain(`<${publicUrl}/ada>; rel="alternate"`);
  });
});

test("an owner as markdown is a list by project", async () => {
  const answer = await get("/ada", { accept: "text/markdown" });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
  const text = await answer.text();
  expect(text).toStartWith(`# ada\n\n## [notes](${publicUrl}/ada/notes)\n\n- [`);
  expect(text.match(/^- /gm)).toHaveLength(3);
  expect((await get("/nobody", { accept: "text/markdown" })).status).toBe(404);
});

describe("a refusal", () => {
  const paths = ["/ada/notes/none", "/ada/none", "/nobody", "/no/such/page"];

  test.each([
    ["text/markdown", "text/markdown; charset=utf-8"],
    ["*/*", "text/plain; charset=utf-8"],
  ])("to Accept: %s is one text that says how to go on", async (accept, type) => {
    const texts = new Set<string>();
    for (const path of paths) {
      const answer = await get(path, { accept, "x-request-id": "abcdefgh-9" });
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 404, type]);
      expect(answer.headers.get("x-request-id")).toBe("abcdefgh-9");
      texts.add(await answer.text());
    }
    expect(texts.size).toBe(1);
    const [text = ""] = texts;
    for (const said of [
      "authorization: Bearer",
      "/api/by-path/",
      "x-share-token",
      "/llms.txt",
      "/mcp",
      "/settings/keys",
    ])
      expect(text).toContain(said);
  });

  test("to Accept: application/json is a problem with the same advice", async () => {
    const answer = await get("/ada/notes/none", { accept: "application/json" });
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({
      status: 404,
      code: "not_found",
      hint: expect.stringContaining("/llms.txt"),
    });
  });

  test("of a page for people who are signed in is 401 to programs, and leads browsers to sign in", async () => {
    for (const accept of ["text/markdown", "application/json"]) {
      const answer = await get("/settings/keys", { accept });
      expect([accept, answer.status]).toEqual([accept, 401]);
      expect(await answer.text()).toContain("/llms.txt");
    }
    for (const accept of ["text/html", "*/*"]) expect((await get("/settings/keys", { accept })).status).toBe(303);
  });

  test("to a browser is a page", async () => {
    for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "text/html, application/json"])
      expect((await get("/ada/notes/none", { accept })).headers.get("content-type")).toStartWith("text/html");
    expect(refusalForm("image/avif,image/webp,*/*;q=0.8")).toBeNull();
  });
});

test("text of html: hostile markup ends, and is read in a time that its length decides", () => {
  expect(textOfHtml("<p>a<!-- b")).toBe("a");
  expect(textOfHtml("<ul><li>a</li><li>b &amp; c</li></ul><style>x{}</style>")).toBe("a\nb & c");
  expect(textOfHtml(`a${"<".repeat(60_000)}`)).toBe("a");
  expect(textOfHtml("<script>".repeat(8_000))).toBe("");
});
