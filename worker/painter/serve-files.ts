// The files that a document can load: itself, once, and the runtime's files. Every other request is aborted.
import { join } from "node:path";

import { pageReportLimits } from "@plinth/contract/limits";
import { runtimeFileHeaders } from "@plinth/runtime/file-headers";
import type { DocumentToPaint } from "@plinth/domain/thumbnails/painter";
import type { BrowserContext, Route } from "playwright-core";

import type { Said, StudioSetting } from "./messages.ts";

export interface ServedFiles {
  readonly address: string;
  /** Whether the browser has received the document. */
  hasServed(): boolean;
  /** The number of requested files so far. */
  asked(): number;
  waiting(): number;
}

export async function serveFiles(
  context: BrowserContext,
  { html, headers, origin }: DocumentToPaint,
  runtime: StudioSetting["runtime"],
  say: (said: Said) => void,
): Promise<ServedFiles> {
  const address = `${origin}/_content/picture`;
  const files = new Map(runtime.files.map((name) => [origin + runtime.path + name, name]));
  const missed = new Set<string>();
  let hasServed = false;
  let asked = 0;
  let waiting = 0;

  const refuse = async (route: Route, url: string) => {
    const [shown = ""] = url.split(/[?#]/, 1);
    if (missed.size < pageReportLimits.messages && !missed.has(shown) && url !== address) {
      missed.add(shown);
      say({ of: "kept out", message: `Not loaded, as a picture is taken without a network: ${shown.slice(0, 300)}` });
    }
    // This error keeps the page where it is; others would replace it by an error page.
    await route.abort("aborted");
  };

  const answer = async (route: Route) => {
    const url = route.request().url();
    if (url === address && !hasServed) {
      hasServed = true;
      return route.fulfill({ status: 200, headers: { ...headers }, body: html });
    }
    const name = files.get(url);
    if (name === undefined) return refuse(route, url);
    const body = Buffer.from(await Bun.file(join(runtime.directory, name)).arrayBuffer());
    return route.fulfill({ status: 200, headers: runtimeFileHeaders(name), body });
  };

  await context.route(
    () => true,
    async (route) => {
      asked++;
      waiting++;
      try {
        await answer(route);
      } catch (error) {
        // A closed page needs no response.
        if (!/closed|crashed|Invalid InterceptionId/i.test(String(error))) throw error;
      } finally {
        waiting--;
      }
    },
  );
  return { address, hasServed: () => hasServed, asked: () => asked, waiting: () => waiting };
}
