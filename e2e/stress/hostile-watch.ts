// What a victim's browser does while it shows documents, and what of it no document may bring about. Knows the rules of
// docs/reference/security.md §1 and no payload.
import type { BrowserContext, Frame, Page, Request } from "playwright-core";

import type { Collector, Received } from "../harness/collector.ts";
import { canary } from "./payloads/strike.ts";

export interface Watched {
  /** Pages that are the test's own; every other one was opened by a document. */
  readonly own: Set<Page>;
  /** What went wrong since it was last asked, in words; empty where nothing did. */
  faults(allowsPage: (name: string) => boolean): string[];
  /** Documents loaded into frames, by all pages. */
  frames(): number;
}

/** A message that a document sent to a page. */
interface Said {
  readonly struck?: string;
  readonly way?: string;
  readonly what?: string;
}

/** Kept by every top page of the context, since no other window hears what is said to it. */
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

/** A page that is closed meanwhile takes its requests with it. */
function ignoreEnd(error: unknown): void {
  if (!/closed|detached|crashed|destroyed/i.test(String(error))) throw error;
}

const ofContent = (url: string, app: string): boolean => url.startsWith(`${app}/_content/`);

/** What is wrong with a request, should it be answered. */
function faultOfRequest(request: Request, app: string): string | undefined {
  const url = request.url();
  if (/^(?:data|blob|about|chrome-error):/.test(url)) return undefined;
  const frame = frameOf(request);
  const from = frame?.url() ?? "nowhere";
  if (!url.startsWith(`${app}/`)) {
    // Only pages that documents opened lead elsewhere, and the collector says which of those may be.
    const opensPage = request.isNavigationRequest() && (frame === undefined || frame.parentFrame() === null);
    return opensPage && !ofContent(from, app) ? undefined : `${from} asked for ${url}`;
  }
  if (ofContent(from, app) && /\/api\//.test(url) && !request.isNavigationRequest()) return `${from} asked for ${url}`;
  return undefined;
}

/** None of a request that a worker makes, or of a page that is just being opened. */
function frameOf(request: Request): Frame | undefined {
  try {
    return request.frame();
  } catch (error) {
    if (/Frame for this navigation request is not available|Service Worker/.test(String(error))) return undefined;
    throw error;
  }
}

/** A frame shows content, or nothing. */
function faultOfFrame(frame: Frame, app: string): string | undefined {
  const url = frame.url();
  if (ofContent(url, app) || /^(?:about:|chrome-error:|blob:null|$)/.test(url)) return undefined;
  return `a frame went to ${url}`;
}

/** An allowed page is asked for as a page, and told nothing of where it was opened. */
function faultOfReceived(received: Received, app: string, allowsPage: (name: string) => boolean): string[] {
  const { of, what, headers } = received;
  const fault = [`the collector heard ${what} of ${of} ${JSON.stringify(headers)}`];
  if (what.endsWith("favicon.ico")) return [];
  if (!allowsPage(of) || !what.startsWith("GET ") || headers["sec-fetch-dest"] !== "document") return fault;
  const tells = headers["cookie"] ?? headers["authorization"] ?? headers["referer"];
  return tells === undefined && !JSON.stringify(received).includes(app) ? [] : fault;
}

/** What documents told the page that they are shown in: that they ran, at most, and only where they may. */
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

/** What the app's origin keeps in the browser, as a page of its own sees it. */
export async function keptBy(context: BrowserContext, page: Page, app: string): Promise<Kept> {
  const cookies = (await context.cookies(app)).map(({ name, value }) => `${name}=${value}`).toSorted();
  // Where one was lately is the page's own to keep.
  const storage = await page.evaluate<string>(
    "JSON.stringify([Object.entries(localStorage).filter(([name]) => name !== 'recent').sort(), Object.entries(sessionStorage).filter(([name]) => !name.startsWith('sveltekit:')).sort()])",
  );
  return { cookies: cookies.join("; "), storage };
}

/** Puts what payloads look for where they look. */
export async function setCanaries(context: BrowserContext, page: Page, app: string): Promise<void> {
  await context.addCookies([{ ...canary.cookie, url: app }]);
  await page.evaluate(`localStorage.setItem("${canary.storage.name}", "${canary.storage.value}")`);
}
