// The content routes: an artifact's version as a document for its sandboxed frame (security 1).
import { type FrameView, framedAs, viewAddress } from "@plinth/contract/frame";
import { versionNumberMax } from "@plinth/contract/limits";
import type { LoadedVersion } from "@plinth/domain/access/resource";
import { publicVersion, redeemTicket } from "@plinth/domain/content/redeem";
import { renderedContent } from "@plinth/domain/content/rendered";
import type { Instance } from "@plinth/domain/context";
import { contentHeaders, contentNonce } from "@plinth/domain/render/headers/content-headers";
import { contentDocument } from "@plinth/domain/render/document/document";
import { rendererVersion } from "@plinth/domain/render/version";
import type { Runtime } from "@plinth/domain/runtime/manifest";

import type { Elysia } from "elysia";

import { expiredPage } from "./expired-page.ts";
import { shownPrincipal, type MetaOf, type RequestMeta } from "./request-meta.ts";
import { fresh, sized } from "./respond.ts";

/** What a content route serves with. */
export interface ContentServing {
  readonly instance: Instance;
  readonly runtime: Runtime;
}

const views: readonly FrameView[] = ["document", "source"];

/** Adds the content routes, each with its two views. */
export function addContent(app: Elysia, serving: ContentServing, metaOf: MetaOf): void {
  for (const view of views) {
    app.get(viewAddress("/_content/:ticket", view), ({ request, params: { ticket } }) =>
      ticketContent(serving, request, { ticket, view }, metaOf(request)),
    );
    app.get(viewAddress("/_content/p/:artifactId/:number", view), ({ request, params: { artifactId, number } }) =>
      steadyContent(serving, request, { artifactId, number, view }),
    );
  }
}

/** `/_content/<ticket>`, and `…/source`: for one reader, for a minute. @throws not_found */
async function ticketContent(
  serving: ContentServing,
  request: Request,
  { ticket, view }: { ticket: string; view: FrameView },
  { requestId, method, learned }: RequestMeta,
): Promise<Response> {
  const loaded = await redeemTicket(serving.instance, ticket);
  const nonce = contentNonce();
  if (loaded !== "expired") learned.principal = shownPrincipal(loaded.principal);
  if (loaded === "expired") return expiredPage(headersFor(serving, "md", nonce, false), nonce);
  if (isPageLoad(request)) return toViewer(serving, loaded, view);
  const document = await documentOf(serving, loaded, view, nonce);
  if (method === "GET") serving.instance.shareUses.note(loaded.principal, { surface: "web", requestId });
  return sized(document, headersFor(serving, framedAs(loaded.artifact.type, view), nonce, false));
}

/** `/_content/p/<artifactId>/<n>`, and `…/source`: what anyone may see, kept by caches and asked about each time. @throws not_found */
async function steadyContent(
  serving: ContentServing,
  request: Request,
  { artifactId, number, view }: { artifactId: string; number: string; view: FrameView },
): Promise<Response> {
  const loaded = await publicVersion(serving.instance, artifactId, versionOf(number));
  if (isPageLoad(request)) return toViewer(serving, loaded, view);
  const etag = etagOf(serving, loaded, view);
  const nonce = contentNonce(etag);
  const headers = headersFor(serving, framedAs(loaded.artifact.type, view), nonce, true, etag);
  return fresh(request, headers) ?? sized(await documentOf(serving, loaded, view, nonce), headers);
}

/** Zero, which no version has, where it is none: one that PostgreSQL can't hold would fail a whole batch of loads. */
function versionOf(number: string): number {
  const version = /^[1-9]\d{0,9}$/.test(number) ? Number(number) : 0;
  return version <= versionNumberMax ? version : 0;
}

/** Changes with everything the document is made of, where it is shown included: relative links lead there. */
function etagOf(serving: ContentServing, loaded: LoadedVersion, view: FrameView): string {
  const { type, title } = loaded.artifact;
  const renderer = view === "source" ? rendererVersion.source : type === "html" ? "html" : rendererVersion[type];
  const parts = [loaded.version.sha256, renderer, serving.runtime.hash, title, projectUrlOf(serving, loaded)].join(
    "\n",
  );
  return `"${new Bun.CryptoHasher("sha256").update(parts).digest("base64url").slice(0, 27)}"`;
}

async function documentOf(
  serving: ContentServing,
  loaded: LoadedVersion,
  view: FrameView,
  nonce: string,
): Promise<string> {
  const content = await renderedContent(serving.instance.db, loaded, view, projectUrlOf(serving, loaded));
  return contentDocument(content, serving.runtime, nonce);
}

const projectUrlOf = ({ instance }: ContentServing, { artifact }: LoadedVersion): string =>
  `${instance.config.publicUrl}/${artifact.ownerUsername}/${artifact.projectSlug}/`;

function headersFor(
  { instance, runtime }: ContentServing,
  type: LoadedVersion["artifact"]["type"],
  nonce: string,
  publicSteady: boolean,
  etag?: string,
): Record<string, string> {
  const { publicUrl, contentOrigin, htmlCdnAllowlist } = instance.config;
  return contentHeaders({
    type,
    nonce,
    appOrigin: new URL(publicUrl).origin,
    contentOrigin: new URL(contentOrigin).origin,
    runtimePath: runtime.path,
    cdnAllowlist: htmlCdnAllowlist,
    publicSteady,
    ...(etag === undefined ? {} : { etag }),
  });
}

/** Content is never a page of its own: whoever opens its address is sent to the viewer. */
const isPageLoad = (request: Request): boolean => request.headers.get("sec-fetch-dest") === "document";

function toViewer(serving: ContentServing, loaded: LoadedVersion, view: FrameView): Response {
  const asked = view === "source" ? "&view=source" : "";
  const location = `${projectUrlOf(serving, loaded)}${loaded.artifact.slug}?v=${loaded.version.versionNumber}${asked}`;
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}
