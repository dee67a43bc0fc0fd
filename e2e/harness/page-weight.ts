// The weight of a page in Chromium: each file in its gzipped form, and which hosts were asked. Knows no page and no
// budget.
import type { Page, Request } from "playwright-core";

import { hung } from "./process.ts";

export interface PageWeight {
  /** Bytes of script in gzip, inline scripts included, without the libraries that an artifact imports. */
  readonly script: number;
  /** Bytes of stylesheets in gzip. */
  readonly styles: number;
  /** Bytes of fonts, which a page and its frame load each for themselves. */
  readonly fonts: number;
  readonly requests: number;
  /** URLs of other hosts. */
  readonly elsewhere: readonly string[];
  /** Bytes by path, of scripts, stylesheets and fonts. */
  readonly files: ReadonlyMap<string, number>;
}

/** What jsx imports: chosen by an artifact and not part of the page around it. */
const libraries = /^\/_runtime\/[^/]+\/(?!markdown|guard|report|mount)/;
const inlineScript = /<script(?![^>]*\b(?:src|type="application\/json")\b)[^>]*>([^]*?)<\/script>/g;

export interface Weighing {
  /** Settles when the page has all its files and requests no more, except event streams. */
  settled(): Promise<void>;
  weight(): Promise<PageWeight>;
}

/** After this many ms without another request, a page requests nothing more by itself. */
const quietMs = 300;

/** Weighs what a page of `origin` requests from now on. */
export function weighPage(page: Page, origin: string): Weighing {
  const all: Request[] = [];
  const open = new Set<Request>();
  let lastAt = performance.now();
  page.on("request", (request) => {
    if (!/^https?:/.test(request.url())) return;
    all.push(request);
    lastAt = performance.now();
    if (request.resourceType() !== "eventsource") open.add(request);
  });
  const over = (request: Request) => {
    lastAt = performance.now();
    open.delete(request);
  };
  page.on("requestfinished", over);
  page.on("requestfailed", over);
  return {
    async settled() {
      const deadline = performance.now() + hung;
      while (open.size > 0 || performance.now() - lastAt < quietMs) {
        if (performance.now() > deadline)
          throw new Error(`still asking: ${[...open].map((request) => request.url()).join(" ")}`);
        await Bun.sleep(50);
      }
    },
    async weight() {
      const asked = [...all];
      const files = new Map<string, number>();
      const own = asked.filter((request) => new URL(request.url()).origin === origin);
      const sum = async (kind: string) => {
        let bytes = 0;
        for (const url of new Set(own.filter((one) => one.resourceType() === kind).map((one) => one.url()))) {
          const { pathname } = new URL(url);
          if (libraries.test(pathname)) continue;
          const size = await gzippedBytes(url);
          files.set(pathname, size);
          bytes += size;
        }
        return bytes;
      };
      const scripts = await sum("script");
      const styles = await sum("stylesheet");
      const inline = await inlineBytes(own.filter((one) => one.isNavigationRequest()));
      files.set("inline", inline);
      return {
        script: scripts + inline,
        styles,
        fonts: await fontBytes(own, files),
        requests: asked.length,
        elsewhere: asked.filter((one) => !own.includes(one)).map((one) => one.url()),
        files,
      };
    },
  };
}

/** A file has the same bytes for every visitor, so it is requested once per process. */
const sizes = new Map<string, Promise<number>>();

/** The transferred size for a client that accepts gzip; uncompressed files count as they are. */
function gzippedBytes(url: string): Promise<number> {
  const known = sizes.get(url);
  if (known !== undefined) return known;
  const size = fetch(url, { headers: { "accept-encoding": "gzip" }, decompress: false }).then(async (answer) => {
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    return (await answer.arrayBuffer()).byteLength;
  });
  sizes.set(url, size);
  return size;
}

/** Of each document that loads one: the cache of a sandboxed frame is not that of the page. */
async function fontBytes(requests: readonly Request[], files: Map<string, number>): Promise<number> {
  const loaded = new Map<string, string>();
  for (const request of requests)
    if (request.resourceType() === "font") loaded.set(`${request.frame().url()} ${request.url()}`, request.url());
  let bytes = 0;
  for (const url of loaded.values()) {
    const size = await gzippedBytes(url);
    files.set(new URL(url).pathname, size);
    bytes += size;
  }
  return bytes;
}

/** Of all documents together, frames included. */
async function inlineBytes(documents: readonly Request[]): Promise<number> {
  const texts: string[] = [];
  for (const request of documents) {
    const answer = await request.response();
    // A redirect has no body.
    if (answer !== null && answer.ok()) texts.push(await answer.text());
  }
  const code = texts.flatMap((text) => [...text.matchAll(inlineScript)].map(([, inside = ""]) => inside)).join("\n");
  return code === "" ? 0 : Bun.gzipSync(code).byteLength;
}
