// The documentation as bytes: a page is the same for everyone who reads it in one language, so it is rendered for its
// first reader and then sent as it is.
import { requestIdOf } from "@plinth/platform/request-id";

import { createReadyPages } from "./ready-pages.ts";
import { languageOf } from "./src/messages/language.ts";
import { prefersSource } from "./src/lib/server/prefers-source.ts";

/** Pages of the documentation; its search is rendered for each query. */
const isDocsPage = (pathname: string): boolean => /^\/docs(?:\/(?!search$)[\w/.-]+)?$/.test(pathname);

type Render = (headers: Headers) => Promise<Response>;

/** Answers requests for pages of the documentation; null for all others, and where there is no such page. */
export function createReadyDocs(): (request: Request, url: URL, render: Render) => Promise<Response | null> {
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
