// The files that a document can load: itself, once, the runtime's files, those of its packages and those beside it, for
// which the worker is asked. Every other request is aborted.
import { join } from "node:path";

import { pageReportLimits } from "@plinth/contract/limits";
import { runtimeFileHeaders } from "@plinth/runtime/file-headers";
import { filesRoot } from "@plinth/domain/thumbnails/document-files-at";
import { packagesPath } from "@plinth/domain/packages/address";
import type { DocumentToCapture } from "@plinth/domain/thumbnails/renderer";
import type { BrowserContext, Route } from "playwright-core";

import type { BrowserHostSettings, PackageFileAnswer, PageMessage } from "./messages.ts";

export interface ServedFiles {
  readonly url: string;
  /** Whether the browser has received the document. */
  hasServed(): boolean;
  /** The number of requested files so far. */
  requested(): number;
  pending(): number;
}

/** The files that are served beside the document. */
export interface Serving {
  readonly runtime: BrowserHostSettings["runtime"];
  readonly fileAt: (path: string) => Promise<PackageFileAnswer["file"]>;
}

/** Of an address that a document asks for: a package's has 64 digits and 255 bytes, each of which may be encoded. */
const longestPath = 1024;

export async function serveFiles(
  context: BrowserContext,
  { html, headers, origin, path: documentPath }: DocumentToCapture,
  { runtime, fileAt }: Serving,
  emit: (message: PageMessage) => void,
): Promise<ServedFiles> {
  const documentUrl = origin + documentPath;
  const files = new Map(runtime.files.map((name) => [origin + runtime.path + name, name]));
  const missed = new Set<string>();
  let hasServed = false;
  let requested = 0;
  let pending = 0;

  const refuse = async (route: Route, url: string) => {
    const [shown = ""] = url.split(/[?#]/, 1);
    if (missed.size < pageReportLimits.messages && !missed.has(shown) && shown !== documentUrl) {
      missed.add(shown);
      emit({
        kind: "blocked",
        message: `Not loaded, because screenshots are taken without a network: ${shown.slice(0, 300)}`,
      });
    }
    // This error keeps the page where it is; others would replace it by an error page.
    await route.abort("aborted");
  };

  const answerFile = async (route: Route, url: string) => {
    const isOfDocument = [packagesPath, filesRoot].some((root) => url.startsWith(origin + root));
    const isAsked = isOfDocument && route.request().method() === "GET";
    const [path = ""] = url.slice(origin.length).split(/[?#]/, 1);
    const file = isAsked && path.length <= longestPath ? await fileAt(path) : null;
    if (file === null) return refuse(route, url);
    return route.fulfill({ status: 200, headers: { ...file.headers }, body: Buffer.from(file.bytes) });
  };

  const answer = async (route: Route) => {
    const url = route.request().url();
    if (url === documentUrl && !hasServed) {
      hasServed = true;
      return route.fulfill({ status: 200, headers: { ...headers }, body: html });
    }
    const name = files.get(url);
    if (name === undefined) return answerFile(route, url);
    const body = Buffer.from(await Bun.file(join(runtime.directory, name)).arrayBuffer());
    return route.fulfill({ status: 200, headers: runtimeFileHeaders(name), body });
  };

  await context.route(
    () => true,
    async (route) => {
      requested++;
      pending++;
      try {
        await answer(route);
      } catch (error) {
        // A closed page needs no response.
        if (!/closed|crashed|Invalid InterceptionId/i.test(String(error))) throw error;
      } finally {
        pending--;
      }
    },
  );
  return { url: documentUrl, hasServed: () => hasServed, requested: () => requested, pending: () => pending };
}
