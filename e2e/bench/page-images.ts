// A document with twenty images beside it, from the first request of its page until all of them are drawn, beside a bare
// server that has the same document in a frame and the same images as files.
import { crc32, deflateSync } from "node:zlib";

import type { Browser, Frame } from "playwright-core";

import { uploadFiles } from "../harness/given-files.ts";
import { openBrowser } from "../harness/browser.ts";
import { startInstance } from "../harness/instance.ts";
import { createArtifact, createPerson, createProject } from "../harness/people.ts";
import { compare, type LoadResult, type Run } from "./measure.ts";

const imageCount = 20;
/** Pixels of a side: about 60 KB of noise each. */
const side = 140;

/** @throws where an image is not shown */
export async function measureImages({ report, rounds, place }: Run): Promise<void> {
  const instance = await startInstance({ dataDir: place("page-images"), env: { CHROMIUM_PATH: "off" } });
  const browser = await openBrowser();
  const files = new Map(Array.from({ length: imageCount }, (_, n) => [`img/${n}.png`, noiseImage(n)]));
  const tags = [...files.keys()].map((path) => `<p><img src="${path}" alt=""></p>`).join("\n");
  const document = `<!doctype html><meta charset="utf-8"><title>Report</title><h1>Report</h1>${tags}`;
  const bare = bareServer(document, files);
  try {
    const owner = await createPerson(instance);
    const { slug } = await createProject(owner);
    const uploaded = await uploadFiles(owner, Object.fromEntries(files));
    const markdown = `# Report\n\n${[...files.keys()].map((path) => `![](${path})`).join("\n\n")}\n`;
    for (const [type, content] of [
      ["md", markdown],
      ["html", document],
    ] as const) {
      const { url } = await createArtifact(owner, slug, { type, content, files: uploaded });
      // Once, so that neither the rendering nor the first compilation is measured.
      await drawn(browser, url);
      const sides = { product: () => drawn(browser, url), baseline: () => drawn(browser, bare.url.href) };
      const name = `page of ${type} with ${imageCount} images`;
      await compare(report, { name, baseline: "bare server", rounds }, sides);
    }
  } finally {
    await bare.stop(true);
    await browser.close();
    await instance.stop();
  }
}

/** Opens the page with nothing cached. */
async function drawn(browser: Browser, url: string): Promise<LoadResult> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    const frame = await (await page.waitForSelector("iframe", { state: "attached" })).contentFrame();
    if (frame === null) throw new Error("the page has no frame");
    await allShown(frame);
    const took = performance.now() - began;
    return { perSecond: 1000 / took, p50: took, p99: took, sent: 1 };
  } finally {
    await context.close();
  }
}

async function allShown(frame: Frame): Promise<void> {
  await frame.waitForFunction(
    (wanted) => {
      const images = [...document.images];
      for (const image of images) image.loading = "eager";
      return images.length === wanted && images.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    },
    imageCount,
    { polling: 5 },
  );
}

function bareServer(document: string, files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>) {
  const html = { headers: { "content-type": "text/html; charset=utf-8" } };
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      const file = files.get(pathname.slice(1));
      if (file !== undefined) return new Response(file, { headers: { "content-type": "image/png" } });
      if (pathname === "/document") return new Response(document, html);
      return new Response(
        '<!doctype html><title>Report</title><iframe src="/document" style="width:100%;height:90vh"></iframe>',
        html,
      );
    },
  });
}

/** Noise, so that it does not compress, and another one for each number. */
function noiseImage(number: number): Uint8Array<ArrayBuffer> {
  let state = number + 1;
  const rows = new Uint8Array(side * (1 + 3 * side)).map((_, at) => {
    state = Math.imul(state, 1103515245) + 12345;
    return at % (1 + 3 * side) === 0 ? 0 : (state >>> 16) & 255;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // 8 bits a sample, of three colours.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
