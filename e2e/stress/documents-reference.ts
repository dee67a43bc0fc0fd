// A document in plain Chromium, as its author opened it: from a local page, with its CDNs answered from packages. Every
// other host is out of reach, and so are files beside it that the set does not have.
import { resolve } from "node:path";

import { encodedPath } from "@plinth/contract/publishing/file-path";
import { percentDecoded } from "@plinth/platform/malformed";
import type { BrowserContext, Route } from "playwright-core";

import { watchDocument, type Look } from "./documents-look.ts";
import type { AskCdn } from "./documents-packages.ts";
import type { FilesBeside, SetDocument } from "./documents-set.ts";

export interface Reference {
  readonly look: Look;
  /** The paths of what it loads from beside itself and the set does not have. */
  readonly beside: readonly string[];
  /** Whether the document put another page in its place. */
  readonly leaves: boolean;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Trustworthy for the browser, and one for each document: they share a browser's storage. */
let opened = 0;
const freshOrigin = (): string => `http://document-${++opened}.localhost`;

export async function lookAtReference(
  { authors, askCdn }: { readonly authors: BrowserContext; readonly askCdn: AskCdn },
  { content, beside: files }: SetDocument,
  { viewport, screenshot }: { readonly viewport: Size; readonly screenshot: string },
): Promise<Reference> {
  const beside: string[] = [];
  const origin = freshOrigin();
  const address = `${origin}/${encodedPath(files?.path ?? "document.html")}`;
  const page = await authors.newPage();
  try {
    await page.setViewportSize(viewport);
    await page.route("**/*", async (route: Route) => {
      const url = route.request().url();
      if (url === address) return route.fulfill({ body: content, contentType: "text/html; charset=utf-8" });
      const { pathname, origin: asked } = new URL(url);
      if (asked === origin) {
        const file = files === undefined ? null : await fileAt(files, pathname);
        if (file !== null) return route.fulfill({ path: file });
        if (pathname !== "/favicon.ico") beside.push(pathname);
        return route.fulfill({ status: 404, body: "" });
      }
      const answer = await askCdn(url, route.request().resourceType() === "stylesheet" ? "style" : "script");
      if (answer === null) return route.abort("namenotresolved");
      return route.fulfill({ ...answer, headers: { "access-control-allow-origin": "*" } });
    });
    const watch = await watchDocument(page);
    await page.goto(address, { waitUntil: "load" });
    const look = await watch.look(page.mainFrame());
    await page.screenshot({ path: screenshot, type: "jpeg", quality: 60 });
    return { look, beside, leaves: page.url().replace(/[?#].*$/, "") !== address };
  } finally {
    await page.close();
  }
}

/** The path of a file on the disk; null where there is none. */
async function fileAt({ root }: FilesBeside, pathname: string): Promise<string | null> {
  const path = resolve(root, `.${percentDecoded(pathname) ?? ""}`);
  if (!path.startsWith(`${root}/`)) return null;
  return (await Bun.file(path).exists()) ? path : null;
}
