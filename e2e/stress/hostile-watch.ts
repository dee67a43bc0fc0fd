// Watches a victim's browser while it shows documents, and returns what no document is allowed to cause. Knows the
// rules of docs/reference/security.md §1, but no payload.
import type { BrowserContext, Frame, Page, Request } from "playwright-core";

import type { Collector, Received } from "../harness/collector.ts";
import { canary } from "./payloads/strike.ts";

export interface Watched {
  /** The test's own pages; all others were opened by documents. */
  readonly own: Set<Page>;
  /** The faults since the last call; empty if there is none. */
  faults(allowsPage: (name: string) => boolean): string[];
  /** Documents loaded into frames, in all pages. */
  frames(): number;
}

/** A message from a document to a page. */
interface Said {
  readonly struck?: string;
  readonly way?: string;
  readonly what?: string;
}

/** Recorded in every top page of the context, because no other window receives its messages. */
const listen = `if (window === top) {
  window.saidHere = [];
  addEventListener("message", ({ data }) => { if (data && data.struck && window.saidHere.length < 500) window.saidHere.push({ struck: String(data.struck), way: String(data.way), what: String(data.what).slice(0, 4000) }); });
}`;

export async function watch(context: BrowserContext, app: string, collector: Collector): Promise<Watched> {
  const own = new Set<Page>();
  const found: string[] = [];
  let frames = 0;
  let read = 0;
  await context.addInitScript(listen);
  context.on("request", (request) => {
    const fault = faultOfRequest(request, app);
    if (fault !== undefined) void request.response().then((answer) => answer && found.push(fault), ignoreEnd);
  });
  context.on("dialog", (dialog) => {
    if (dialog.message().includes(app)) found.push(`a dialog says ${dialog.message()}`);
    void dialog.dismiss().catch(ignoreEnd);
  });
  context.on("page", (page) => {
    page.on("framenavigated", (frame) => {
      if (frame.parentFrame() === null) return;
      if (frame.url().includes("/_content/")) frames++;
      const fault = faultOfFrame(frame, app);
      if (fault !== undefined) found.push(fault);
    });
    page.on("crash", () => void found.push(`a page crashed: ${page.url()}`));
  });
  return {
    own,
    frames: () => frames,
    faults(allowsPage) {
      const received = collector.received.slice(read);
      read = collector.received.length;
      return [...found.splice(0), ...received.flatMap((one) => faultOfReceived(one, app, allowsPage))];
    },
  };
}

/** Closing a page cancels its requests. */
function ignoreEnd(error: unknown): void {
  if (!/closed|detached|crashed|destroyed/i.test(String(error))) throw error;
}

const ofContent = (url: string, app: string): boolean => url.startsWith(`${app}/_content/`);

/** Why a request is forbidden, if it is. */
function faultOfRequest(request: Request, app: string): string | undefined {
  const url = request.url();
  if (/^(?:data|blob|about|chrome-error):/.test(url)) return undefined;
  const frame = frameOf(request);
  const from = frame?.url() ?? "nowhere";
  if (!url.startsWith(`${app}/`)) {
    // Only pages opened by documents can navigate to another site, and the collector checks which ones are allowed.
    const opensPage = request.isNavigationRequest() && (frame === undefined || frame.parentFrame() === null);
    return opensPage && !ofContent(from, app) ? undefined : `${from} asked for ${url}`;
  }
  if (ofContent(from, app) && /\/api\//.test(url) && !request.isNavigationRequest()) return `${from} asked for ${url}`;
  return undefined;
}

/** Null for a request of a worker, or of a page that is just being opened. */
function frameOf(request: Request): Frame | undefined {
  try {
    return request.frame();
  } catch (error) {
    if (/Frame for this navigation request is not available|Service Worker/.test(String(error))) return undefined;
    throw error;
  }
}

/** A frame can only show content, or be empty. */
function faultOfFrame(frame: Frame, app: string): string | undefined {
  const url = frame.url();
  if (ofContent(url, app) || /^(?:about:|chrome-error:|blob:null|$)/.test(url)) return undefined;
  return `a frame went to ${url}`;
}

/** An allowed page is requested as a page, without a referrer. */
function faultOfReceived(received: Received, app: string, allowsPage: (name: string) => boolean): string[] {
  const { of, what, headers } = received;
  const fault = [`the collector received ${what} of ${of} ${JSON.stringify(headers)}`];
  if (what.endsWith("favicon.ico")) return [];
  if (!allowsPage(of) || !what.startsWith("GET ") || headers["sec-fetch-dest"] !== "document") return fault;
  const tells = headers["cookie"] ?? headers["authorization"] ?? headers["referer"];
  return tells === undefined && !JSON.stringify(received).includes(app) ? [] : fault;
}

/** Messages of documents to the page that shows them: only that they ran, and only where scripts are allowed. */
export async function faultsOfSayings(page: Page, secrets: readonly string[]): Promise<string[]> {
  const said = await page.evaluate<Said[]>("window.saidHere ?? []");
  return said.flatMap(({ struck = "", way = "", what = "" }) => {
    const words = `${struck} told its page ${way}: ${what.slice(0, 200)}`;
    if (secrets.some((secret) => what.includes(secret))) return [words];
    if (way === "ran" || way === "held" || way === "spoke") return what === "null" ? [] : [words];
    return /^(?:access|key)$/.test(way) && what.startsWith("2") ? [words] : [];
  });
}

export interface Kept {
  readonly cookies: string;
  readonly storage: string;
}

/** What the app's origin stores in the browser, read by one of its pages. */
export async function keptBy(context: BrowserContext, page: Page, app: string): Promise<Kept> {
  const cookies = (await context.cookies(app)).map(({ name, value }) => `${name}=${value}`).toSorted();
  const storage = await page.evaluate<string>(
    "JSON.stringify([Object.entries(localStorage).sort(), Object.entries(sessionStorage).filter(([name]) => !name.startsWith('sveltekit:')).sort()])",
  );
  return { cookies: cookies.join("; "), storage };
}

/** Stores the data that payloads look for. */
export async function setCanaries(context: BrowserContext, page: Page, app: string): Promise<void> {
  await context.addCookies([{ ...canary.cookie, url: app }]);
  await page.evaluate(`localStorage.setItem("${canary.storage.name}", "${canary.storage.value}")`);
}
