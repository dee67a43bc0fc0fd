// What a document can load: itself, once, and the runtime's files. Everything else ends here.
import { join } from "node:path";

import { pageReportLimits } from "@plinth/contract/limits";
import { runtimeFileHeaders } from "@plinth/domain/runtime/file-headers";
import type { DocumentToPaint } from "@plinth/domain/thumbnails/painter";
import type { BrowserContext, Route } from "playwright-core";

import type { Said, StudioSetting } from "./messages.ts";

export interface ServedFiles {
  readonly address: string;
  /** Whether the browser has been given the document. */
  hasServed(): boolean;
  /** How many files were asked for so far; more while one waits for its answer. */
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
    // This one leaves the page where it is; others would put an error page in its place.
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
        // A page that is gone needs no answer.
        if (!/closed|crashed|Invalid InterceptionId/i.test(String(error))) throw error;
      } finally {
        waiting--;
      }
    },
  );
  return { address, hasServed: () => hasServed, asked: () => asked, waiting: () => waiting };
}
