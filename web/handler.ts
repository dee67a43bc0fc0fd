// The web app as one function from request to response, for whichever Bun.serve holds it.
// Owns the built client files and Kit's server; reaches the API only through the function it is given.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "@sveltejs/kit";
import type { Read } from "@plinth/contract/client";
import { contentBytes } from "@plinth/contract/limits";
import { MainThreadWork } from "@plinth/platform/main-thread";
import { requestIdOf } from "@plinth/platform/request-id";
import { bytesOf, unmatched, type ServedRequest } from "@plinth/contract/served-request";
import { loadClientFiles } from "./client-files.ts";
import { compressPage } from "./compress-page.ts";
import { createReadyPages, keyOf, plainViewOf, readOnce } from "./ready-pages.ts";
import { pageViewHeaders } from "./src/lib/server/page-view.ts";
import { protectPage, referrerPolicyOf } from "./src/lib/server/page-headers.ts";
import { siteFiles, type Site } from "./site.ts";
import { visitorHeaders } from "./visitor-headers.ts";
import type { WebPlatform } from "./web-platform.ts";
import { languageOf } from "./src/messages/language.ts";
import { prefersSource } from "./src/lib/server/prefers-source.ts";

// The documentation as bytes: a page is the same for everyone who reads it in one language, so it is rendered for its
// first reader and then sent as it is.

/** Pages of the documentation; its search is rendered for each query. */
const isDocsPage = (pathname: string): boolean => /^\/docs(?:\/(?!search$)[\w/.-]+)?$/.test(pathname);

type Render = (headers: Headers) => Promise<Response>;

/** Answers requests for pages of the documentation; null for all others, and where there is no such page. */
function createReadyDocs(): (request: Request, url: URL, render: Render) => Promise<Response | null> {
  const pages = createReadyPages();
  return async (request, { pathname, search }, render) => {
    const { method, headers } = request;
    if ((method !== "GET" && method !== "HEAD") || search !== "" || !isDocsPage(pathname)) return null;
    const own = { "x-request-id": requestIdOf(headers) };
    const accept = prefersSource(headers.get("accept") ?? "") ? "text/markdown" : "text/html";
    const language = languageOf(headers);
    const key = `${pathname} ${accept} ${language}`;
    let ready = pages.find(key);
    if (ready === null) {
      const page = await render(new Headers({ accept, "accept-language": language, ...own }));
      if (page.status !== 200) return null;
      page.headers.set("cache-control", "public, no-cache");
      ready = await pages.keep(key, page);
    }
    const answer = ready.answer(request, own);
    return method === "HEAD" ? new Response(null, answer) : answer;
  };
}

export interface WebHandlerOptions {
  api: (request: Request) => Promise<Response>;
  read?: Read | undefined;
  publicUrl: string;
  contentOrigin?: string | undefined;
  /** Where Stripe is, for a fake; null or undefined for Stripe itself. */
  stripeOrigin?: string | null | undefined;
  /** As the API has it; the contract's default where it is not said. */
  maxContentBytes?: number | undefined;
  version: string;
  site?: Site | undefined;
  /** Called for every request that was answered. */
  served?: ((request: ServedRequest) => void) | undefined;
}

export type WebHandler = (request: Request, peer: { clientAddress: string }) => Promise<Response>;

const stripePages = ["https://checkout.stripe.com", "https://billing.stripe.com"];

/** The origins of Stripe's pages, or of the fake that stands in for them. */
export const paymentOriginsOf = ({ stripeOrigin }: Pick<WebHandlerOptions, "stripeOrigin">): readonly string[] =>
  stripeOrigin ? [stripeOrigin] : stripePages;

const build = join(import.meta.dirname, "build");
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Loads the built web app and returns its handler.
 * Requests that `api` makes carry the visitor's address in `X-Forwarded-For`.
 * @throws Error where the web app has not been built
 */
export async function createWebHandler(options: WebHandlerOptions): Promise<WebHandler> {
  if (!existsSync(join(build, "server.js"))) {
    throw new Error("The web app is not built. Run `bun run build:web` first.");
  }
  const home = new URL(options.publicUrl);
  const content = new URL(options.contentOrigin ?? home.origin);
  const { shown, logoAt } = siteFiles(options.site ?? {});
  const platform = {
    api: options.api,
    publicUrl: home.origin,
    contentOrigin: content.origin,
    paymentOrigins: paymentOriginsOf(options),
    maxContentBytes: options.maxContentBytes ?? contentBytes.default,
    version: options.version,
    site: shown,
  };
  const clientFiles = await loadClientFiles(join(build, "client"));
  const { server } = (await import(join(build, "server.js"))) as { server: Server };
  await server.init({ env: process.env });

  const readyPages = createReadyPages();
  const readyDocs = createReadyDocs();

  async function answer(request: Request, clientAddress: string, learned: Learned): Promise<Response> {
    const url = new URL(request.url);
    if (content.host !== home.host && url.host === content.host) return new Response(null, { status: 404 });
    const file = clientFiles(request, url.pathname) ?? logoAt(request, url.pathname);
    if (file !== undefined) {
      learned.route = "/_app/:file";
      return file;
    }
    const address = home.origin + url.pathname + url.search;
    // Cookies, CSP and links belong to one origin, so its loopback aliases lead there.
    if (url.host !== home.host && loopback.test(url.hostname) && request.method === "GET") {
      return Response.redirect(address, 307);
    }
    // Behind TLS Bun sees http; Kit compares origins and must see the public one.
    const canonical = url.origin === home.origin ? request : new Request(address, request);
    const docs = await readyDocs(request, url, (plain) =>
      render(new Request(address, { headers: plain }), clientAddress, { learned, read: undefined }),
    );
    if (docs !== null) {
      learned.route = "/docs/:path";
      return docs;
    }
    const read = options.read && listening(options.read, learned);
    const view = plainViewOf(request, url);
    if (read === undefined || view === null)
      return compressPage(request, await render(canonical, clientAddress, { learned, read }));

    const requestId = requestIdOf(request.headers);
    const asked = await read(
      "artifact.getByPath",
      view,
      new Headers({ ...visitorHeaders(request.headers, requestId, clientAddress), ...pageViewHeaders(request) }),
    );
    const key = "value" in asked ? keyOf(request, asked.value) : null;
    if (key !== null) {
      const ready = readyPages.find(key);
      if (ready !== null) {
        learned.route = "/:owner/:project/:slug";
        return ready.answer(request, { "x-request-id": requestId });
      }
    }
    const named = new Headers(request.headers);
    named.set("x-request-id", requestId);
    const page = await render(new Request(canonical, { headers: named }), clientAddress, {
      learned,
      read: readOnce(read, view, asked),
    });
    if (key === null || page.status !== 200) return compressPage(request, page);
    return (await readyPages.keep(key, page)).answer(request, { "x-request-id": requestId });
  }

  async function render(
    request: Request,
    clientAddress: string,
    { learned, read }: { readonly learned: Learned; readonly read: Read | undefined },
  ): Promise<Response> {
    const told: WebPlatform = { ...platform, read, matched: (route) => (learned.route = route) };
    const page = await server.respond(request, { getClientAddress: () => clientAddress, platform: told });
    if (page.headers.has("x-content-type-options")) return page;
    // Kit refuses some requests before any hook of ours is asked.
    const referrerPolicy = referrerPolicyOf(new URL(request.url).pathname);
    const kind = { isOwn: true, referrerPolicy, leadsToPayment: false, showsDrafts: false, nonce: undefined };
    page.headers.set("x-request-id", requestIdOf(request.headers));
    return protectPage(page, told, kind);
  }

  return async (request, { clientAddress }) => {
    const startedAt = performance.now();
    const learned: Learned = { route: unmatched, principal: null };
    const work = new MainThreadWork();
    const response = await work.run(() => answer(request, clientAddress, learned));
    options.served?.({
      requestId: response.headers.get("x-request-id") ?? requestIdOf(request.headers),
      method: request.method,
      ...learned,
      operation: null,
      status: response.status,
      ms: performance.now() - startedAt,
      mainThread: work.end(),
      surface: "web",
      bytes: bytesOf(response),
    });
    return response;
  };
}

/** Facts about a request that its line in the log has. */
interface Learned {
  route: string;
  principal: string | null;
}

/** Reads say who is asking, which a page itself does not know. */
function listening(read: Read, learned: Learned): Read {
  return async (name, input, headers) => {
    const answer = await read(name, input, headers);
    learned.principal = answer.principal ?? learned.principal;
    return answer;
  };
}
