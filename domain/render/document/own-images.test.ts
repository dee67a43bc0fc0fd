// The images of the instance in a markdown document: which addresses are kept, how many, and that both headers allow exactly
// what the document shows.
import { describe, expect, test } from "bun:test";
import { array, assert, asyncProperty, constantFrom, oneof, tuple } from "fast-check";

import { contentHeaders } from "../headers/content-headers.ts";
import { renderMarkdown } from "../markdown/renderer.ts";
import { contentDocument } from "./document.ts";
import { collectOwnImages, isImagePath, ownImageLimits } from "./own-images.ts";

const app = "https://plinth.example";
const content = "https://content.example";
const thumbnail = "/api/artifacts/art_1/thumbnail";
const key = "0123456789abcdef".repeat(4);
const runtime = { path: "/_runtime/abc/", modules: [], hash: "", guard: "" };

async function documentOf(source: string) {
  const { html } = await renderMarkdown(source);
  const imageOf = (url: string) => ({ missing: `${url} is of another site` });
  const ownOrigins = new Set([app, content]);
  const parts = { kind: "md", title: "x", html, folderUrl: `${app}/ada/notes/`, ownOrigins, imageOf } as const;
  const made = contentDocument(parts, runtime as never, "N");
  const [, shown = ""] = made.html.split("<main");
  const images = [...shown.matchAll(/ (?:src|srcset)="([^"]*)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));
  return { ...made, shown, images };
}

function headersOf(ownImages: readonly string[]) {
  const headers = contentHeaders({
    type: "md",
    nonce: "N",
    appOrigin: app,
    contentOrigin: content,
    runtimePath: "/_runtime/abc/",
    cdnAllowlist: [],
    publicSteady: false,
    ownUrl: null,
    ownImages,
  });
  const [, sources = ""] = /img-src data: ?([^;]*);/.exec(headers["content-security-policy"] ?? "") ?? [];
  const patterns = [...(headers["connection-allowlist"] ?? "").matchAll(/"([^"]*)"/g)].map(([, one = ""]) => one);
  return {
    policy: sources.split(" ").filter((source) => source !== ""),
    allowlist: patterns.slice(1).map((pattern) => pattern.replaceAll(/\\\\(.)/g, "$1")),
    length: Object.values(headers).join("").length,
  };
}

const isShown = async (image: string) => (await documentOf(image)).images.length === 1;

describe("an image of the instance", () => {
  test.each([
    thumbnail,
    `${app}${thumbnail}`,
    `${thumbnail}?size=600&version=2`,
    "../../api/artifacts/art_1/thumbnail",
    "/api/artifacts/../artifacts/art_1/thumbnail",
    "/ada/notes/report/qr.svg",
    "report/qr.svg?v=2",
    `${app}/ada/notes/report/qr.svg`,
    `/_images/${key}`,
    `${content}/_images/${key}`,
    `${content}/_content/p/art_1/2/files/img/a%20b.PNG`,
  ])("at %s is shown, by markdown and by raw HTML", async (address) => {
    expect(await isShown(`![a](${address})`)).toBe(true);
    expect(await isShown(`<img alt="a" src="${address}">`)).toBe(true);
  });

  test.each([
    "/api/artifacts?q=x1",
    `${app}/api/artifacts?q=x1`,
    "/API/artifacts?q=x1",
    "\\api\\artifacts?q=x1",
    "/api/artifacts/art_1",
    "/api/artifacts/art_1/content",
    "/api/artifacts/art_1/thumbnail/..",
    "/api/artifacts/art_1/thumbnail/%2e%2e/events",
    "/api/artifacts/x/y/thumbnail",
    "/api/search/thumbnail",
    "/ada/notes/report",
    "report",
    "chart.png",
    "/qr.svg",
    "/ada/notes/report/x/qr.svg",
    "/api/artifacts?q=/thumbnail",
    "/api/artifacts?/a/b/c/qr.svg",
    "/api/artifacts#/thumbnail",
    `/_images/${key}0`,
    "/_images/",
    `${content}/_content/p/art_1/2`,
    `${content}/_content/p/art_1/2/files/`,
    `${content}/_content/p/art_1/2/files/a.html`,
    `${content}/_content/p/art_1/2/files/a;b.png`,
    "/auth/logout",
  ])("at %s is its text", async (address) => {
    for (const source of [`![text](${address})`, `<img alt="text" src="${address}">`]) {
      const { images, ownImages, shown } = await documentOf(source);
      expect([images, ownImages]).toEqual([[], []]);
      expect(shown).toContain("text");
    }
  });

  test("of a source for other screens is held to the same rule", async () => {
    const picture = (at: string) =>
      `<picture><source srcset="${app}${at}" media="print"><img src="${app}${thumbnail}" alt="a"></picture>`;
    expect((await documentOf(picture("/api/artifacts?q=x"))).images).toEqual([app + thumbnail]);
    expect((await documentOf(picture("/a/b/c/qr.svg"))).images).toEqual([`${app}/a/b/c/qr.svg`, app + thumbnail]);
  });

  test("has its title and its size where it is shown", async () => {
    const { shown } = await documentOf(`<img width="80" alt="A" src="${thumbnail}?a=1&amp;b=2" title="T">`);
    expect(shown).toContain(`<img src="${app}${thumbnail}?a=1&amp;b=2" width="80" alt="A" title="T" loading="lazy">`);
  });
});

describe("of many images", () => {
  const many = (count: number, at: (number: number) => string) =>
    documentOf(Array.from({ length: count }, (_, number) => `![text](${at(number)})`).join(" "));

  test("a hundred are shown, and the text of the others, by path, query or origin", async () => {
    for (const at of [
      (number: number) => `/api/artifacts/art_${number}/thumbnail`,
      (number: number) => `${thumbnail}?x=${number}`,
      (number: number) => `${number % 2 === 0 ? app : ""}/a/b/c${number}/qr.svg`,
    ]) {
      const { images, shown } = await many(1300, at);
      expect(new Set(images).size).toBe(ownImageLimits.images);
      expect(shown.match(/text/g)?.length).toBe(1300);
    }
  });

  test("the same one is shown each time", async () => {
    const { images, ownImages } = await many(300, () => thumbnail);
    expect([images.length, ownImages]).toEqual([300, [app + thumbnail]]);
  });

  test("searches are none", async () => {
    const { images, ownImages } = await many(1300, (number) => `/api/artifacts?q=x${number}`);
    expect([images, ownImages]).toEqual([[], []]);
  });

  test("long addresses end before the headers are longer than proxies take", async () => {
    const { images, ownImages } = await many(100, (number) => `/${"o".repeat(300)}/p/s${number}/qr.svg`);
    expect(images.length).toBeLessThan(ownImageLimits.images);
    expect(headersOf(ownImages).length).toBeLessThan(30_000);
  });
});

test("both headers allow what the document shows of the instance, and nothing else", async () => {
  const part = constantFrom(
    "api",
    "artifacts",
    "thumbnail",
    "a",
    "b-c",
    "..",
    "%2e",
    "qr.svg",
    "files",
    "_images",
    key,
  );
  const path = array(part, { maxLength: 6 }).map((parts) => `/${parts.join("/")}`);
  const query = constantFrom("", "?q=x", "?size=600", "#part");
  const address = tuple(constantFrom("", app, content, "https://b.example"), path, query).map((parts) =>
    parts.join(""),
  );
  const known = constantFrom(thumbnail, "/a/b/c/qr.svg", `${content}/_images/${key}`, "(a)/x/y/qr.svg");
  await assert(
    asyncProperty(array(oneof(known, address), { maxLength: 12 }), async (addresses) => {
      const { images, ownImages } = await documentOf(addresses.map((one) => `<img alt="a" src="${one}">`).join("\n"));
      const places = new Set(images.map((image) => new URL(image)).map(({ origin, pathname }) => origin + pathname));
      const { policy, allowlist } = headersOf(ownImages);
      expect(new Set(policy)).toEqual(places);
      expect(allowlist).toEqual(policy);
      for (const place of places) expect(isImagePath(new URL(place).pathname)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("the headers refuse an address that no rendering shows", () => {
  for (const bad of [`${app}/api/artifacts`, `${app}/a/b/c/qr.svg?x=1`, `${app}/a/b/c/qr.svg; script-src *`, app])
    expect(() => headersOf([bad])).toThrow();
});

test("a URL of another site is no image of the instance, nor one with a name in it", () => {
  const own = collectOwnImages(new Set([app]));
  expect(own.shown(`https://b.example${thumbnail}`)).toBeNull();
  expect(own.shown(`http://plinth.example${thumbnail}`)).toBeNull();
  expect(own.shown(`https://user@plinth.example${thumbnail}`)).toHaveProperty("missing");
  expect(own.addresses).toEqual([]);
});
