// Paths among the files beside a version lead where they do on GitHub Pages.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Artifact } from "@plinth/contract/schemas/artifact";
import { closeThreads } from "@plinth/domain/threads/pool";
import type { TestPerson } from "@plinth/domain/test/context";

import { createService, origin, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let project: string;
let site: Artifact;
let files: { path: string; sha256: string }[];

const texts = {
  "style.css": "p { color: red }",
  "about.html": '<h1>About</h1><a href="index.html">Home</a>',
  "guide/index.html": "<h1>Guide</h1>",
  "a b/index.html": "<h1>Spaced</h1>",
  "404.html": "<h1>Nothing here</h1>",
};
const content = '<h1>Home</h1><a href="guide/">Guide</a>';

beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person({ plan: "team" });
  project = (await service.setup.project(owner.token)).slug;
  files = [];
  for (const [path, text] of Object.entries(texts)) {
    const sha256 = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    await service.ask("PUT", `/api/files/${sha256}`, { as: owner.token, body: new TextEncoder().encode(text) });
    files.push({ path, sha256 });
  }
  site = await service.setup.publish(owner.token, project, { type: "html", content, files });
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

/** Status, the place that is redirected to or the heading, as a frame asks for it. */
async function open(root: string, path: string, headers: Record<string, string> = { "sec-fetch-dest": "iframe" }) {
  const answer = await service.ask("GET", root + path, { headers });
  const location = answer.headers.get("location");
  const text = await answer.text();
  const heading = /<h1>([^<]*)<\/h1>/.exec(text)?.[1];
  const script = text.includes('<script>location.replace(location.pathname + "/"') ? "→ with a slash" : undefined;
  return `${answer.status} ${location?.replace(origin + root, "→ ") ?? script ?? heading ?? ""}`.trim();
}

const cases = [
  ["", "200 Home"],
  ["index.html", "200 Home"],
  ["index.html?x=1", "200 Home"],
  ["about.html", "200 About"],
  ["about", "200 About"],
  ["guide/", "200 Guide"],
  ["guide/index.html", "200 Guide"],
  ["guide", "200 → with a slash"],
  ["a%20b", "200 → with a slash"],
  ["a%20b/", "200 Spaced"],
  ["missing", "404 Nothing here"],
  ["guide/missing/", "404 Nothing here"],
  ["%zz", "404"],
] as const;

describe("a public document that is an index page", () => {
  test.each(cases)("at %j is %s", async (path, outcome) => {
    expect(await open(`/_content/p/${site.artifactId}/1/files/`, path)).toBe(outcome);
  });

  test("what is no page of a frame is the file alone, and 404 without the page for what is missing", async () => {
    const root = `/_content/p/${site.artifactId}/1/files/`;
    const fetched = { "sec-fetch-dest": "empty" };
    expect([await open(root, "guide/", fetched), await open(root, "missing", fetched)]).toEqual(["200 Guide", "404"]);
    expect(await open(root, "guide?tab=2", fetched)).toBe("302 → guide/?tab=2");
    expect(await open(root, "a%20b", fetched)).toBe("302 → a%20b/");
    const page = await service.ask("GET", `${root}guide/`, { headers: fetched });
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await page.text()).toBe("<h1>Guide</h1>");
    const missing = await service.ask("GET", `${root}missing`, { headers: { "sec-fetch-dest": "iframe" } });
    expect(missing.headers.get("content-security-policy")).toContain("sandbox allow-scripts");
  });

  test("its page is no page by itself: a reader who opens one is led to the artifact", async () => {
    const opened = await service.ask("GET", `/_content/p/${site.artifactId}/1/files/index.html`, {
      headers: { "sec-fetch-dest": "document" },
    });
    expect([opened.status, opened.headers.get("location")]).toEqual([302, `${site.url}?v=1`]);
  });

  test("its pages know which links lead to it", async () => {
    const headers = { "sec-fetch-dest": "iframe" };
    const page = await service.ask("GET", `/_content/p/${site.artifactId}/1/files/guide/`, { headers });
    const [, written = ""] = /data-files="([^"]*)"/.exec(await page.text()) ?? [];
    const known = JSON.parse(written.replaceAll("&quot;", '"')) as { index: string | null; paths: string[] };
    expect([known.index, known.paths.toSorted()]).toEqual(["", Object.keys(texts).toSorted()]);
  });
});

test("a private document: the same by its ticket, and nothing by its public address", async () => {
  const access = { publicView: false, publicEdit: false };
  const hidden = await service.setup.publish(owner.token, project, { type: "html", content, files, access });
  const { url } = await service.setup.call("artifact.ticket", { artifactId: hidden.artifactId }, { as: owner.token });
  const redirect = await service.ask("GET", url.slice(origin.length));
  const root = (redirect.headers.get("location") ?? "").slice(origin.length);
  for (const [path, outcome] of cases) expect([path, await open(root, path)]).toEqual([path, outcome]);
  for (const [path] of cases)
    expect([path, await open(`/_content/p/${hidden.artifactId}/1/files/`, path)]).toEqual([path, "404"]);
});

test("a document in a folder of its files, and one that is no index page", async () => {
  const moved = await service.setup.publish(owner.token, project, {
    type: "html",
    content,
    files: files.map(({ path, sha256 }) => ({ path: `out/${path}`, sha256 })),
    documentPath: "out/index.html",
  });
  const root = `/_content/p/${moved.artifactId}/1/files/`;
  for (const [path, outcome] of [
    ["out", "200 → with a slash"],
    ["out/", "200 Home"],
    ["out/index.html", "200 Home"],
    ["out/x", "404 Nothing here"],
    ["", "404 Nothing here"],
  ] as const)
    expect([path, await open(root, path)]).toEqual([path, outcome]);
  const page = await service.setup.publish(owner.token, project, {
    type: "html",
    content,
    files: files.filter(({ path }) => path !== "404.html"),
    sourcePath: "other.html",
  });
  const other = `/_content/p/${page.artifactId}/1/files/`;
  expect([await open(other, ""), await open(other, "index.html"), await open(other, "about")]).toEqual([
    "200 Home",
    "404",
    "200 About",
  ]);
});
