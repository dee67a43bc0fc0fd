// The program that takes the screenshots: one browser, one document at a time, controlled by the worker. It is a
// separate process, so that a page cannot use up the worker's time and memory. It has no environment, no database and
// no secret, and must stay that way.
import { rmSync } from "node:fs";

import { chromium, type Browser } from "playwright-core";

import { capturePage } from "./capture-page.ts";
import { drawInPage } from "./draw-in-page.ts";
import { STARTING_MS } from "./limits.ts";
import type { BrowserHostSettings, HostMessage, HostRequest, PackageFileAnswer } from "./messages.ts";

let host: { readonly browser: Browser; readonly runtime: BrowserHostSettings["runtime"] } | null = null;

/** Files of packages that the worker was asked for. */
const wantedFiles = new Map<number, (file: PackageFileAnswer["file"]) => void>();
let wanted = 0;

function fileAt(path: string): Promise<PackageFileAnswer["file"]> {
  const { promise, resolve } = Promise.withResolvers<PackageFileAnswer["file"]>();
  wantedFiles.set(++wanted, resolve);
  send({ wantedFile: { wanted, path } });
  return promise;
}

function receiveFile({ wanted: answered, file }: PackageFileAnswer): void {
  wantedFiles.get(answered)?.(file);
  wantedFiles.delete(answered);
}

const send = (message: HostMessage): void => void process.send?.(message);

async function start(settings: BrowserHostSettings): Promise<void> {
  const { environment, directory } = settings;
  const [program = "", ...args] = settings.command;
  const clean = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.on("exit", clean);
  const browser = await chromium.launch({
    executablePath: Bun.which(program) ?? program,
    args,
    ignoreDefaultArgs: true,
    env: { ...environment },
    timeout: STARTING_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  // Again after Playwright's handler, which kills the browser.
  process.on("exit", clean);
  host = { browser, runtime: settings.runtime };
  send({ ready: true });
}

async function handle(request: HostRequest): Promise<void> {
  try {
    if ("settings" in request) return await start(request.settings);
    if ("wanted" in request) return receiveFile(request);
    if (host === null) throw new Error("there is no browser yet");
    const { browser, runtime } = host;
    if ("draw" in request) {
      const serving = { runtime, limits: request.limits };
      return send(await drawInPage(browser, request.draw, serving, (drawn) => send({ drawn })));
    }
    const { capture, limits } = request;
    const serving = { runtime, fileAt };
    send(await capturePage(browser, capture, { ...serving, limits }, (pageMessage) => send({ pageMessage })));
    // Those of a page that was closed; a late answer is for none.
    wantedFiles.clear();
  } catch (error) {
    send({ broken: error instanceof Error ? error.message : String(error) });
  }
}

process.on("message", (request: HostRequest) => void handle(request));
// The worker has died. When a worker has finished with this process, it kills it directly.
process.on("disconnect", () => process.exit(0));
