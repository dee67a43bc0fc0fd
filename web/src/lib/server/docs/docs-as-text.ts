// The documentation as Markdown: for a URL that ends in `.md`, and for a request that prefers text to a page.
import { linksOf } from "@plinth/contract/guides/instance-links";
import type { RequestEvent } from "@sveltejs/kit";
import { platformOf } from "#lib/server/platform.ts";
import { prefersSource } from "#lib/server/prefers-source.ts";
import { findDocsPage } from "./docs.ts";

const route = "/docs/[...path]";
const markdownEnding = /(?:\/index)?\.md$/;

/** The text of a page; undefined where the page itself is wanted, or there is none. */
export async function docsAsText(event: RequestEvent): Promise<Response | undefined> {
  const { request, url, locals } = event;
  // The router takes this one for an owner's page.
  const isOfDocs = event.route.id === route || url.pathname === "/docs.md";
  if (!isOfDocs || event.isDataRequest) return undefined;
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  if (!markdownEnding.test(url.pathname) && !prefersSource(request.headers.get("accept") ?? "")) return undefined;
  const { publicUrl } = platformOf(event);
  const page = await findDocsPage(url.pathname.replace(markdownEnding, ""), publicUrl);
  if (page === undefined) return undefined;
  return new Response(page.markdown, {
    headers: {
      "content-type": "text/markdown; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "x-request-id": locals.requestId,
      link: `<${publicUrl}${page.url}>; rel="canonical", ${guides(publicUrl)}`,
    },
  });
}

/** The `Link` header of a page of the documentation (RFC 8288); null for any other page. */
export function docsLinks(event: RequestEvent): string | null {
  if (event.route.id !== route) return null;
  const { publicUrl } = platformOf(event);
  const { pathname } = event.url;
  const text = `${publicUrl}${pathname === "/docs" ? "/docs/index" : pathname}.md`;
  return `<${text}>; rel="alternate"; type="text/markdown", ${guides(publicUrl)}`;
}

function guides(publicUrl: string): string {
  const { llms, openApi, skill } = linksOf(publicUrl);
  return [
    `<${llms}>; rel="describedby"; type="text/plain"`,
    `<${openApi}>; rel="service-desc"; type="application/json"`,
    `<${skill}>; rel="help"; type="text/markdown"`,
  ].join(", ");
}
