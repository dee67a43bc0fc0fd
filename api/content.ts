// The content routes: an artifact's version as a document for its sandboxed frame (docs/reference/security.md §1).
import { type FrameView, viewAddress } from "@plinth/contract/frame";
import { versionNumberMax } from "@plinth/contract/limits";
import type { LoadedVersion } from "@plinth/domain/access/resource";
import {
  framedDocument,
  framedHeaders,
  framedTag,
  framedTypeOf,
  heldImages,
  imagesTag,
  projectUrlOf,
  type FramedAnswer,
  type ReaderFraming,
  type ReadVersion,
  withLock,
} from "@plinth/domain/content/framed";
import { publicVersion, redeemTicket } from "@plinth/domain/content/redeem";
import { welcomeVersion } from "@plinth/domain/content/welcome";
import type { Instance } from "@plinth/domain/context";
import { contentNonce } from "@plinth/domain/render/headers/content-headers";
import { addressKey, requireAllowance } from "@plinth/domain/rate-limit";
import type { Runtime } from "@plinth/runtime/manifest";

import type { Elysia } from "elysia";

import { expiredPage } from "./expired-page.ts";
import { shownPrincipal, type MetaOf, type RequestMeta } from "./request-meta.ts";
import { fresh, sized } from "./respond.ts";

/** The dependencies of a content route. */
export interface ContentServing {
  readonly instance: Instance;
  readonly runtime: Runtime;
}

const views: readonly FrameView[] = ["document", "source"];

/** Adds the content routes, each with its two views. */
export function addContent(app: Elysia, serving: ContentServing, metaOf: MetaOf): void {
  for (const view of views) {
    app.get(viewAddress("/_content/:ticket", view), ({ request, params: { ticket } }) =>
      counted(serving, metaOf(request), (meta) => ticketContent(serving, request, { ticket, view }, meta)),
    );
    app.get(viewAddress("/_content/p/:artifactId/:number", view), ({ request, params: { artifactId, number } }) =>
      counted(serving, metaOf(request), (meta) => steadyContent(serving, request, { artifactId, number, view }, meta)),
    );
  }
  app.get("/_content/welcome/:number", ({ request, params: { number } }) =>
    counted(serving, metaOf(request), (meta) => welcomeContent(serving, request, number, meta)),
  );
}

/**
 * Counts a document among the reads of its reader's IP address, because the request has no credential. @throws
 * rate_limited
 */
async function counted(
  { instance }: ContentServing,
  meta: RequestMeta,
  serve: (meta: RequestMeta) => Promise<Response>,
): Promise<Response> {
  const allowance = await instance.limiter.take("reads", addressKey(meta.address));
  if (allowance !== null) requireAllowance(allowance);
  return serve(meta);
}

/**
 * `/_content/welcome/<n>`: the built-in document of every instance, for the page that introduces Plinth. @throws
 * not_found
 */
async function welcomeContent(
  serving: ContentServing,
  request: Request,
  number: string,
  { address }: RequestMeta,
): Promise<Response> {
  const { publicUrl } = serving.instance.config;
  if (isPageLoad(request)) return leadTo(`${publicUrl}/`);
  const framed = { ...welcomeVersion(versionOf(number)), principal: { type: "anonymous", address } } as const;
  return steadyDocument(serving, request, framed, "document");
}

/** `/_content/<ticket>`, and `…/source`: for one reader, for a minute. @throws not_found */
async function ticketContent(
  serving: ContentServing,
  request: Request,
  { ticket, view }: { ticket: string; view: FrameView },
  { address, requestId, method, learned }: RequestMeta,
): Promise<Response> {
  const loaded = await redeemTicket(serving.instance, ticket, address);
  const nonce = contentNonce();
  const framing = framingOf(serving);
  if (loaded === "expired") return expiredPage(framedHeaders(framing, "md", nonce), nonce);
  learned.principal = shownPrincipal(loaded.principal);
  if (isPageLoad(request)) return toViewer(serving, loaded, view);
  const framed: ReadVersion = await withLock(serving.instance.db, loaded);
  const { html, isPending, images } = await framedDocument(framing, framed, view, nonce);
  if (method === "GET") serving.instance.shareUses.note(loaded.principal, { surface: "web", requestId });
  const { lock } = framed;
  return sized(html, framedHeaders(framing, framedTypeOf(loaded, view), nonce, { isPending, lock, images }));
}

/**
 * `/_content/p/<artifactId>/<n>`, and `…/source`: public content, which caches store and revalidate each time. @throws
 * not_found
 */
async function steadyContent(
  serving: ContentServing,
  request: Request,
  { artifactId, number, view }: { artifactId: string; number: string; view: FrameView },
  { address }: RequestMeta,
): Promise<Response> {
  const loaded = await publicVersion(serving.instance, artifactId, versionOf(number), address);
  if (isPageLoad(request)) return toViewer(serving, loaded, view);
  return steadyDocument(serving, request, await withLock(serving.instance.db, loaded), view);
}

async function steadyDocument(
  serving: ContentServing,
  request: Request,
  framed: ReadVersion,
  view: FrameView,
): Promise<Response> {
  const framing = framingOf(serving);
  const tag = framedTag(framing, framed, view);
  const nonce = contentNonce(tag);
  const { lock } = framed;
  const headersWith = (answer: FramedAnswer) =>
    framedHeaders(framing, framedTypeOf(framed, view), nonce, { lock, ...answer });
  const held = await heldImages(framing, framed, tag, request.headers.get("if-none-match"));
  const unchanged = fresh(request, headersWith(held ?? { etag: tag, images: framed.images }));
  if (unchanged !== null) return unchanged;
  const { html, isFinal, isPending, images } = await framedDocument(framing, framed, view, nonce);
  // An unfinished rendering has no ETag, and no cache stores it.
  if (!isFinal) return sized(html, headersWith({ isPending, images }));
  const isTagged = framed.artifact.type === "md" && images !== undefined;
  return sized(html, headersWith({ etag: isTagged ? imagesTag(tag, images) : tag, images }));
}

export const framingOf = ({ instance: { db, config }, runtime }: ContentServing): ReaderFraming => ({
  db,
  config,
  runtime,
});

/**
 * Zero, which no version has, for an invalid number: a number that PostgreSQL can't hold would fail a whole batch of
 * loads.
 */
function versionOf(number: string): number {
  const version = /^[1-9]\d{0,9}$/.test(number) ? Number(number) : 0;
  return version <= versionNumberMax ? version : 0;
}

/** Content is never a page by itself: a reader who opens its URL is redirected to the viewer. */
const isPageLoad = (request: Request): boolean => request.headers.get("sec-fetch-dest") === "document";

function toViewer(serving: ContentServing, loaded: LoadedVersion, view: FrameView): Response {
  const asked = view === "source" ? "&view=source" : "";
  const location = `${projectUrlOf(serving.instance.config, loaded)}${loaded.artifact.slug}?v=${loaded.version.versionNumber}${asked}`;
  return leadTo(location);
}

function leadTo(location: string): Response {
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}
