import { beforeAll, describe, expect, test } from "bun:test";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, project, standInApi } from "./test/stand-in-api.ts";

const hostile = `</title><script>alert(1)</script>"><img src=x onerror=alert(2)>`;
const api = standInApi({
  project: project({ title: "Field notes", artifactCount: 2 }),
  artifacts: [
    artifact({ slug: "report", title: "Latency", latestVersion: 3 }),
    artifact({
      slug: "secret",
      title: hostile,
      description: "</script><script>alert(3)</script>",
      access: { publicView: false, publicEdit: false },
    }),
  ],
});
const publicUrl = "https://plinth.example";
const peer = { clientAddress: "203.0.113.9" };
let web: WebHandler;

const get = (path: string, headers: Record<string, string> = {}) =>
  web(new Request(publicUrl + path, { headers: { accept: "text/html", ...headers } }), peer);
const html = async (path: string) => (await get(path)).text();

beforeAll(async () => {
  await ensureBuilt();
  web = await createWebHandler({ api: api.fetch, publicUrl, version: "1.2.3" });
}, 120_000);

describe("headers of app pages (docs/reference/security.md §1)", () => {
  test.each(["/", "/ada/notes", "/ada/notes/report", "/ada/notes/secret", "/no/such/page", "/ada/notes/down"])(
    "%s",
    async (path) => {
      const { headers } = await get(path);
      const policy = headers.get("content-security-policy") ?? "";
      const directives = Object.fromEntries(
        policy.split("; ").map((directive) => {
          const [name = "", ...sources] = directive.split(" ");
          return [name, sources];
        }),
      );
      expect(directives["default-src"]).toEqual(["'none'"]);
      expect(directives["frame-src"]).toEqual([`${publicUrl}/_content/`]);
      expect(directives["frame-ancestors"]).toEqual(["'none'"]);
      expect(directives["base-uri"]).toEqual(["'none'"]);
      // The landing page previews a document that a visitor pastes.
      const drafts = path === "/" ? [`${publicUrl}/_content/draft/`] : [];
      expect(directives["form-action"]).toEqual(["'self'", ...drafts]);
      const scripts = directives["script-src"] ?? [];
      expect(scripts[0]).toBe(`${publicUrl}/_app/immutable/`);
      expect(scripts[1]).toMatch(/^'nonce-[A-Za-z0-9+/=]{20,}'$/);
      expect(scripts).toHaveLength(2);
      expect(policy).not.toContain("unsafe-inline");
      expect(policy).not.toContain("unsafe-eval");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("cache-control")).toBe("private, no-cache");
      expect(headers.get("etag")).toBeNull();
    },
  );

  test("every inline script carries its response's nonce", async () => {
    const [first, second] = await Promise.all([get("/ada/notes/report"), get("/ada/notes/report")]);
    const nonce = (response: Response) =>
      response.headers.get("content-security-policy")?.match(/'nonce-([^']+)'/)?.[1];
    expect(nonce(first)).not.toBe(nonce(second));
    const scripts = (await first.text()).match(/<script[^>]*>/g) ?? [];
    const built = scripts.filter((script) => /^<script src="\/_app\/immutable\/[\w./-]+"><?/.test(script));
    const inline = scripts.filter((script) => !built.includes(script));
    expect([built.length, inline.length]).toEqual([1, 1]);
    for (const script of inline) expect(script).toContain(`nonce="${nonce(first)}"`);
  });

  test("user content of another origin is framed from there, and that host serves no page", async () => {
    const contentOrigin = "https://content.example";
    const other = await createWebHandler({ api: api.fetch, publicUrl, contentOrigin, version: "1" });
    const page = await other(new Request(`${publicUrl}/ada/notes/report`), peer);
    expect(page.headers.get("content-security-policy")).toContain(`frame-src ${contentOrigin}/_content/`);
    expect(await page.text()).toContain(`src="${contentOrigin}/_content/p/art_report/3"`);
    expect((await other(new Request(`${contentOrigin}/ada/notes/report`), peer)).status).toBe(404);
  });
});

describe("the artifact page", () => {
  test("frames the steady address of what anyone may see, with a call to the API and one for its text", async () => {
    api.asked.length = 0;
    const page = await html("/ada/notes/report");
    expect(page).toContain(`src="${publicUrl}/_content/p/art_report/3"`);
    expect(page).toContain('sandbox="allow-scripts"');
    expect(page).toContain('allow=""');
    expect(page).toContain('referrerpolicy="no-referrer"');
    expect(page).not.toContain("Skip to content");
    expect(api.asked.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([
      "/api/artifacts/ada%2Fnotes%2Freport/content",
      "/api/by-path/ada/notes/report",
    ]);
    api.asked.length = 0;
    await get("/ada/notes/report", { cookie: "theme=dark" });
    expect(api.asked.map(({ url }) => new URL(url).pathname)).toContain("/api/by-path/ada/notes/report");
    expect(api.asked.filter(({ url }) => url.includes("/content"))).toEqual([]);
  });

  test("frames a ticket's address otherwise, with two", async () => {
    api.asked.length = 0;
    expect(await html("/ada/notes/secret")).toContain(`src="${publicUrl}/_content/ticket-1"`);
    expect(api.asked.filter(({ url }) => !url.includes("/content"))).toHaveLength(2);
  });

  test("names the screenshot of a public artifact, and of no other", async () => {
    const image = '<meta property="og:image" content="http://localhost/api/artifacts/art_report/thumbnail"';
    const card = (kind: string) => `<meta name="twitter:card" content="${kind}"`;
    const page = await html("/ada/notes/report");
    expect([page.includes(image), page.includes(card("summary_large_image"))]).toEqual([true, true]);
    for (const path of ["/ada/notes/report?v=2", "/ada/notes/secret"]) {
      const other = await html(path);
      expect([path, other.includes("og:image"), other.includes(card("summary"))]).toEqual([path, false, true]);
    }
  });

  test("shows an old version and says so", async () => {
    const page = await html("/ada/notes/report?v=2");
    expect(page).toContain("/_content/p/art_report/2");
    expect(page).toContain("You're viewing version 2. The latest is version 3.");
    expect(await html("/ada/notes/report?v=3")).not.toContain("You're viewing version");
  });

  test.each(["4", "0", "x", ""])("?v=%s is not there", async (version) => {
    expect((await get(`/ada/notes/report?v=${version}`)).status).toBe(404);
  });

  test("?chrome=0 leaves the frame alone", async () => {
    expect(await html("/ada/notes/report?chrome=0")).not.toContain("<header");
    expect(await html("/ada/notes/report")).toContain("<header");
  });

  test("hostile titles and descriptions stay text", async () => {
    for (const page of [await html("/ada/notes/secret"), await html("/ada/notes")]) {
      expect(page).not.toContain("<script>alert");
      expect(page).not.toContain("<img src=x");
    }
  });
});

describe("the source at the human address", () => {
  test.each(["text/markdown", "text/plain, text/html;q=0.5"])("Accept: %s", async (accept) => {
    const answer = await get("/ada/notes/report?v=2", { accept });
    expect(await answer.text()).toBe("# version 2");
    expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(answer.headers.get("vary")).toContain("Accept");
  });

  test("is the latest without ?v, and a problem where there is none", async () => {
    expect(await (await get("/ada/notes/report", { accept: "text/plain" })).text()).toBe("# version 3");
    const missing = await get("/ada/notes/none", { accept: "text/markdown", "x-request-id": "abcdefgh-3" });
    expect(missing.status).toBe(404);
    expect(missing.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(missing.headers.get("x-request-id")).toBe("abcdefgh-3");
  });

  test("the page varies by Accept too", async () => {
    expect((await get("/ada/notes/report")).headers.get("vary")).toContain("Accept");
  });
});

describe("what the API is told", () => {
  test("cookie, language, request id and address; never authorization", async () => {
    api.asked.length = 0;
    await get("/ada/notes/report", {
      cookie: "session=1",
      authorization: "Bearer plk_x",
      "accept-language": "de",
      "x-request-id": "abcdefgh-4",
      "x-forwarded-for": "198.51.100.7",
    });
    const sent = api.asked[0]?.headers;
    expect(sent?.get("cookie")).toBe("session=1");
    expect(sent?.get("accept-language")).toBe("de");
    expect(sent?.get("x-request-id")).toBe("abcdefgh-4");
    expect(sent?.get("x-forwarded-for")).toBe("198.51.100.7, 203.0.113.9");
    expect(sent?.get("authorization")).toBeNull();
  });
});

describe("errors", () => {
  test("hidden, missing and malformed are one page", async () => {
    const texts = new Set<string | undefined>();
    for (const path of ["/no/such/page", "/ada/notes/none", "/ada/none", "/nobody"]) {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      // The way back from signing in is the address the visitor gave, and the request is this one.
      const way = `next=${encodeURIComponent(path)}`;
      const requestId = answer.headers.get("x-request-id") ?? "no request id";
      const [main] = (await answer.text()).match(/<main[\s\S]*<\/main>/) ?? [];
      expect(main).toContain(requestId);
      texts.add(main?.replace(way, "next=").replace(requestId, ""));
    }
    expect(texts.size).toBe(1);
  });

  test.each([
    ["/ada/notes/down", 503],
    ["/ada/notes/broken", 500],
  ])("%s says %d and the request's id", async (path, status) => {
    const answer = await get(path, { "x-request-id": "abcdefgh-5" });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-request-id")).toBe("abcdefgh-5");
    expect(await answer.text()).toContain("abcdefgh-5");
  });
});

describe("addresses", () => {
  test("a loopback alias leads to the public address", async () => {
    const answer = await web(new Request("http://127.0.0.1:3000/ada/notes?cursor=x"), peer);
    expect([answer.status, answer.headers.get("location")]).toEqual([307, `${publicUrl}/ada/notes?cursor=x`]);
  });

  test("pages say what the instance is called and the project what is in it", async () => {
    const landing = await html("/");
    expect(landing).toContain(`${publicUrl}/api/artifacts`);
    expect(landing).toContain("Plinth 1.2.3");
    const page = await html("/ada/notes");
    for (const text of ["Field notes", "2 artifacts", "/ada/notes/report", "v3"]) expect(page).toContain(text);
  });
});

describe("client files", () => {
  const script = async () => (await html("/login")).match(/\/_app\/immutable\/entry\/start[^"]+/)?.[0] ?? "";

  test("hashed ones are cached without a limit and sent compressed", async () => {
    const path = await script();
    const plain = await get(path, { "accept-encoding": "identity" });
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(plain.headers.get("content-type")).toStartWith("text/javascript");
    const brotli = await get(path, { "accept-encoding": "gzip, br" });
    expect(brotli.headers.get("content-encoding")).toBe("br");
    expect(brotli.headers.get("vary")).toBe("Accept-Encoding");
    const gzip = await get(path, { "accept-encoding": "gzip, br;q=0" });
    expect(gzip.headers.get("content-encoding")).toBe("gzip");
    expect(Buffer.from(Bun.gunzipSync(await gzip.bytes()))).toEqual(Buffer.from(await plain.bytes()));
  });

  test("others are asked about again by ETag", async () => {
    const icon = await get("/favicon.svg");
    expect(icon.headers.get("cache-control")).toBe("public, no-cache");
    const again = await get("/favicon.svg", { "if-none-match": icon.headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
  });

  test("nothing outside the build is served", async () => {
    for (const path of ["/_app/../server.js", "/_app/%2e%2e/server.js", "/_app/immutable/none.js", "/server.js"]) {
      expect((await get(path)).status).toBe(404);
    }
  });
});

test("what an artifact's page is made of is written down for no client", async () => {
  const data = await (await get("/ada/notes/report/__data.json")).text();
  expect(data).toContain("ServerOnly");
  expect(data).not.toContain("Latency");
});
